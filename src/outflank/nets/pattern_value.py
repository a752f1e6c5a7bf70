"""A small network over patterns that gives the expected result: it runs in the compiled core."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from outflank import _core
from outflank.errors import DataError
from outflank.fingerprints import boards_of_all_stages, fingerprint
from outflank.nets.files import Tensors, load_weights, save_weights
from outflank.nets.network import Card, PolicyNetwork, Prediction
from outflank.othello.boards import Boards

ARCHITECTURE = "value-patterns"

_KINDS = {
    "rows": np.int8, "empties": np.int16, "inner": np.int16, "inner_bias": np.int32,
    "outer": np.int16, "outer_bias": np.int32,
}  # fmt: skip


class PatternValue(PolicyNetwork):
    """Sums of vectors of patterns and two small layers; see core/evaluation/pattern_network.hpp.

    Args:
        tensors: The weights as whole numbers, by the names that the core gives them.
        card: Says what it is and where it comes from.
        threads: Threads that it predicts with; 0: all cores.
        path: The file that it comes from, for messages.
    """

    def __init__(
        self, tensors: Tensors, card: Card, *, threads: int = 0, path: Path | str = ""
    ) -> None:
        self.card = card
        self.tensors = tensors
        self.threads = threads
        if tensors.keys() != _KINDS.keys():
            wrong = ", ".join(sorted(tensors.keys() ^ _KINDS.keys()))
            raise DataError(f"{path}: its weights are of another network: {wrong}")
        for name, kind in _KINDS.items():
            if tensors[name].dtype != kind:
                raise DataError(
                    f"{path}: {name} is {tensors[name].dtype}; needed is {kind.__name__}"
                )
        try:
            self._evaluation = _core.PatternNetwork(**tensors)
        except (TypeError, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise DataError(f"{path}: holds no network of patterns: {reason}") from None

    @classmethod
    def load(cls, path: Path | str, *, threads: int = 0) -> PatternValue:
        """Read a file that `save` wrote."""
        tensors, card = load_weights(path)
        return cls(tensors, card, threads=threads, path=path)

    def save(self, path: Path | str) -> None:
        """Write it with its card."""
        save_weights(path, self.tensors, self.card)

    @property
    def evaluation(self) -> _core.Evaluation:
        """The same values for searches in the core, before the hyperbolic tangent."""
        return self._evaluation

    @property
    def fingerprint(self) -> str:
        """A hash of what it says about boards of all stages."""
        return fingerprint(
            *(
                self._evaluation.evaluate(boards.own, boards.other, boards.white_to_move)
                for boards in boards_of_all_stages()
            )
        )

    @property
    def has_policy(self) -> bool:
        """It has none."""
        return False

    @property
    def symmetric(self) -> bool:
        """Mirror images use the same rows."""
        return True

    def predict(self, boards: Boards) -> Prediction:
        """Return expected results; no square has a score."""
        values = self._evaluation.evaluate(
            boards.own, boards.other, boards.white_to_move, self.threads
        )
        return Prediction.of_values(np.tanh(values / self._evaluation.units).astype(np.float32))
