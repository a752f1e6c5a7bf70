"""The pattern evaluation: weights learned from games, in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank._core import PatternEvaluation
from outflank.errors import DataError
from outflank.nets.files import load_tensors, save_tensors

KIND = "patterns"
_WEIGHTS = "weights"


def save_patterns(path: Path | str, weights: NDArray[np.int16], facts: dict[str, Any]) -> None:
    """Write weights found by fit_patterns, with facts about them (any JSON)."""
    save_tensors(path, {_WEIGHTS: weights}, kind=KIND, facts={"facts": facts})


def load_patterns(path: Path) -> PatternEvaluation:
    """Read the evaluation of a file."""
    tensors, _ = load_tensors(path, kind=KIND)
    weights = tensors.get(_WEIGHTS)
    if weights is None or weights.dtype != np.int16 or weights.ndim != 2:
        raise DataError(f"{path}: holds no weights of patterns")
    try:
        return PatternEvaluation(np.ascontiguousarray(weights))
    except ValueError as error:
        raise DataError(f"{path}: {error}") from None
