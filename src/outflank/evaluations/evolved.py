"""Evolved evaluations (Chong et al., 2005): small networks, each in a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.errors import DataError
from outflank.fingerprints import fingerprint
from outflank.nets.files import load_tensors, save_tensors
from outflank.numbers import is_number

KIND = "evolved"
# The shapes of the core, and one of two networks: `spatial` evaluates what `filter` leaves.
EVALUATES, FILTERS, BOTH = ("spatial", "flat", "only"), "filter", "hybrid"
SHAPES = (*EVALUATES, FILTERS, BOTH)

# What a file may say of a network.
_OPTIONS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "shape": (str, "a name"),
    "piece_weight": ((int, float), "a number"),
    "leaves": (str, "a name"),
    "window": (int, "a whole number"),
    "depth": (int, "a whole number"),
    "facts": (dict, "an object"),
}


def weights_of(shape: str) -> int:
    """Return how many weights a shape has."""
    if shape == BOTH:
        return _core.evolved_weights("spatial") + _core.evolved_weights(FILTERS)
    return _core.evolved_weights(shape)


@dataclass(frozen=True, eq=False)
class EvolvedNetwork:
    """An evolved network, which is a player together with a search.

    Attributes:
        shape: One of SHAPES.
        weights: float32[n], see core/evolution/network.hpp. A hybrid has first the weights that
            evaluate, then those that filter.
        piece_weight: What a disc of difference adds to the output.
        leaves: The evaluation at the leaves, if the network only filters moves.
        window: How many moves a filter leaves.
        depth: Of the search that it evolved with.
        facts: How it was made.
    """

    shape: str
    weights: NDArray[np.float32]
    piece_weight: float = 1 / 64
    leaves: str = "discs"
    window: int = 3
    depth: int = 2
    facts: dict[str, Any] = field(default_factory=dict)

    def evaluation(self) -> _core.EvolvedEvaluation:
        """Return the evaluation of boards; a filter has none."""
        if self.shape == FILTERS:
            raise DataError("a network that filters moves cannot evaluate boards")
        shape = "spatial" if self.shape == BOTH else self.shape
        weights = self.weights[: _core.evolved_weights(shape)]
        return _core.EvolvedEvaluation(shape, weights, self.piece_weight)

    def filter(self) -> _core.MoveFilter | None:
        """Return the filter that ranks moves, if it has one."""
        if self.shape not in (FILTERS, BOTH):
            return None
        return _core.MoveFilter(self.weights[-_core.evolved_weights(FILTERS) :])

    @property
    def fingerprint(self) -> str:
        """Changes whenever retraining changes the weights."""
        options = f"{self.shape} {self.piece_weight} {self.leaves} {self.window} {self.depth}"
        return fingerprint(options, self.weights)

    def save(self, path: Path | str) -> None:
        """Write it into a file."""
        options = {
            name: getattr(self, name)
            for name in ("shape", "piece_weight", "leaves", "window", "depth", "facts")
        }
        save_tensors(path, {"weights": self.weights}, kind=KIND, facts=options)

    @classmethod
    def load(cls, path: Path | str) -> EvolvedNetwork:
        """Read it from a file."""
        tensors, facts = load_tensors(path, kind=KIND)
        weights = tensors.get("weights")
        _check_options(facts, path)
        try:
            network = cls(weights=weights, **facts)  # type: ignore[arg-type]
            wanted = weights_of(network.shape)
        except (TypeError, ValueError) as error:
            raise DataError(f"{path}: {error}") from None
        if weights is None or weights.dtype != np.float32 or weights.shape != (wanted,):
            raise DataError(f"{path}: does not hold the {wanted} weights of its shape")
        return network


def _check_options(facts: dict[str, Any], path: Path | str) -> None:
    """Raise DataError for an option of a file that cannot be what it is."""
    for name, (kinds, accepted) in _OPTIONS.items():
        if name in facts and (isinstance(facts[name], bool) or not isinstance(facts[name], kinds)):
            raise DataError(f"{path}: {name}: {facts[name]!r}; accepted is {accepted}")
    for name, most in (("depth", 60), ("window", 64)):
        if not 1 <= facts.get(name, 1) <= most:
            raise DataError(f"{path}: {name}: {facts[name]}; accepted is 1 to {most}")
    if not is_number(facts.get("piece_weight", 0)):
        raise DataError(f"{path}: piece_weight: not a finite number")
