"""Weights of the champion's evaluation that know nothing, for tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outflank import _core

Weights = NDArray[np.int8]
_OUTER = 32 * 32 + 32  # numbers of the outer layer, at the end


def no_weights() -> Weights:
    """Weights that give every board the value 0."""
    return np.zeros(_core.ChampionEvaluation.bytes, np.int8)


def random_weights(seed: int) -> Weights:
    """Random weights, so large that some sums and units are cut off, but few values."""
    size = len(_core.champion_numbers(no_weights()))
    numbers = np.random.default_rng(seed).normal(0, 0.4, size).astype(np.float32)
    numbers[-_OUTER:] /= 10
    return _core.quantise_champion(numbers)
