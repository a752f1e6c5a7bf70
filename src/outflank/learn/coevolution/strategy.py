"""OpenAI's evolution strategy (Salimans et al., 2017), with the paper's own tournament.

A normal distribution replaces parents and children: all networks of a generation are drawn around
its mean in mirrored pairs, and the mean moves towards those with more points. A generation costs as
many games as the paper's. Each step is noisy; a running average of the mean over generations
(Polyak and Juditsky, 1992) evens out the noise, and is what plays.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from outflank.learn.coevolution.config import CoevolutionConfig
from outflank.learn.coevolution.variation import Networks, random_of

_BETAS = (0.9, 0.999)  # of Adam's means
_TINY = 1e-8
_YOUNG = 10  # generations in which the average still takes more of the new mean


class Strategy:
    """The distribution: its mean, that mean's average, and Adam's two means of the gradient."""

    def __init__(self, config: CoevolutionConfig) -> None:
        self.config = config
        random = random_of(config, "first")
        reach = config.first_weights
        self.mean = config.spread(random.uniform(-reach, reach, config.free))
        self.average = self.mean
        self.first = np.zeros(config.weights)
        self.second = np.zeros(config.weights)

    def arrays(self) -> dict[str, NDArray[np.float64]]:
        """The state, by name."""
        names = ("mean", "average", "first", "second")
        return {name: getattr(self, name) for name in names}

    def restore(self, arrays: Mapping[str, NDArray[np.float64]]) -> None:
        """Restore what `arrays` returned."""
        for name in self.arrays():
            setattr(self, name, arrays[name].copy())

    def center(self) -> Networks:
        """Return the mean's average as a network, the first of all."""
        return Networks(
            self.average.astype(np.float32)[None],
            np.full((1, len(self.mean)), self.config.sigma, np.float32),
            np.zeros(1, np.int64),
            np.full(1, -1),
            np.zeros(1, np.int64),
        )

    def sample(self, generation: int) -> Networks:
        """Draw a generation's networks: half of them, then their mirror images."""
        config = self.config
        drawn = self._drawn(generation)
        count = config.population
        weights = self.mean + config.sigma * np.concatenate([drawn, -drawn])
        return Networks(
            weights.astype(np.float32),
            np.full(weights.shape, config.sigma, np.float32),
            config.parents + generation * count + np.arange(count),
            np.zeros(count, np.int64),  # all come from the mean, the first of them
            np.full(count, generation + 1),
        )

    def learn(self, generation: int, points: NDArray[np.float64]) -> None:
        """Move the mean, given the points of the networks that were drawn."""
        config = self.config
        drawn = self._drawn(generation)
        ranks = np.empty(len(points))
        for place, value in enumerate(points):  # equal points, equal ranks
            ranks[place] = (points < value).sum() + ((points == value).sum() - 1) / 2
        utility = ranks / (len(points) - 1) - 0.5
        pairs = utility[: len(drawn)] - utility[len(drawn) :]
        gradient = pairs @ drawn / (len(points) * config.sigma)
        self.first = _BETAS[0] * self.first + (1 - _BETAS[0]) * gradient
        self.second = _BETAS[1] * self.second + (1 - _BETAS[1]) * gradient**2
        first = self.first / (1 - _BETAS[0] ** (generation + 1))
        second = self.second / (1 - _BETAS[1] ** (generation + 1))
        self.mean = self.mean + config.learning_rate * first / (np.sqrt(second) + _TINY)
        kept = min(config.averaging, (1 + generation) / (_YOUNG + generation))
        self.average = kept * self.average + (1 - kept) * self.mean

    def _drawn(self, generation: int) -> NDArray[np.float64]:
        config = self.config
        random = random_of(config, "offspring", generation, "strategy")
        return config.spread(random.standard_normal((config.population // 2, config.free)))
