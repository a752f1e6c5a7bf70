"""Trains Ng's convolutional value networks with PyTorch, on the processor.

All randomness comes from (seed, step), so there is no random state to keep.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

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
    limit_norms,
    squared_errors,
)

WEIGHTS, STATE, MODEL = "network.safetensors", "training.safetensors", "network.onnx"
SCORE = "explained"  # the share of the results' variance that the network explains

_BEST, _MOMENTUM = "best.", "momentum."


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
        with torch.random.fork_rng():
            torch.manual_seed(key_of(config.seed, "weights"))
            self.module = build(
                ValueShape(
                    len(self.encoding.planes),
                    config.conv_layers,
                    config.maps,
                    config.dense_layers,
                    config.nodes,
                    config.conv_dropout,
                    config.dense_dropout,
                )
            )
        if config.start:
            self._begin_with(find_network_file(config.start))
        self.optimiser = torch.optim.SGD(
            self.module.parameters(), config.learning_rate, config.momentum
        )
        self.best: Tensors = weights_of(self.module)
        self.lowest, self.waited = math.inf, 0  # held-out error, and epochs since it was found
        self._shuffled: tuple[int, Tensor] = (-1, torch.zeros(0))
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
        self.module.train()
        while self.step < step:
            epoch, number = divmod(self.step, self.steps_per_epoch)
            first = number * self.config.batch
            self._learn(self._order(epoch)[first : first + self.config.batch])
            self.step += 1
        return self._means()

    def _order(self, epoch: int) -> Tensor:
        """Return the order of the states in an epoch; the last one asked for is kept."""
        if self._shuffled[0] != epoch:
            size = len(self.values)
            order = Shuffle(size, self.config.seed, "epoch", epoch)(np.arange(size))
            self._shuffled = epoch, torch.from_numpy(order)
        return self._shuffled[1]

    def _learn(self, index: Tensor) -> None:
        """Do one step of the optimiser."""
        config = self.config
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate
        if config.conv_dropout or config.dense_dropout:
            torch.manual_seed(key_of(config.seed, "dropout", self.step))
        found = self.module(self.planes[index].float()).view(-1)
        loss = functional.mse_loss(found, self.values[index])
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        if config.max_norm:
            limit_norms(self.module, config.max_norm)
        self.sums[0] += float(loss.detach()) * len(index)
        self.sums[1] += len(index)

    def _means(self) -> dict[str, float]:
        total, count = self.sums
        return {"loss": total / count} if count else {}

    def measure(self) -> Mapping[str, Any]:
        """Measure on the held-out states; stop if nothing has improved for some epochs."""
        found: dict[str, Any] = {
            "epoch": round(self.step / self.steps_per_epoch, 4), "rate": self.rate, **self._means()
        }  # fmt: skip
        self.sums = [0.0, 0.0]
        planes, values = self.held_out
        if not len(values):
            self.best = weights_of(self.module)
            return found
        error = float(squared_errors(self.module, planes, values).mean())
        if not math.isfinite(error):
            raise DataError(f"step {self.step}: values are no numbers; try a lower learning rate")
        if error < self.lowest:
            self.lowest, self.waited = error, 0
            self.best = {name: array.copy() for name, array in weights_of(self.module).items()}
        else:
            self.waited += 1
            if self.config.patience and self.waited >= self.config.patience:
                self.steps = self.step
        variance = float((values**2).mean())
        explained = 1 - error / variance if variance else 0.0
        return {**found, "held_out_error": error, "lowest_error": self.lowest, SCORE: explained}

    def card(self, measured: Mapping[str, Any]) -> Card:
        """Return the card of the network as it is now."""
        training = training_facts(
            self.config, self.material.facts, self.step, self.steps, self.ancestors
        )
        return Card(ARCHITECTURE, self.config.features, "", training, dict(measured))

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the weights of the lowest held-out error so far, and as .onnx for playing."""
        now = {name: array.copy() for name, array in weights_of(self.module).items()}
        set_weights(self.module, self.best, folder / WEIGHTS)
        try:
            card = self.card(measured)
            save_module(folder / WEIGHTS, self.module, card)
            export_onnx(folder / MODEL, self.module, card, (VALUE,))
        finally:
            set_weights(self.module, now, folder / WEIGHTS)

    def save(self, folder: Path) -> None:
        """Write weights, the best weights, the optimiser's state and the sums."""
        save_module(folder / WEIGHTS, self.module, self.card({}))
        state: Tensors = {_BEST + name: array for name, array in self.best.items()}
        for number, parameter in enumerate(self.module.parameters()):
            momentum = self.optimiser.state.get(parameter, {}).get("momentum_buffer")
            if momentum is not None:
                state[f"{_MOMENTUM}{number}"] = to_array(momentum)
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
        for number, parameter in enumerate(self.module.parameters()):
            if f"{_MOMENTUM}{number}" in state:
                buffer = torch.from_numpy(state[f"{_MOMENTUM}{number}"].copy())
                self.optimiser.state[parameter]["momentum_buffer"] = buffer
        self.step, self.steps = int(facts["step"]), int(facts["steps"])
        self.waited, self.sums = int(facts["waited"]), list(facts["sums"])
        self.lowest = math.inf if facts["lowest"] is None else float(facts["lowest"])
