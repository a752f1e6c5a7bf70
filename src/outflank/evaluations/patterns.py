"""The evaluation by patterns: weights that were learned from games, in a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank._core import PatternEvaluation
from outflank.errors import DataError
from outflank.models import shipped_models
from outflank.nets.files import load_tensors, save_tensors

SUFFIX = ".safetensors"
_KIND, _WEIGHTS = "patterns", "weights"
SHIPPED = "patterns"


def is_patterns(name: str) -> bool:
    """Tell whether this is the name of the shipped evaluation, or that of a file of weights."""
    return name == SHIPPED or name.lower().endswith(SUFFIX)


def pattern_evaluation(name: str) -> PatternEvaluation:
    """Load the shipped evaluation, `patterns`, or that of a file."""
    path = shipped_models()[SHIPPED].path if name == SHIPPED else Path(name).expanduser()
    return _load(path, path.stat().st_mtime_ns if path.is_file() else 0)


def save_patterns(path: Path | str, weights: NDArray[np.int16], facts: dict[str, Any]) -> None:
    """Write weights that fit_patterns found, with facts on how (anything JSON has)."""
    save_tensors(path, {_WEIGHTS: weights}, kind=_KIND, facts={"facts": facts})


# A tournament makes the same players again and again; a file that changed is read anew.
@lru_cache(maxsize=8)
def _load(path: Path, changed: int) -> PatternEvaluation:
    tensors, _ = load_tensors(path, kind=_KIND)
    weights = tensors.get(_WEIGHTS)
    if weights is None or weights.dtype != np.int16 or weights.ndim != 2:
        raise DataError(f"{path}: holds no weights of patterns")
    try:
        return PatternEvaluation(np.ascontiguousarray(weights))
    except ValueError as error:
        raise DataError(f"{path}: {error}") from None
