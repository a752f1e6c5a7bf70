"""What the files of value networks in training say about them, and must agree with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from outflank.errors import DataError
from outflank.learn.value.config import ValueConfig
from outflank.nets.network import ANCESTORS, Card, trainings_of


def training_facts(
    config: ValueConfig, data: Mapping[str, Any], step: int, steps: int, ancestors: Sequence[Card]
) -> dict[str, Any]:
    """Return what a card says about a network's training.

    Args:
        config: Of the training.
        data: What it learns from.
        step: How many steps were done.
        steps: Of the whole training.
        ancestors: Cards of the networks that it started from.
    """
    training: dict[str, Any] = {
        "learner": "value",
        "config": config.to_json(),
        "data": dict(data),
        "step": step,
        "steps": steps,
    }
    if ancestors:
        training[ANCESTORS] = trainings_of(ancestors)
    return training


def check_facts(
    folder: Path, facts: Mapping[str, Any], config: ValueConfig, data: Mapping[str, Any]
) -> None:
    """Raise DataError if a checkpoint has another configuration or other games."""
    if ValueConfig.from_json(facts["config"]) != config:
        raise DataError(f"{folder}: was made with another configuration")
    if facts["data"] != data:
        raise DataError(f"{folder}: was begun with other games", remedy="same-games")
