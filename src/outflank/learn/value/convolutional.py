"""Trains Ng's convolutional value networks: the core takes the steps, PyTorch measures and exports.

All randomness comes from (seed, step), so there is no random state to keep.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from outflank import _core
from outflank.chance import Shuffle, key_of
from outflank.data.encodings import find_encoding
from outflank.errors import DataError
from outflank.learn.value.cards import check_facts, training_facts
from outflank.learn.value.config import ValueConfig
from outflank.learn.value.material import Material
from outflank.learn.value.sets import States
from outflank.models import find_network_file, load_network
from outflank.nets.files import Tensors, load_tensors, load_weights, save_tensors
from outflank.nets.network import Card
from outflank.nets.onnx_policy import VALUE
from outflank.nets.torch.export import export_onnx, weights_in_onnx
from outflank.nets.torch.policy import save_module, set_weights, to_array, weights_of
from outflank.nets.torch.value import (
    ARCHITECTURE,
    ValueShape,
    build,
    check_numbers,
    squared_errors,
)

WEIGHTS, STATE, MODEL = "network.safetensors", "training.safetensors", "network.onnx"
SCORE = "explained"  # the share of the results' variance that the network explains

_BEST, _MOMENTUM = "best.", "momentum."
_AT_ONCE = 250  # states of one call of the core, between which an interrupt is heard


def _descent(config: ValueConfig, planes: int) -> _core.ValueDescent:
    """Return what takes the steps of a network, all of whose weights are zero."""
    try:
        return _core.ValueDescent(
            planes=planes,
            conv_layers=config.conv_layers,
            maps=config.maps,
            dense_layers=config.dense_layers,
            nodes=config.nodes,
            conv_dropout=config.conv_dropout,
            dense_dropout=config.dense_dropout,
            momentum=config.momentum,
            max_norm=config.max_norm,
            seed=key_of(config.seed, "dropout"),
        )
    except ValueError as error:
        raise DataError(f"{error}; try fewer nodes or layers") from None


class ConvolutionalTrainer:
    """A convolutional network in training; see outflank.learn.Trainer."""

    score = SCORE

    def __init__(self, config: ValueConfig, material: Material) -> None:
        self.config, self.material = config, material
        self.step = 0
        self.steps_per_epoch = math.ceil(len(material.training) / config.batch)
        self.longest = max(1, round(config.epochs * self.steps_per_epoch))
        self.steps = self.longest  # fewer once the held-out error has stopped falling
        self.ancestors: list[Card] = []
        torch.set_num_threads(config.threads or torch.get_num_threads())
        self.encoding = find_encoding(config.features)
        self.planes, self.values = self._tensors(material.training)
        self.held_out = self._tensors(material.held_out)
        self.descent = _descent(config, len(self.encoding.planes))
        with torch.random.fork_rng():
            torch.manual_seed(key_of(config.seed, "weights"))
            self.module = build(
                ValueShape(
                    len(self.encoding.planes),
                    config.conv_layers,
                    config.maps,
                    config.dense_layers,
                    config.nodes,
                )
            )
        if config.start:
            self._begin_with(find_network_file(config.start))
        self._show_weights()
        self.best: Tensors = weights_of(self.module)
        self.lowest, self.waited = math.inf, 0  # held-out error, and epochs since it was found
        if config.start and len(material.held_out):
            self._keep(self._error())  # so that no network worse than this one is exported
        self._shuffled: tuple[int, NDArray[np.int64]] = (-1, np.zeros(0, np.int64))
        self.sums = [0.0, 0.0]  # of squared errors and states since the last measurement

    def _tensors(self, states: States) -> tuple[Tensor, Tensor]:
        """Return planes as int8[n, planes, 8, 8], which hold all features, and values."""
        parts = [np.zeros((0, len(self.encoding.planes), 8, 8), np.int8)]
        for start in range(0, len(states), 1 << 14):
            boards = states.take(slice(start, start + (1 << 14))).boards()
            parts.append(self.encoding.encode(boards, threads=1).astype(np.int8))
        return torch.from_numpy(np.concatenate(parts)), torch.from_numpy(np.array(states.value))

    def _begin_with(self, path: Path) -> None:
        """Take the weights of a .safetensors file, or of the .onnx file where there is no other."""
        trained = path.with_suffix(".safetensors")
        if trained.is_file():
            weights, card = load_weights(trained)
        else:
            weights = weights_in_onnx(path, self.module)
            card = load_network(path).card
        if card.encoding != self.config.features:
            raise DataError(
                f"{path}: was trained with {card.encoding}; features are {self.config.features}"
            )
        check_numbers(weights, path)
        set_weights(self.module, weights, path)
        self.ancestors.append(card)

    @property
    def pace(self) -> tuple[int, int]:
        """It measures and saves after each epoch, when it also decides whether to stop."""
        return self.steps_per_epoch, self.steps_per_epoch

    @property
    def rate(self) -> float:
        """The learning rate of this step."""
        return self.config.learning_rate / (1 + self.config.rate_decay * self.step)

    def train_until(self, step: int) -> Mapping[str, float]:
        """Train until `step`."""
        while self.step < step:
            epoch, number = divmod(self.step, self.steps_per_epoch)
            batch = self.config.batch
            steps = min(step - self.step, self.steps_per_epoch - number, max(1, _AT_ONCE // batch))
            index = self._order(epoch)[number * batch : (number + steps) * batch]
            self.sums[0] += self.descent.train(
                self.planes.numpy(), self.values.numpy(), index,
                batch=batch, rates=self._rates(steps), first=self.step,
            )  # fmt: skip
            self.sums[1] += len(index)
            self.step += steps
        return self._means()

    def _rates(self, steps: int) -> NDArray[np.float32]:
        """Return the learning rates of the next steps."""
        numbers = np.arange(self.step, self.step + steps)
        rates = self.config.learning_rate / (1 + self.config.rate_decay * numbers)
        return rates.astype(np.float32)

    def _order(self, epoch: int) -> NDArray[np.int64]:
        """Return the order of the states in an epoch; the last one asked for is kept."""
        if self._shuffled[0] != epoch:
            size = len(self.values)
            order = Shuffle(size, self.config.seed, "epoch", epoch)(np.arange(size))
            self._shuffled = epoch, order.astype(np.int64)
        return self._shuffled[1]

    def _show_weights(self) -> None:
        """Give the module's weights to the core."""
        parts = [to_array(parameter).ravel() for parameter in self.module.parameters()]
        self.descent.set_weights(np.concatenate(parts))

    def _take_weights(self) -> None:
        """Give the core's weights to the module."""
        with torch.no_grad():
            for parameter, part in zip(
                self.module.parameters(), self._parts(self.descent.weights()), strict=True
            ):
                parameter.copy_(torch.from_numpy(part))

    def _parts(self, numbers: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return what belongs to each parameter, in its shape."""
        shapes = [tuple(parameter.shape) for parameter in self.module.parameters()]
        ends = np.cumsum([math.prod(shape) for shape in shapes])
        return [
            part.reshape(shape)
            for part, shape in zip(np.split(numbers, ends[:-1]), shapes, strict=True)
        ]

    def _means(self) -> dict[str, float]:
        total, count = self.sums
        return {"loss": total / count} if count else {}

    def measure(self) -> Mapping[str, Any]:
        """Measure on the held-out states; stop if nothing has improved for some epochs."""
        self._take_weights()
        found: dict[str, Any] = {
            "epoch": round(self.step / self.steps_per_epoch, 4), "rate": self.rate, **self._means()
        }  # fmt: skip
        self.sums = [0.0, 0.0]
        _, values = self.held_out
        if not len(values):
            self.best = weights_of(self.module)
            return found
        error = self._error()
        if error < self.lowest:
            self._keep(error)
        else:
            self.waited += 1
            if self.config.patience and self.waited >= self.config.patience:
                self.steps = self.step
        variance = float((values**2).mean())
        explained = 1 - error / variance if variance else 0.0
        return {**found, "held_out_error": error, "lowest_error": self.lowest, SCORE: explained}

    def _error(self) -> float:
        """Return the mean squared error on the held-out states, of which there must be some."""
        error = float(squared_errors(self.module, *self.held_out).mean())
        if not math.isfinite(error):
            raise DataError(f"step {self.step}: values are no numbers; try a lower learning rate")
        return error

    def _keep(self, error: float) -> None:
        """Keep the weights as they are: they have the lowest held-out error so far."""
        self.lowest, self.waited = error, 0
        self.best = {name: array.copy() for name, array in weights_of(self.module).items()}

    def card(self, measured: Mapping[str, Any]) -> Card:
        """Return the card of the network as it is now."""
        training = training_facts(
            self.config, self.material.facts, self.step, self.steps, self.ancestors
        )
        return Card(ARCHITECTURE, self.config.features, "", training, dict(measured))

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the weights of the lowest held-out error so far, and as .onnx for playing."""
        self._take_weights()
        now = {name: array.copy() for name, array in weights_of(self.module).items()}
        set_weights(self.module, self.best, folder / WEIGHTS)
        try:
            card = self.card(measured)
            save_module(folder / WEIGHTS, self.module, card)
            export_onnx(folder / MODEL, self.module, card, (VALUE,))
        finally:
            set_weights(self.module, now, folder / WEIGHTS)

    def save(self, folder: Path) -> None:
        """Write weights, the best weights, the momentum and the sums."""
        self._take_weights()
        save_module(folder / WEIGHTS, self.module, self.card({}))
        state: Tensors = {_BEST + name: array for name, array in self.best.items()}
        for number, part in enumerate(self._parts(self.descent.momentum())):
            state[f"{_MOMENTUM}{number}"] = part
        facts = {
            "step": self.step, "steps": self.steps, "waited": self.waited, "sums": self.sums,
            "lowest": self.lowest if math.isfinite(self.lowest) else None,
            "config": self.config.to_json(), "data": self.material.facts,
        }  # fmt: skip
        save_tensors(folder / STATE, state, kind="training", facts=facts)

    def load(self, folder: Path) -> None:
        """Restore what was saved."""
        weights, _ = load_tensors(folder / WEIGHTS, kind="network")
        check_numbers(weights, folder / WEIGHTS)
        set_weights(self.module, weights, folder / WEIGHTS)
        state, facts = load_tensors(folder / STATE, kind="training")
        check_facts(folder, facts, self.config, self.material.facts)
        self.best = {
            name.removeprefix(_BEST): array
            for name, array in state.items()
            if name.startswith(_BEST)
        }
        self._show_weights()
        count = len(list(self.module.parameters()))
        momentum = [state[f"{_MOMENTUM}{number}"].ravel() for number in range(count)]
        self.descent.set_momentum(np.concatenate(momentum))
        self.step, self.steps = int(facts["step"]), int(facts["steps"])
        self.waited, self.sums = int(facts["waited"]), list(facts["sums"])
        self.lowest = math.inf if facts["lowest"] is None else float(facts["lowest"])
