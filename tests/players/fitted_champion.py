"""An evaluation of the champion's form that knows a little, made in a second."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import Position, _core
from outflank.evaluations.champion import save_champion

Weights = NDArray[np.int8]


def fitted_weights() -> Weights:
    """Weights fitted to the scores of random games: they know a little."""
    start = Position.start()
    own, other, score, _, _ = _core.play_training_games(
        _core.Evaluation.named("discs"),
        np.full(400, start.own, np.uint64),
        np.full(400, start.other, np.uint64),
        np.arange(400, dtype=np.uint64),
        _core.TrainingGameOptions(depth=1, solve_from=8, least_opening=10, most_opening=40),
    )
    fitted = _core.fit_champion(own, other, score.astype(np.float32), passes=3, batch=128)
    return _core.quantise_champion(fitted)


def save_fitted(folder: Path, weights: Weights, measured: Mapping[str, Any]) -> Path:
    """Write weights with what was measured of them, and return their file."""
    path = folder / "champion.safetensors"
    save_champion(path, weights, {**measured})
    return path
