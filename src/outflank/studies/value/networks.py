"""The networks of Ng's tables, and how far they are trained at each scale."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outflank.chance import Shuffle
from outflank.files import read_bytes
from outflank.learn.run import Run
from outflank.learn.session import train_run
from outflank.learn.status import read_status
from outflank.learn.value.config import ValueConfig
from outflank.learn.value.learner import LEARNER
from outflank.learn.value.sets import Games, States, gather_games, parse_sets
from outflank.learn.value.testing import measure_values
from outflank.models import load_network
from outflank.nets import PolicyNetwork
from outflank.players import Spec
from outflank.studies.contender import shipped
from outflank.studies.estimate import Estimate
from outflank.studies.workbench import TrainingListener, Workbench, run_name

BORDER, CORNER, MOVES = "raw+border", "raw+corner", "raw+corner+freemove"


@dataclass(frozen=True)
class ValueEffort:
    """How far networks are trained at a scale; 0 and empty mean as in the paper.

    Attributes:
        states: To train on, of each set that a network learns from; 0: all.
        batch: States in a step.
        learning_rate: Raised with the batch.
        epochs: Most passes.
        patience: Epochs without a lower held-out error.
        narrow: Divides the units of fully connected layers.
        trainings: Of each network, which differ in their seeds. Ng trained each once.
        test_states: Of each set to test with, chosen at random; 0: all.
        tests: Sets to test with: the first that a network has not learned from.
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
    tests: int = 6
    years: str = "1977-2015"
    unseen: str = "2016-2020"

    def config(self, changes: dict[str, Any], years: str, seed: int = 1) -> ValueConfig:
        """Return how a network of a table is trained at this scale."""
        nodes = int(changes.get("nodes", 512)) // self.narrow
        sets = len(parse_sets(changes.get("sets", ValueConfig.sets)))
        fields = {
            "years": years, "states": sets * self.states, "batch": self.batch,
            "epochs": self.epochs, "learning_rate": self.learning_rate, "patience": self.patience,
            "decay": 0.001 / 500 if self.batch == 5 else 0.0,
        }  # fmt: skip
        return ValueConfig.from_json({**fields, **changes, "nodes": nodes, "seed": seed})


EFFORTS = {
    "smoke": ValueEffort(
        states=200, batch=20, learning_rate=0.01, epochs=1.0, patience=0, narrow=32, trainings=2,
        test_states=100, tests=2, years="", unseen="",
    ),
    "laptop": ValueEffort(
        states=30_000, batch=50, learning_rate=0.01, epochs=30.0, patience=3, narrow=2, trainings=2,
        test_states=20_000,
    ),
    "paper": ValueEffort(trainings=2),
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
    bench.sources.seeds.add(config.seed)
    folder = bench.folder / "runs" / run_name(config, "value", _identity(bench, config))
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


def _identity(bench: Workbench, config: ValueConfig) -> str:
    """Return what tells the games that a network learns from from others."""
    if config.games:
        return hashlib.sha256(read_bytes(Path(config.games))).hexdigest()
    return bench.games_identity()


def note_shipped(bench: Workbench, specs: Iterable[str]) -> None:
    """Note which shipped networks take part as players."""
    players = [Spec.parse(spec) for spec in specs]
    asked = {name for player in players for name in (player.argument, *player.options.values())}
    for network in shipped(""):
        if network.name in asked:
            bench.uses(network)


def games_of(bench: Workbench, years: str) -> Games:
    """Return the games that sets are drawn from."""
    return gather_games(bench.years or years, wthor=bench.wthor)


def sets_to_test(config: ValueConfig, tests: int) -> list[int]:
    """Return the first sets that a network has not learned from."""
    learned = parse_sets(config.sets)
    return [n for n in range(1, len(learned) + tests + 1) if n not in learned][:tests]


def some_of(states: States, at_most: int) -> States:
    """Return some states, chosen at random; 0: all."""
    if not 0 < at_most < len(states):
        return states
    chosen = Shuffle(len(states), "states to test with")(np.arange(at_most))
    return states.take(np.sort(chosen))


def error_on(network: PolicyNetwork, states: States) -> Estimate:
    """Return a network's mean squared error with its interval."""
    found = measure_values(network, states)
    low, high = found.mse - found.margin, found.mse + found.margin
    return Estimate(found.mse, low, high, found.examples)
