"""Trains the network of patterns with PyTorch, on all positions of games.

The first pass learns from the results. Before each further pass the network values all positions,
and a target is then mostly made of what later positions of the same game are worth (TD(lambda)):
far less noisy than who won in the end. The final score, and the score under perfect play that the
files record, are further outputs, which only training has. The weights of the lowest held-out error
are exported; if nothing is held out, the last ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from outflank import _core
from outflank.chance import Shuffle, key_of
from outflank.errors import DataError
from outflank.learn.value.cards import check_facts, training_facts
from outflank.learn.value.config import ValueConfig
from outflank.learn.value.convolutional import SCORE, STATE, WEIGHTS
from outflank.learn.value.positions import GamePositions, lambda_returns
from outflank.models import find_network_file
from outflank.nets.files import Tensors, load_tensors, save_tensors
from outflank.nets.network import Card
from outflank.nets.pattern_value import ARCHITECTURE, PatternValue
from outflank.nets.torch.pattern_value import STAGE_EMPTIES, STAGES, PatternModule
from outflank.nets.torch.policy import set_weights, weights_of
from outflank.nets.torch.value import check_numbers

EXACT = "network-exact.safetensors"  # in a run's folder: unrounded, for further training

_WARM_UP = 0.05  # share of the steps in which the learning rate rises
_DISCS = 16.0  # scores are divided by this
_SCALES = np.arange(0.5, 2.01, 0.05)  # that a stage's output may be multiplied by
_ENOUGH = 500  # held-out positions that the scale of a stage needs
_NOW, _BEFORE, _BEST = "now.", "before.", "best."  # weights: of now, before this pass, the best


class PatternTrainer:
    """A network of patterns in training; see outflank.learn.Trainer."""

    score = SCORE

    def __init__(self, config: ValueConfig, positions: GamePositions) -> None:
        self.config, self.positions = config, positions
        torch.set_num_threads(config.threads or torch.get_num_threads())
        self.step = 0
        self.learned = np.flatnonzero(~positions.held_out)
        held_out = np.flatnonzero(positions.held_out)
        every = max(1, math.ceil(len(held_out) / config.evaluate_states))
        self.held_out = held_out[::every]  # of all years
        if config.states:
            self.learned = self.learned[
                Shuffle(len(self.learned), config.split_seed, "states")(
                    np.arange(min(config.states, len(self.learned)))
                )
            ]
        self.batch = min(config.batch, len(self.learned))
        self.steps_per_epoch = max(1, len(self.learned) // self.batch)
        self.longest = max(1, round(config.epochs * self.steps_per_epoch))
        self.steps = self.longest  # fewer once the held-out error has stopped falling
        self.ancestors: list[Card] = []
        self.empties = positions.empties
        with torch.random.fork_rng():
            torch.manual_seed(key_of(config.seed, "weights"))
            self.module = PatternModule(config.channels, config.hidden)
        if config.start:
            self._begin_with(find_network_file(config.start))
        if config.momentum == 1:
            raise DataError("momentum: 1; accepted is less than 1 with network=patterns")
        self.optimiser = torch.optim.Adam(
            self.module.parameters(), config.learning_rate, betas=(config.momentum, 0.99)
        )
        self.before = _copy(weights_of(self.module))
        self.best: Tensors = {}  # until the held-out error is measured for the first time
        self.best_measured: dict[str, Any] = {}  # of these weights, and after which step
        self.waited = 0  # measurements since then
        self._targets: tuple[int, NDArray[np.float32]] = (-1, positions.value)
        self._shuffled: tuple[int, NDArray[np.int64]] = (-1, np.zeros(0, np.int64))
        self.sums = [0.0, 0.0]  # of squared errors and positions since the last measurement

    def _begin_with(self, path: Path) -> None:
        """Take the unrounded weights of a run, or else those of a network for playing."""
        network = PatternValue.load(path)
        self.ancestors.append(network.card)
        exact = path.with_name(EXACT)
        if path.name == WEIGHTS and exact.is_file():
            weights, _ = load_tensors(exact, kind="training")
            check_numbers(weights, exact)
            set_weights(self.module, weights, exact)
        else:
            self.module.take_whole_numbers(network.tensors)

    @property
    def pace(self) -> tuple[int, int]:
        """It measures and saves after each pass, when it also decides whether to stop."""
        return self.steps_per_epoch, self.steps_per_epoch

    @property
    def rate(self) -> float:
        """The learning rate of this step: it rises briefly, then falls like a cosine."""
        done = self.step / self.longest
        rise = min(1.0, (self.step + 1) / max(1.0, _WARM_UP * self.longest))
        return self.config.learning_rate * rise * 0.5 * (1 + math.cos(math.pi * done))

    def train_until(self, step: int) -> Mapping[str, float]:
        """Train until `step`."""
        while self.step < step:
            epoch, number = divmod(self.step, self.steps_per_epoch)
            if number == 0 and self.step:
                self.before = _copy(weights_of(self.module))
            targets = self._targets_of(epoch)
            if self._shuffled[0] != epoch:
                order = Shuffle(len(self.learned), self.config.seed, "epoch", epoch)
                self._shuffled = epoch, order(np.arange(len(self.learned)))
            first = number * self.batch
            self._learn(self.learned[self._shuffled[1][first : first + self.batch]], targets)
            self.step += 1
        self._check_weights()
        return self._means()

    def _check_weights(self) -> None:
        """Stop before weights that are no numbers are rounded, which would hide them."""
        if not all(np.isfinite(array).all() for array in weights_of(self.module).values()):
            raise DataError(
                f"step {self.step}: the weights are no longer numbers; try a lower learning rate"
            )

    @contextmanager
    def _with_weights(self, weights: Tensors) -> Iterator[None]:
        """Give the module other weights for the length of a block."""
        now = _copy(weights_of(self.module))
        set_weights(self.module, weights, "the weights that were kept")
        try:
            yield
        finally:
            set_weights(self.module, now, "the weights of this pass")

    def _targets_of(self, epoch: int) -> NDArray[np.float32]:
        """Return the targets of a pass, by the weights with which it begins."""
        if self._targets[0] != epoch:
            targets = self.positions.value
            if self.config.td_lambda < 1 and (epoch or self.config.start):
                with self._with_weights(self.before):
                    values = self.values(np.arange(len(self.positions)))
                targets = lambda_returns(self.positions, values, self.config.td_lambda)
            self._targets = epoch, targets
        return self._targets[1]

    def values(self, index: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the expected results of some positions, rounded as the core rounds them."""
        return np.tanh(self._outputs(index, self.scales())).astype(np.float32)

    def _outputs(
        self, index: NDArray[np.int64], scales: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Return what the network says of some positions, before the hyperbolic tangent."""
        weights = self.module.whole_numbers(scales)
        evaluation = PatternValue(weights, Card(ARCHITECTURE, "pieces")).evaluation
        own, other = self.positions.own[index], self.positions.other[index]
        white = np.zeros(len(index), np.bool_)
        return evaluation.evaluate(own, other, white, self.config.threads) / evaluation.units

    def scales(self) -> NDArray[np.float64]:
        """Return by what each stage's output must be multiplied to come nearest to the results.

        Learning from one's own values makes a network too cautious; held-out games say how much.
        Stages with few held-out positions stay as they are.
        """
        scales = np.ones(STAGES)
        outputs = self._outputs(self.held_out)
        results = self.positions.value[self.held_out]
        stages = np.minimum(self.empties[self.held_out] // STAGE_EMPTIES, STAGES - 1)
        for stage in range(STAGES):
            here = stages == stage
            if here.sum() >= _ENOUGH:
                errors = [
                    ((np.tanh(scale * outputs[here]) - results[here]) ** 2).mean()
                    for scale in _SCALES
                ]
                scales[stage] = _SCALES[int(np.argmin(errors))]
        return scales

    def _learn(self, index: NDArray[np.int64], targets: NDArray[np.float32]) -> None:
        """Do one step of the optimiser."""
        config, positions = self.config, self.positions
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate
        rows = _core.pattern_rows(positions.own[index], positions.other[index], 1)
        kept = None
        if config.pattern_dropout:
            torch.manual_seed(key_of(config.seed, "dropout", self.step))
            kept = (torch.rand(rows.shape) >= config.pattern_dropout).float()
            kept /= 1 - config.pattern_dropout
        out = self.module(
            torch.from_numpy(rows.astype(np.int64)), torch.from_numpy(self.empties[index]), kept
        )
        error = ((torch.tanh(out[:, 0]) - torch.from_numpy(targets[index])) ** 2).mean()
        loss = error
        for output, weight, scores in (
            (1, config.score_weight, positions.score), (2, config.perfect_weight, positions.perfect)
        ):  # fmt: skip
            if weight:
                loss = loss + weight * _score_error(out[:, output], scores[index])
        self.optimiser.zero_grad(set_to_none=False)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        self.module.limit_rows()
        self.sums[0] += float(error.detach()) * len(index)
        self.sums[1] += len(index)

    def _means(self) -> dict[str, float]:
        total, count = self.sums
        return {"loss": total / count} if count else {}

    def measure(self) -> Mapping[str, Any]:
        """Measure on positions of held-out games; stop if nothing has improved for some passes."""
        found: dict[str, Any] = {
            "epoch": round(self.step / self.steps_per_epoch, 4), "rate": self.rate, **self._means()
        }  # fmt: skip
        self.sums = [0.0, 0.0]
        if not len(self.held_out):
            return found
        results = self.positions.value[self.held_out]
        error = float(((self.values(self.held_out) - results) ** 2).mean())
        variance = float((results**2).mean())
        lowest = self.best_measured.get("held_out_error", math.inf)
        explained = 1 - error / variance if variance else 0.0
        found |= {"held_out_error": error, "lowest_error": min(error, lowest), SCORE: explained}
        if error < lowest:
            self.best, self.waited = _copy(weights_of(self.module)), 0
            self.best_measured = {"step": self.step, **found}
        else:
            self.waited += 1
            if self.config.patience and self.waited >= self.config.patience:
                self.steps = self.step
        return found

    def card(self, measured: Mapping[str, Any], step: int) -> Card:
        """Return the card of the network as it was after a step."""
        training = training_facts(
            self.config, self.positions.facts, step, self.steps, self.ancestors
        )
        return Card(ARCHITECTURE, "pieces", "", training, dict(measured))

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the best weights so far, for playing, and unrounded for further training.

        Before the first measurement of held-out positions, the weights are those of now.
        """
        if not self.best:
            self._export_weights(folder, self.card(measured, self.step))
            return
        measured = {**measured, **self.best_measured}
        with self._with_weights(self.best):
            self._export_weights(folder, self.card(measured, measured["step"]))

    def _export_weights(self, folder: Path, card: Card) -> None:
        PatternValue(self.module.whole_numbers(self.scales()), card).save(folder / WEIGHTS)
        save_tensors(folder / EXACT, weights_of(self.module), kind="training", facts={})

    def save(self, folder: Path) -> None:
        """Write the weights (now, before the pass and the best) and the optimiser's state."""
        state: Tensors = {_NOW + name: one for name, one in weights_of(self.module).items()}
        state |= {_BEFORE + name: one for name, one in self.before.items()}
        state |= {_BEST + name: one for name, one in self.best.items()}
        for number, parameter in enumerate(self.module.parameters()):
            for name, value in self.optimiser.state.get(parameter, {}).items():
                state[f"adam.{number}.{name}"] = value.detach().numpy()
        facts = {
            "step": self.step, "steps": self.steps, "waited": self.waited, "sums": self.sums,
            "best": self.best_measured, "config": self.config.to_json(),
            "data": self.positions.facts,
        }  # fmt: skip
        save_tensors(folder / STATE, state, kind="training", facts=facts)

    def load(self, folder: Path) -> None:
        """Restore what was saved.

        Checkpoints of older runs lack the best weights: then only the passes to come are compared.
        """
        state, facts = load_tensors(folder / STATE, kind="training")
        check_facts(folder, facts, self.config, self.positions.facts)
        check_numbers(state, folder / STATE)
        set_weights(self.module, _part(state, _NOW), folder / STATE)
        self.before, self.best = _part(state, _BEFORE), _part(state, _BEST)
        self.best_measured = dict(facts.get("best", {}))
        for number, parameter in enumerate(self.module.parameters()):
            moments = _part(state, f"adam.{number}.")
            if moments:
                self.optimiser.state[parameter] = {
                    name: torch.from_numpy(array.copy()) for name, array in moments.items()
                }
        self.step, self.sums = int(facts["step"]), list(facts["sums"])
        self.steps = int(facts.get("steps", self.longest))
        self.waited = int(facts.get("waited", 0))


def _score_error(found: Tensor, scores: NDArray[np.float32]) -> Tensor:
    """Return the mean squared error of scores that are known."""
    known = torch.from_numpy(np.isfinite(scores))
    wanted = torch.from_numpy(np.nan_to_num(scores) / np.float32(_DISCS))
    return (((found - wanted) ** 2) * known).sum() / known.sum().clamp(min=1)


def _part(tensors: Tensors, prefix: str) -> Tensors:
    return {
        name.removeprefix(prefix): array
        for name, array in tensors.items()
        if name.startswith(prefix)
    }


def _copy(weights: Tensors) -> Tensors:
    return {name: array.copy() for name, array in weights.items()}
