"""Evaluations that evolved (paper 4): small networks, each in a file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.errors import DataError
from outflank.nets.files import load_tensors, save_tensors

KIND = "evolved"
FILTER = "filter"  # the shape that ranks moves instead of evaluating boards


@dataclass(frozen=True, eq=False)
class EvolvedNetwork:
    """A network of paper 4, which is a player together with a search.

    shape: spatial, flat, only or filter. weights: float32[n], see core/evolution/network.hpp.
    piece_weight: what a disc of difference adds to the output. leaves, window: for filters, the
    evaluation of a search and how many moves it looks at. facts: how it came about.
    """

    shape: str
    weights: NDArray[np.float32]
    piece_weight: float = 1 / 64
    leaves: str = "discs"
    window: int = 3
    facts: dict[str, Any] = field(default_factory=dict)

    def evaluation(self) -> _core.EvolvedEvaluation:
        """Return it as an evaluation; filters are none."""
        return _core.EvolvedEvaluation(self.shape, self.weights, self.piece_weight)

    @property
    def fingerprint(self) -> str:
        """What tells it from others of its name."""
        options = f"{self.shape} {self.piece_weight} {self.leaves} {self.window}"
        return hashlib.sha256(options.encode() + self.weights.tobytes()).hexdigest()[:16]

    def save(self, path: Path | str) -> None:
        """Write it into a file."""
        options = {
            name: getattr(self, name)
            for name in ("shape", "piece_weight", "leaves", "window", "facts")
        }
        save_tensors(path, {"weights": self.weights}, kind=KIND, facts=options)

    @classmethod
    def load(cls, path: Path | str) -> EvolvedNetwork:
        """Read it from a file."""
        tensors, facts = load_tensors(path, kind=KIND)
        weights = tensors.get("weights")
        try:
            network = cls(weights=weights, **facts)  # type: ignore[arg-type]
            wanted = _core.evolved_weights(network.shape)
        except (TypeError, ValueError) as error:
            raise DataError(f"{path}: {error}") from None
        if weights is None or weights.dtype != np.float32 or weights.shape != (wanted,):
            raise DataError(f"{path}: does not hold the {wanted} weights of its shape")
        return network
