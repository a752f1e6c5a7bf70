"""Who trains which network: a registry by the network's name, and what a trainer must do."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from outflank.errors import DataError
from outflank.learn.imitation.config import ImitationConfig
from outflank.learn.imitation.material import Material
from outflank.learn.team import Team
from outflank.nets.architectures import architectures, need_torch
from outflank.nets.line import ARCHITECTURES
from outflank.nets.network import PolicyNetwork


class Trainer(Protocol):
    """A network in training.

    The same configuration and material give the same network, in however many calls the steps are
    asked for, and whether or not it was saved and loaded between them.
    """

    step: int  # how many were done
    steps: int  # of the whole training
    steps_per_epoch: int

    def train_until(self, step: int) -> Mapping[str, float]:
        """Train until so many steps are done; return the means (loss, ...) since `measure`."""

    def measure(self) -> Mapping[str, float]:
        """Return a line for the metrics, and begin new means.

        held_out_accuracy, if there are held-out examples, decides which checkpoint is the best.
        """

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on, into an empty folder."""

    def load(self, folder: Path) -> None:
        """Go back to what was saved."""

    def network(self) -> PolicyNetwork:
        """Return the network as it is now."""

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the network for playing, with its card."""


# The modules that train, by the names of the networks; each has a function
# make_trainer(config, material, team).
_TRAINERS = {
    **dict.fromkeys(architectures(), "outflank.learn.imitation.convolutional"),
    **dict.fromkeys(ARCHITECTURES, "outflank.learn.imitation.line"),
}


def trainable() -> list[str]:
    """Return the names of all networks that can be trained."""
    return list(_TRAINERS)


def find_trainer(name: str) -> Callable[[ImitationConfig, Material, Team], Trainer]:
    """Return what makes the trainer of a network; say in one line what is missing for it."""
    if name not in _TRAINERS:
        raise DataError(f"no such network: {name!r}; networks are {', '.join(_TRAINERS)}")
    try:
        module = importlib.import_module(_TRAINERS[name])
    except ModuleNotFoundError:
        need_torch()
        raise
    make: Callable[[ImitationConfig, Material, Team], Trainer] = module.make_trainer
    return make


def make_trainer(config: ImitationConfig, material: Material, team: Team | None = None) -> Trainer:
    """Make the trainer of a configuration's network, with fresh weights."""
    return find_trainer(config.network)(config, material, team or Team())
