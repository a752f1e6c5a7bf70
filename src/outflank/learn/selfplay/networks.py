"""Networks in training by self-play: what they must be able to do, and those of the core."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank._core import LineNetwork, LineTrainer
from outflank.errors import DataError
from outflank.learn.selfplay.config import CONVOLUTIONAL, SelfPlayConfig
from outflank.models import find_network_file
from outflank.nets import need_torch
from outflank.nets.files import Tensors, load_tensors, save_tensors
from outflank.nets.growing import begin_with
from outflank.nets.line import LinePolicy, network_of
from outflank.nets.network import Card, PolicyNetwork

Weights = dict[str, NDArray[Any]]
# What the core's search accepts.
Evaluator = LineNetwork | Callable[..., tuple[NDArray[np.float32], NDArray[np.float32]]]

WEIGHTS, STATE = "network.safetensors", "training.safetensors"
MEANS = ("policy_loss", "value_loss", "accuracy")


class NetworkInTraining(ABC):
    """A policy-value network with its optimiser.

    Attributes:
        ancestors: Cards of the networks that it began with.
        architecture: As its card names it.
        symmetric: Whether its answer turns with the board; if not, it learns from mirror images.
    """

    ancestors: list[Card]
    architecture: str
    symmetric: bool

    @abstractmethod
    def weights(self) -> Weights:
        """Return a copy of the weights that play."""

    @abstractmethod
    def learn(
        self,
        own: NDArray[np.uint64],
        other: NDArray[np.uint64],
        policy: NDArray[np.float32],
        value: NDArray[np.float32],
        weight: NDArray[np.float32],
        learning_rate: float,
    ) -> dict[str, float]:
        """Take a step on a batch; return its means by the names of MEANS.

        Args:
            own, other: uint64[n], boards from their movers' views.
            policy: float32[n, 64], shares of the legal moves; a row of zeros teaches none.
            value: float32[n], in [-1, 1].
            weight: float32[n], how much each position counts.
            learning_rate: of this step.
        """

    def end_generation(self) -> None:  # noqa: B027  # most have nothing to do
        """Take the weights into the mean that plays, if there is one."""

    @abstractmethod
    def policy(self, card: Card) -> PolicyNetwork:
        """Return the network that plays."""

    @abstractmethod
    def export(self, folder: Path, card: Card) -> None:
        """Write the network for playing into a run's folder."""

    @abstractmethod
    def save(self, folder: Path, facts: dict[str, Any]) -> None:
        """Write weights and the optimiser's state."""

    @abstractmethod
    def load(self, folder: Path) -> dict[str, Any]:
        """Go back to what was saved; return its facts."""


def make_network(config: SelfPlayConfig) -> NetworkInTraining:
    """Make the network of a configuration, with fresh weights or those it begins with."""
    if config.network != CONVOLUTIONAL:
        return LineInTraining(config)
    need_torch()
    from outflank.learn.selfplay.convolutional import ConvolutionalInTraining

    return ConvolutionalInTraining(config)


def evaluator_of(config: SelfPlayConfig, weights: Weights, threads: int) -> Evaluator:
    """Return what a search asks, for weights that a network in training gave."""
    if config.network != CONVOLUTIONAL:
        return network_of(weights)
    from outflank.learn.selfplay.convolutional import Leaves

    return Leaves(weights, threads)


class LineInTraining(NetworkInTraining):
    """A line network and its trainer in the core. It is symmetric: mirror images are one to it."""

    symmetric = True

    def __init__(self, config: SelfPlayConfig) -> None:
        self.config = config
        self.ancestors = []
        self.architecture = config.network
        self.line = LineNetwork(
            channels=config.channels,
            blocks=config.blocks,
            layers=config.layers,
            hidden=config.hidden,
            afterstates=config.network == "line",
            seed=config.seed,
        )
        if config.start:
            self.ancestors.append(begin_with(self.line, find_network_file(config.start)))
        self.trainer = LineTrainer(
            self.line,
            seed=config.seed,
            value_weight=config.value_weight,
            dense_decay=config.l2,
            line_dropout=config.dropout,
            pattern_dropout=config.dropout,
        )
        self.mean: Weights | None = self._copy() if config.average else None

    def _copy(self) -> Weights:
        return {name: array.copy() for name, array in self.line.parameters().items()}

    def weights(self) -> Weights:
        """Return a copy of the weights that play."""
        return self._copy() if self.mean is None else self.mean

    def learn(
        self,
        own: NDArray[np.uint64],
        other: NDArray[np.uint64],
        policy: NDArray[np.float32],
        value: NDArray[np.float32],
        weight: NDArray[np.float32],
        learning_rate: float,
    ) -> dict[str, float]:
        """Take a step on a batch."""
        config = self.config
        return self.trainer.step(
            own,
            other,
            policy=policy,
            value=value,
            weight=weight,
            rates=(
                learning_rate,
                learning_rate * config.line_rate,
                learning_rate * config.move_rate,
            ),
            threads=config.threads,
        )

    def end_generation(self) -> None:
        """Move the mean of the weights towards what they are now."""
        if self.mean is None:
            return
        keep = np.float32(self.config.average)
        for name, array in self.line.parameters().items():
            self.mean[name] += (1 - keep) * (array - self.mean[name])

    def policy(self, card: Card) -> LinePolicy:
        """Return the network that plays."""
        return LinePolicy(network_of(self.weights()), card, threads=self.config.threads)

    def export(self, folder: Path, card: Card) -> None:
        """Write the network, its tables in eight bits a weight."""
        self.policy(card).save(folder / WEIGHTS)

    def save(self, folder: Path, facts: dict[str, Any]) -> None:
        """Write weights, their mean and the trainer's state."""
        tensors: Tensors = {**self.trainer.state(), **self.trainer.visits()}
        for name, array in self.line.parameters().items():
            tensors[f"weights.{name}"] = array
        for name, array in (self.mean or {}).items():
            tensors[f"mean.{name}"] = array
        more = {"positions": self.trainer.positions, "steps": self.trainer.steps}
        save_tensors(folder / STATE, tensors, kind="training", facts={**facts, **more})

    def load(self, folder: Path) -> dict[str, Any]:
        """Go back to what was saved, in place."""
        path = folder / STATE
        kept, facts = load_tensors(path, kind="training")
        own: Tensors = {**self.trainer.state(), **self.trainer.visits()}
        own |= {f"weights.{name}": array for name, array in self.line.parameters().items()}
        own |= {f"mean.{name}": array for name, array in (self.mean or {}).items()}
        for name, array in own.items():
            if name not in kept or kept[name].shape != array.shape:
                raise DataError(f"{path}: {name} is missing or has another shape")
            array[...] = kept[name]
        self.line.refresh()
        self.trainer.positions, self.trainer.steps = int(facts["positions"]), int(facts["steps"])
        return facts
