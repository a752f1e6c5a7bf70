"""Trains the line network in the compiled core, on the processor.

Mirror images are the same to this network, so it learns from distinct positions: how often each
move was played there, and how the games ended.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank._core import LineNetwork, LineTrainer
from outflank.chance import Shuffle, draws
from outflank.data.positions import group_by_position
from outflank.errors import DataError
from outflank.learn.imitation.config import ImitationConfig
from outflank.learn.imitation.lessons import Lessons
from outflank.learn.imitation.material import Material
from outflank.learn.imitation.trainer import STATE, WEIGHTS, ImitationTrainer
from outflank.learn.team import Team
from outflank.models import find_network_file
from outflank.nets.files import Tensors, load_tensors, save_tensors
from outflank.nets.growing import begin_with
from outflank.nets.line import LinePolicy, Ties
from outflank.nets.network import legal_probabilities
from outflank.othello.boards import Boards

_MEANS = ("policy_loss", "value_loss", "accuracy")
_WHOLE = 65535  # a teacher's share of 1, as it is kept
_MOMENTUM = 0.9  # the first beta of the core's Adam


def make_trainer(config: ImitationConfig, material: Material, team: Team) -> LineImitation:
    """Make a trainer with fresh weights."""
    if team.size > 1:
        raise DataError("the line network is trained by one process, on all of its cores")
    if config.optimiser != "adamw":
        raise DataError(f"optimiser: {config.optimiser}; a line network has adamw (preset line)")
    if config.momentum != _MOMENTUM:
        raise DataError(f"momentum: {config.momentum:g}; a line network has {_MOMENTUM:g}")
    if config.start and config.table_decay:
        raise DataError(
            "table_decay: leads to where a network started, which is not known of one that "
            "training begins with (start)"
        )
    return LineImitation(config, material)


class LineImitation(ImitationTrainer):
    """A line network in training."""

    def __init__(self, config: ImitationConfig, material: Material) -> None:
        super().__init__(config, material)
        examples = material.training.part.distinct()  # mirror images are the same to this network
        self.ties = Ties.gather(examples.own, examples.other, examples.move, examples.count)
        if config.distinct:  # each pair of board and move once, however often it occurred
            examples = dataclasses.replace(examples, count=np.ones_like(examples.count))
        self.positions = group_by_position(examples)
        weight = self.positions.count.astype(np.float32) ** np.float32(config.repeats)
        self.weight = weight / weight.mean()
        self.from_games = len(self.positions)  # how many positions are from games; lessons follow
        if self.teacher is not None:
            self.opinions = np.zeros((self.from_games, 64), np.uint16)  # shares of _WHOLE
            self.asked = np.zeros(self.from_games, np.bool_)
        if config.lessons:
            lessons = Lessons.load(config.lessons)
            self.positions = self.positions.and_also(lessons.positions)
            more = np.float32(config.lessons_weight) * lessons.weight
            self.weight = np.concatenate([self.weight, more])
        self.steps_per_epoch = max(1, len(self.positions) // config.batch)
        self.steps = max(1, round(config.passes * self.steps_per_epoch))
        self._forget_means()
        self._start()

    def _start(self) -> None:
        config = self.config
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
            smoothing=config.label_smoothing,
            dense_decay=config.l2,
            table_decay=config.table_decay,
            row_floor=config.row_floor,
            back_off=config.back_off,
            line_dropout=config.line_dropout,
            pattern_dropout=config.pattern_dropout,
            channel_dropout=config.channel_dropout,
        )

    def train_until(self, step: int) -> Mapping[str, float]:
        """Train until `step`."""
        config = self.config
        size = min(config.batch, len(self.positions))
        while self.step < step:
            epoch, number = divmod(self.step, self.steps_per_epoch)
            order = Shuffle(len(self.positions), config.seed, "epoch", epoch)
            index = order(np.arange(number * size, (number + 1) * size))
            if config.bootstrap:  # the same sample in every epoch: drawn once, then shuffled
                index = draws(index, len(self.positions), config.seed, "bootstrap")
            rate = self.rate
            found = self.trainer.step(
                self.positions.own[index],
                self.positions.other[index],
                policy=self._targets(index),
                value=self.positions.value[index],
                weight=self.weight[index],
                rates=(rate, rate * config.line_rate, rate * config.move_rate),
                threads=config.threads,
            )
            for name in _MEANS:
                self.sums[name] += found[name]
            self.summed += 1
            self.step += 1
        return self._means()

    def _targets(self, index: NDArray[np.integer]) -> NDArray[np.float32]:
        """Return the shares of the moves of some positions, mixed with the teacher's.

        The teacher is asked once about each position of the games. It is not asked about lessons,
        which a search has judged.
        """
        targets = self.positions.policies(index)
        if self.teacher is None:
            return targets
        of_games = index < self.from_games
        games = index[of_games]
        new = games[~self.asked[games]]
        own, other = self.positions.own[new], self.positions.other[new]
        boards = Boards(own, other, np.zeros(len(new), np.bool_))
        shares = legal_probabilities(boards, self.teacher.predict(boards))
        self.opinions[new] = np.rint(_WHOLE * shares)
        self.asked[new] = True
        opinions = self.opinions[games].astype(np.float32)
        opinions /= opinions.sum(axis=1, keepdims=True)  # they were rounded
        targets[of_games] = self._mixed(targets[of_games], opinions)
        return targets

    def _means(self) -> dict[str, float]:
        if not self.summed:
            return {}
        means = {name: total / self.summed for name, total in self.sums.items()}
        return {"loss": means.pop("policy_loss"), **means}

    def _forget_means(self) -> None:
        self.sums = dict.fromkeys(_MEANS, 0.0)
        self.summed = 0

    @contextmanager
    def _as_it_plays(self) -> Iterator[None]:
        """Bring the decay of all rows up to date, temporarily.

        Rows decay when they are next used. Decay in two steps rounds differently from decay in one,
        so the rows are restored afterwards: a measurement must not change the training.
        """
        if not self.config.table_decay:
            yield
            return
        arrays = {**self.line.parameters(), **self._state()}
        kept, clock = {name: array.copy() for name, array in arrays.items()}, self.trainer.clock
        self.trainer.settle()
        try:
            yield
        finally:
            for name, array in arrays.items():
                array[...] = kept[name]
            self.trainer.clock = clock
            self.line.refresh()

    @property
    def data(self) -> dict[str, Any]:
        """What it learns from; lessons are among the positions."""
        return {**self.material.facts, "positions": len(self.positions)}

    def network(self) -> LinePolicy:
        """Return the network, which changes as training continues."""
        return self._policy({})

    def _policy(self, measured: Mapping[str, Any]) -> LinePolicy:
        return LinePolicy(
            self.line, self.card(measured), ties=self.ties, threads=self.config.threads
        )

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the network for playing, in eight bits a weight."""
        with self._as_it_plays():
            self._policy(measured).save(folder / WEIGHTS)

    def save(self, folder: Path) -> None:
        """Write weights, the trainer's state and the sums."""
        self._policy({}).save(folder / WEIGHTS, quantised=False)
        facts = {
            **self._facts(),
            "positions": self.trainer.positions,
            "clock": self.trainer.clock,
            "sums": self.sums,
            "summed": self.summed,
        }
        save_tensors(folder / STATE, self._state(), kind="training", facts=facts)

    def _state(self) -> Tensors:
        """Return the trainer's state, as views of its own memory."""
        return {**self.trainer.state(), **self.trainer.visits()}

    def load(self, folder: Path) -> None:
        """Restore what was saved, in place."""
        state, facts = load_tensors(folder / STATE, kind="training")
        self._check_facts(folder / STATE, facts)
        weights, _ = load_tensors(folder / WEIGHTS, kind="network")
        for path, own, kept in (
            (folder / WEIGHTS, self.line.parameters(), weights),
            (folder / STATE, self._state(), state),
        ):
            for name, array in own.items():
                if name not in kept or kept[name].shape != array.shape:
                    raise DataError(f"{path}: {name} is missing or has another shape")
                array[...] = kept[name]
        self.line.refresh()
        self.step = self.trainer.steps = int(facts["step"])
        self.trainer.positions = int(facts["positions"])
        self.trainer.clock = float(facts["clock"])
        self.sums = {name: float(total) for name, total in facts["sums"].items()}
        self.summed = int(facts["summed"])
