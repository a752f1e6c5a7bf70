"""The registry of trainers, by the network's name, and their interface."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Protocol

from outflank.errors import DataError
from outflank.learn import training
from outflank.learn.imitation.config import OF_LINES, OF_TORCH, ImitationConfig
from outflank.learn.imitation.material import Material
from outflank.learn.team import Team
from outflank.nets.architectures import architectures, need_torch
from outflank.nets.line import ARCHITECTURES
from outflank.nets.network import PolicyNetwork


class PolicyTrainer(training.Trainer, Protocol):
    """A network in training."""

    steps_per_epoch: int

    def network(self) -> PolicyNetwork:
        """Return the network as it is now."""


# The modules that train, by the names of the networks; each has a function
# make_trainer(config, material, team).
_TRAINERS = {
    **dict.fromkeys(architectures(), "outflank.learn.imitation.convolutional"),
    **dict.fromkeys(ARCHITECTURES, "outflank.learn.imitation.line"),
}


def trainable() -> list[str]:
    """Return the names of all networks that can be trained."""
    return list(_TRAINERS)


def find_trainer(name: str) -> Callable[[ImitationConfig, Material, Team], PolicyTrainer]:
    """Return the function that makes a network's trainer; OutflankError if something is missing."""
    if name not in _TRAINERS:
        raise DataError(f"no such network: {name!r}; networks are {', '.join(_TRAINERS)}")
    try:
        module = importlib.import_module(_TRAINERS[name])
    except ModuleNotFoundError:
        need_torch()
        raise
    make: Callable[[ImitationConfig, Material, Team], PolicyTrainer] = module.make_trainer
    return make


def make_trainer(
    config: ImitationConfig, material: Material, team: Team | None = None
) -> PolicyTrainer:
    """Make the trainer of a configuration's network, with fresh weights."""
    make = find_trainer(config.network)
    check_fields(config)
    return make(config, material, team or Team())


def check_fields(config: ImitationConfig) -> None:
    """Raise DataError for a setting that the configuration's network would ignore."""
    lines, usual = config.network in ARCHITECTURES, ImitationConfig()
    kind, start = ("PyTorch networks", "line") if lines else ("line networks", "laptop")
    for name in OF_TORCH if lines else OF_LINES:
        if getattr(config, name) != getattr(usual, name):
            raise DataError(
                f"{name}: only {kind} have it, not {config.network}; start from preset {start}"
            )
