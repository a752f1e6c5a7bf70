"""What the trainers of all imitating networks share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.errors import DataError
from outflank.learn.imitation.config import ImitationConfig
from outflank.learn.imitation.material import Material
from outflank.learn.imitation.measuring import SCORE, measure
from outflank.learn.imitation.schedule import rate_at
from outflank.models import load_networks
from outflank.nets.network import (
    ANCESTORS,
    Card,
    PolicyNetwork,
    trainings_of,
)

WEIGHTS, STATE = "network.safetensors", "training.safetensors"

_HELD_OUT = ("accuracy", "top3", "legal", "loss")  # the measures that go into the curves


class ImitationTrainer(ABC):
    """A network in training; see outflank.learn.Trainer for what its methods promise.

    Attributes:
        steps: Of the whole training; set by the subclass.
        steps_per_epoch: Set by the subclass.
        ancestors: Cards of the networks that it starts or learns from.
        measures: Whether this process measures with held-out examples.
    """

    score = SCORE
    steps: int
    steps_per_epoch: int
    measures = True

    def __init__(self, config: ImitationConfig, material: Material) -> None:
        self.config, self.material = config, material
        self.step = 0
        self.ancestors: list[Card] = []
        self.teacher = (
            load_networks(config.teacher, threads=config.threads) if config.teacher else None
        )
        if self.teacher is not None:
            self.ancestors.append(self.teacher.card)

    @abstractmethod
    def network(self) -> PolicyNetwork:
        """Return the network, which changes as training continues."""

    @abstractmethod
    def _means(self) -> dict[str, float]:
        """Return the means since the last measurement."""

    @abstractmethod
    def _forget_means(self) -> None:
        """Begin new means."""

    def _as_it_plays(self) -> AbstractContextManager[None]:
        """Make the network temporarily what it would be if training ended now."""
        return nullcontext()

    @property
    def data(self) -> dict[str, Any]:
        """What it learns from, for the card."""
        return self.material.facts

    @property
    def pace(self) -> tuple[int, int]:
        """Steps between measurements, and between checkpoints."""
        return self.config.evaluate_every, self.config.checkpoint_every

    @property
    def rate(self) -> float:
        """The learning rate of this step."""
        return rate_at(self.config, self.step, self.steps, self.steps_per_epoch)

    def _mixed(
        self, played: NDArray[np.float32], opinion: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the targets of the squares 0-63: the shares played, mixed with the teacher's."""
        part = np.float32(self.config.teacher_weight)
        return (1 - part) * played + part * opinion

    def measure(self) -> Mapping[str, float]:
        """Return the means since the last measurement, and the measures on held-out examples."""
        values: dict[str, float] = {
            "epoch": round(self.step / self.steps_per_epoch, 4),
            "rate": self.rate,
            **self._means(),
        }
        self._forget_means()
        if self.measures and len(self.material.held_out):
            with self._as_it_plays():
                found = measure(self.network(), self.material.held_out)
            for name in _HELD_OUT:
                values[f"held_out_{name}"] = getattr(found, name)
        return values

    def card(self, measured: Mapping[str, Any]) -> Card:
        """Return the card of the network as it is now."""
        training = {
            "config": self.config.to_json(),
            "data": self.data,
            "step": self.step,
            "steps": self.steps,
        }
        if self.ancestors:
            training[ANCESTORS] = trainings_of(self.ancestors)
        return Card(self.config.network, self.config.encoding, "", training, dict(measured))

    def _facts(self) -> dict[str, Any]:
        """Return what a checkpoint must agree with to be resumed."""
        return {"step": self.step, "config": self.config.to_json(), "data": self.data}

    def _check_facts(self, path: Path, facts: Mapping[str, Any]) -> None:
        """Raise DataError if a checkpoint has another configuration or other games."""
        if ImitationConfig.from_json(facts.get("config", {})) != self.config:
            raise DataError(f"{path}: was made with another configuration")
        kept = facts.get("data", self.data)
        if kept != self.data:
            raise DataError(
                f"{path}: was begun with other games or lessons ({kept.get('games')} games of "
                f"{kept.get('years')}; here are {self.data['games']} of {self.data['years']})",
                remedy="same-games",
            )
