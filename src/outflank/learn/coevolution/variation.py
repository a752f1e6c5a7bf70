"""Variation operators: all those that Chong et al. (2005) try.

Self-adaptive mutation first changes the step sizes, then the weights by the new ones:

    sigma'_i = sigma_i exp(tau N_i(0, 1)),    w'_i = w_i + sigma'_i N_i(0, 1)

with tau = 1 / sqrt(2 sqrt(n)) for n weights (Chellapilla and Fogel, 1999; the equations are missing
in print). Cauchy's distribution takes the place of the second N for `cauchy` (Yao, Liu and
Lin, 1999); `mean` has the mean of the two (Chellapilla, 1998); `better` makes one child with each
and keeps the better one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank.chance import generator_of, key_of
from outflank.learn.coevolution.config import CoevolutionConfig

Weights = NDArray[np.float32]

_LEAST_STEP = 1e-8  # a step size of zero would stay zero for ever
_MOST = np.float32(1e6)  # bound of the weights: differences of parents would grow without end


@dataclass(frozen=True, eq=False)
class Networks:
    """Some networks: a row of weights, of step sizes, and a name for each.

    Attributes:
        weights: float32[n, weights].
        steps: float32[n, weights], the step sizes.
        number: int64[n], unique among all networks of a run.
        parent: int64[n], the parent's number; -1 for the first.
        born: int64[n], the generation.
    """

    weights: Weights
    steps: Weights
    number: NDArray[np.int64]
    parent: NDArray[np.int64]
    born: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.weights)

    def take(self, index: NDArray[np.integer]) -> Networks:
        """Return some of them, in the order of an index."""
        return Networks(*(array[index] for array in self.arrays().values()))

    def and_also(self, others: Networks) -> Networks:
        """Return these and others."""
        pairs = zip(self.arrays().values(), others.arrays().values(), strict=True)
        return Networks(*(np.concatenate(pair) for pair in pairs))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays by name."""
        return dict(vars(self))


def random_of(config: CoevolutionConfig, *key: object) -> np.random.Generator:
    """Return random numbers that depend only on the seed and a key."""
    return generator_of(key_of("coevolution", config.seed, *key))


def first_parents(config: CoevolutionConfig) -> Networks:
    """Make the first parents."""
    count, reach = config.parents, config.first_weights
    drawn = random_of(config, "first").uniform(-reach, reach, (count, config.free))
    weights = config.spread(drawn).astype(np.float32)
    return Networks(
        weights,
        np.full(weights.shape, config.sigma, np.float32),
        np.arange(count),
        np.full(count, -1),
        np.zeros(count, np.int64),
    )


def offspring(config: CoevolutionConfig, parents: Networks, generation: int) -> Networks:
    """Make a child of each parent; `better` makes two of each, first all the Gaussian ones."""
    kinds = ("each", "cauchy") if config.variation == "better" else (config.variation,)
    varied = [_vary(config, parents, generation, kind) for kind in kinds]
    weights, steps = (np.concatenate(arrays) for arrays in zip(*varied, strict=True))
    weights = np.clip(weights, -_MOST, _MOST)
    count = len(weights)
    first = config.parents + generation * count
    return Networks(
        weights,
        steps,
        np.arange(first, first + count),
        np.tile(parents.number, len(kinds)),
        np.full(count, generation + 1),
    )


def _vary(
    config: CoevolutionConfig, parents: Networks, generation: int, kind: str
) -> tuple[Weights, Weights]:
    """Return the weights and step sizes of a child of each parent."""
    random = random_of(config, "offspring", generation, kind)
    shape = (len(parents), config.free)
    if kind == "differential":
        others = np.array([_two_others(random, len(parents), i) for i in range(len(parents))])
        difference = parents.weights[others[:, 0]] - parents.weights[others[:, 1]]
        return parents.weights + np.float32(config.scale) * difference, parents.steps.copy()
    steps = parents.steps
    if kind != "fixed":
        # One number for all weights of a network where they share one step size.
        if kind == "single":
            chance = random.standard_normal((len(parents), 1))
        else:
            chance = config.spread(random.standard_normal(shape))
        steps = np.maximum(steps * np.exp(config.tau * chance), _LEAST_STEP).astype(np.float32)
    if kind == "cauchy":
        moved = random.standard_cauchy(shape)
    elif kind == "mean":
        moved = 0.5 * (random.standard_normal(shape) + random.standard_cauchy(shape))
    else:
        moved = random.standard_normal(shape)
    return (parents.weights + steps * config.spread(moved)).astype(np.float32), steps


def _two_others(random: np.random.Generator, count: int, own: int) -> NDArray[np.int64]:
    """Draw two different parents that are not the child's own."""
    others = np.delete(np.arange(count), own)
    return random.choice(others, 2, replace=len(others) < 2)
