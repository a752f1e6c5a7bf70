"""The networks of Ng's tables, and how far they are trained at each scale."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.learn.run import Run
from outflank.learn.session import train_run
from outflank.learn.status import read_status
from outflank.learn.value.config import ValueConfig
from outflank.learn.value.learner import LEARNER
from outflank.learn.value.sets import Games, gather_games
from outflank.learn.value.testing import squared_errors
from outflank.models import load_network
from outflank.nets import PolicyNetwork
from outflank.studies.estimate import Estimate
from outflank.studies.workbench import TrainingListener, Workbench, run_name

BORDER, CORNER, MOVES = "raw+border", "raw+corner", "raw+corner+freemove"
_NORMAL_95 = 1.96


@dataclass(frozen=True)
class ValueEffort:
    """How far networks are trained at a scale; 0 and empty mean as in the paper.

    Attributes:
        states: To train on; 0: all.
        batch: States in a step.
        learning_rate: Raised with the batch.
        epochs: Most passes.
        patience: Epochs without a lower held-out error.
        narrow: Divides the units of fully connected layers.
        trainings: Of each network, which differ in their seeds.
        test_states: Of each set to test with; 0: all.
        sets: Of states to test with, besides set 1.
        years: Of the games; about those that Ng's program had. Empty: all.
        unseen: Years of games that no set contains; empty: not tested.
    """

    states: int = 0
    batch: int = 5
    learning_rate: float = 0.001
    epochs: float = 500.0
    patience: int = 5
    narrow: int = 1
    trainings: int = 1
    test_states: int = 0
    sets: tuple[int, ...] = (2, 3, 4, 5, 6, 7)
    years: str = "1977-2015"
    unseen: str = "2016-2020"

    def config(self, changes: dict[str, Any], years: str, seed: int = 1) -> ValueConfig:
        """Return how a network of a table is trained at this scale."""
        nodes = int(changes.get("nodes", 512)) // self.narrow
        fields = {
            "years": years, "states": self.states, "batch": self.batch, "epochs": self.epochs,
            "learning_rate": self.learning_rate, "patience": self.patience,
            "decay": 0.001 / 500 if self.batch == 5 else 0.0,
        }  # fmt: skip
        return ValueConfig.from_json({**fields, **changes, "nodes": nodes, "seed": seed})


EFFORTS = {
    "smoke": ValueEffort(
        states=200, batch=20, learning_rate=0.01, epochs=1.0, patience=0, narrow=32, trainings=2,
        test_states=100, sets=(2, 3), years="", unseen="",
    ),
    "laptop": ValueEffort(
        states=30_000, batch=50, learning_rate=0.01, epochs=30.0, patience=3, narrow=2, trainings=2,
        test_states=20_000,
    ),
    "paper": ValueEffort(),
}  # fmt: skip


def dense(nodes: int, dropout: float, features: str, **more: Any) -> dict[str, Any]:
    """Return what a network of a table changes of network 13."""
    return {
        "nodes": nodes, "conv_dropout": dropout, "dense_dropout": dropout, "features": features,
        **more,
    }  # fmt: skip


@dataclass(frozen=True)
class Trained:
    """A network that a study trained, and where."""

    folder: Path
    config: ValueConfig
    metrics: dict[str, Any]

    def load(self) -> PolicyNetwork:
        """Load it."""
        return load_network(str(self.folder))


def train_network(bench: Workbench, name: str, config: ValueConfig) -> Trained:
    """Train a network to its end, or take the one that was; that may take hours."""
    folder = bench.folder / "runs" / run_name(config, "value", bench.games_identity())
    watch = TrainingListener(bench.listener, f"network {name}")
    options = {"wthor": bench.wthor}
    if not (folder / "config.json").is_file():
        ending = train_run(LEARNER, folder, config, options=options, observers=[watch])
    elif read_status(folder).state != "finished":
        ending = train_run(LEARNER, folder, None, options=options, observers=[watch])
    else:
        return Trained(folder, config, (Run.open(folder).metrics() or [{}])[-1])
    if not ending.finished:
        raise KeyboardInterrupt
    watch.end_if_asked()
    return Trained(folder, config, dict(ending.metrics))


def games_of(bench: Workbench, years: str) -> Games:
    """Return the games that sets are drawn from."""
    return gather_games(bench.years or years, wthor=bench.wthor)


def errors_on(
    network: PolicyNetwork, games: Games, number: int, at_most: int
) -> NDArray[np.float64]:
    """Return the squared errors of a network on a set."""
    states = games.sets([number])
    if at_most:
        states = states.take(slice(at_most))
    return squared_errors(network, states)


def estimate(errors: NDArray[np.float64]) -> Estimate:
    """Return the mean of squared errors with its interval."""
    value = float(errors.mean())
    margin = _NORMAL_95 * float(errors.std()) / max(1.0, np.sqrt(len(errors)))
    return Estimate(value, value - margin, value + margin, len(errors))
