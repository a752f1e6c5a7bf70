"""The champion's evaluation: weights learned from its own games, mapped from their file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank._core import ChampionEvaluation, DepthRegression
from outflank.errors import DataError
from outflank.nets.files import map_tensor, save_tensors

KIND = "champion"
# Names of the measurements that `outflank learn champion calibrate` keeps among the facts: how
# shallow searches predict deep ones, and exact scores.
PROBCUT, ENDINGS = "probcut", "endings"

_WEIGHTS = "weights"
_WHOLE, _LINE = ("depth", "shallow", "from_discs", "to_discs"), ("slope", "offset", "error")


def save_champion(path: Path | str, weights: NDArray[np.int8], facts: dict[str, Any]) -> None:
    """Write weights that quantise_champion returned, with facts about them (any JSON)."""
    save_tensors(path, {_WEIGHTS: weights}, kind=KIND, facts={"facts": facts})


def champion_facts(path: Path | str) -> dict[str, Any]:
    """Return the facts about the weights in a file."""
    _, content = map_tensor(path, _WEIGHTS, kind=KIND)
    facts = content.get("facts", {})
    if not isinstance(facts, dict):
        raise DataError(f"{path}: facts: a {type(facts).__name__}; accepted is an object")
    return facts


def champion_weights(path: Path | str) -> NDArray[np.int8]:
    """Map the weights of a file into memory."""
    weights, _ = map_tensor(path, _WEIGHTS, kind=KIND)
    if weights.dtype != np.int8 or weights.ndim != 1:
        raise DataError(f"{path}: holds no weights of the champion's network; train it anew")
    return weights


def champion_regressions(path: Path | str, name: str) -> list[DepthRegression]:
    """Return the measurements in a file, PROBCUT or ENDINGS; none if it was not calibrated."""
    try:
        return [
            DepthRegression(*(int(one[key]) for key in _WHOLE), *(float(one[key]) for key in _LINE))
            for one in champion_facts(path).get(name, [])
        ]
    except (TypeError, ValueError, KeyError, OverflowError):
        raise DataError(f"{path}: {name}: not what calibrate writes") from None


def load_champion(path: Path | str) -> ChampionEvaluation:
    """Map the evaluation of a file into memory; the file must not change while it is used."""
    try:
        return ChampionEvaluation(champion_weights(path))
    except ValueError as error:
        raise DataError(f"{path}: {error}") from None
