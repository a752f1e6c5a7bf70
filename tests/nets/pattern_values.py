"""Networks of patterns with random weights, for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.nets import Card
from outflank.nets.pattern_value import ARCHITECTURE, PatternValue

CARD = Card(ARCHITECTURE, "pieces", "made")


def random_tensors(
    channels: int = 16, hidden: int = 8, seed: int = 1
) -> dict[str, NDArray[np.signedinteger]]:
    """Weights of a network that has opinions."""
    random = np.random.default_rng(seed)
    rows = _core.PatternNetwork.rows

    def drawn(
        most: int, shape: tuple[int, ...], kind: type[np.signedinteger]
    ) -> NDArray[np.signedinteger]:
        return random.integers(-most, most + 1, shape).astype(kind)

    return {
        "rows": drawn(20, (rows, channels), np.int8),
        "empties": drawn(100, (61, channels), np.int16),
        "inner": drawn(400, (16 * hidden, channels), np.int16),
        "inner_bias": drawn(1 << 16, (16, hidden), np.int32),
        "outer": drawn(100, (16, hidden), np.int16),
        "outer_bias": drawn(1000, (16,), np.int32),
    }


def save_pattern_value(path: Path, seed: int = 1) -> Path:
    """Write such a network."""
    PatternValue(random_tensors(seed=seed), CARD).save(path)
    return path
