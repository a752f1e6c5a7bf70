"""Trains the convolutional networks with PyTorch: on the processor, a GPU, or several of them.

It reads from top to bottom: the trainer is set up, does steps, measures, is saved and loaded. All
randomness comes from (seed, step), so there is no random state to keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

from outflank import _core
from outflank.chance import key_of
from outflank.data.encodings import CLASS_OF_SQUARE, SQUARE_OF_CLASS, find_encoding
from outflank.data.examples import Examples
from outflank.errors import DataError
from outflank.learn.imitation.config import ImitationConfig
from outflank.learn.imitation.material import Material
from outflank.learn.imitation.trainer import STATE, WEIGHTS, ImitationTrainer
from outflank.learn.optimisers import optimiser_state, set_optimiser_state
from outflank.learn.team import Team
from outflank.models import find_network_file
from outflank.nets.architectures import build
from outflank.nets.files import load_tensors, load_weights, save_tensors
from outflank.nets.network import legal_probabilities
from outflank.nets.torch.export import export_onnx
from outflank.nets.torch.policy import (
    TorchPolicy,
    save_module,
    set_weights,
    to_array,
)

MODEL = "network.onnx"

# Planes, classes, shares of all classes (with a teacher), size of the whole batch.
Batch = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32] | None, int]


def make_trainer(config: ImitationConfig, material: Material, team: Team) -> ConvolutionalTrainer:
    """Make a trainer with fresh weights."""
    return ConvolutionalTrainer(config, material, team)


class ConvolutionalTrainer(ImitationTrainer):
    """A PyTorch network in training."""

    def __init__(self, config: ImitationConfig, material: Material, team: Team) -> None:
        super().__init__(config, material)
        self.team, self.measures = team, team.leads
        self.encoding = find_encoding(config.encoding)
        threads = config.threads or max(1, _core.available_threads() // team.size)
        torch.set_num_threads(threads)
        cuda = torch.cuda.is_available()
        self.device = (
            torch.device("cuda", torch.cuda.current_device()) if cuda else torch.device("cpu")
        )
        self.bfloat16 = config.precision == "bfloat16" or (
            config.precision == "auto"
            and cuda
            and torch.cuda.is_bf16_supported(including_emulation=False)
        )

        with _seeded(config.seed, "weights"):
            self.module = build(config.network, planes=len(self.encoding.planes))
        # One example has no spread by which single units could be normalised.
        alone = any(isinstance(layer, nn.BatchNorm1d) for layer in self.module.modules())
        self.steps_per_epoch = count_batches(
            len(material.training), config.batch, team.size, least=2 if alone else 1
        )
        self.steps = max(1, round(config.passes * self.steps_per_epoch))
        if cuda and team.size > 1:  # there is none for processors
            self.module = nn.SyncBatchNorm.convert_sync_batchnorm(self.module)  # type: ignore[no-untyped-call]
        if config.start:
            path = find_network_file(config.start).with_suffix(".safetensors")
            weights, card = load_weights(path)
            set_weights(self.module, weights, path)
            self.ancestors.append(card)
        layout = torch.channels_last if config.channels_last else torch.contiguous_format
        self.module.to(self.device, memory_format=layout)  # type: ignore[call-overload]
        self.layout = layout
        self.drops = any(isinstance(layer, nn.Dropout) for layer in self.module.modules())
        self.trained: nn.Module = (
            DistributedDataParallel(self.module) if team.size > 1 else self.module
        )
        self.optimiser = make_optimiser(config, self.module)
        # Sums of loss, right predictions and examples since the last measurement.
        self.sums = torch.zeros(3, dtype=torch.float64, device=self.device)

    def train_until(self, step: int) -> Mapping[str, float]:
        """Train until `step`."""
        self.trained.train()
        with ThreadPoolExecutor(1) as reader:  # the next batch is made while this one is learned
            ahead: Future[Batch] = reader.submit(self._read, self.step)
            while self.step < step:
                batch = ahead.result()
                if self.step + 1 < step:
                    ahead = reader.submit(self._read, self.step + 1)
                self._learn(batch)
                self.step += 1
        return self._means()

    def _read(self, step: int) -> Batch:
        """Make this process's share of the batch of a step."""
        epoch, number = divmod(step, self.steps_per_epoch)
        training, size = self.material.training, self.config.batch
        places = np.arange(number * size, min((number + 1) * size, len(training)))
        examples = training.take(epoch, places[self.team.rank :: self.team.size])
        planes = self.encoding.encode(examples, np.uint8, threads=1)
        classes = CLASS_OF_SQUARE[examples.move].astype(np.int64)
        return planes, classes, self._shares(examples), len(places)

    def _shares(self, examples: Examples) -> NDArray[np.float32] | None:
        """Return the targets: the move, mixed with the teacher's probabilities if there is one."""
        if self.teacher is None:
            return None
        played = np.eye(64, dtype=np.float32)[examples.move]
        boards = examples.boards()
        opinion = legal_probabilities(boards, self.teacher.predict(boards))
        return self._mixed(played, opinion)[:, SQUARE_OF_CLASS]

    def _learn(self, batch: Batch) -> None:
        """Do one step of the optimiser."""
        config, (boards, moves, shares, size) = self.config, batch
        planes = torch.from_numpy(boards).to(self.device).float()
        planes = planes.contiguous(memory_format=self.layout)
        classes = torch.from_numpy(moves).to(self.device)
        target = classes if shares is None else torch.from_numpy(shares).to(self.device)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate
        if self.drops:
            torch.manual_seed(key_of(config.seed, "dropout", self.step, self.team.rank))
        with self._precision():
            scores = self.trained(planes)
        loss = functional.cross_entropy(
            scores.float(), target, reduction="sum", label_smoothing=config.label_smoothing
        )
        self.optimiser.zero_grad(set_to_none=True)
        # The mean of the whole batch; a team's gradients are averaged over its processes.
        (loss * (self.team.size / size)).backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()
        right = (scores.argmax(1) == classes).sum()
        seen = torch.stack([loss.detach().double(), right.double()])
        seen = torch.cat([seen, seen.new_tensor([len(classes)])])
        self.sums += self.team.add(seen)

    def _precision(self) -> AbstractContextManager[Any]:
        if self.bfloat16:
            return torch.autocast(self.device.type, torch.bfloat16)
        return nullcontext()

    def _means(self) -> dict[str, float]:
        loss, right, count = self.sums.tolist()
        return {"loss": loss / count, "accuracy": right / count} if count else {}

    def _forget_means(self) -> None:
        self.sums.zero_()

    def network(self) -> TorchPolicy:
        """Return the network, which changes as training continues."""
        return TorchPolicy(self.module, self.card({}))

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the network's weights and, for playing without PyTorch, the network as .onnx."""
        card = self.card(measured)
        save_module(folder / WEIGHTS, self.module, card)
        export_onnx(folder / MODEL, self.module, card)

    def save(self, folder: Path) -> None:
        """Write weights, the optimiser's state and the sums."""
        save_module(folder / WEIGHTS, self.module, self.card({}))
        save_tensors(
            folder / STATE,
            {**optimiser_state(self.optimiser), "sums": to_array(self.sums)},
            kind="training",
            facts=self._facts(),
        )

    def load(self, folder: Path) -> None:
        """Restore what was saved, in place: the parameters stay the same objects."""
        weights, _ = load_tensors(folder / WEIGHTS, kind="network")
        set_weights(self.module, weights, folder / WEIGHTS)
        state, facts = load_tensors(folder / STATE, kind="training")
        self._check_facts(folder / STATE, facts)
        self.sums.copy_(torch.from_numpy(state.pop("sums")))
        set_optimiser_state(self.optimiser, state)
        self.step = int(facts["step"])


def count_batches(examples: int, batch: int, processes: int = 1, least: int = 1) -> int:
    """Return how many batches an epoch has; the last may be smaller.

    The last batch is left out if it has fewer than `least` examples for each process.
    """
    whole, rest = divmod(examples, batch)
    count = whole + (rest >= least * processes)
    if batch < least * processes or not count:
        have = min(batch, examples)
        raise DataError(f"{have} examples are too few: {processes} x {least} are needed at a time")
    return count


def make_optimiser(config: ImitationConfig, module: nn.Module) -> torch.optim.Optimizer:
    """Make the optimiser; weights decay, biases and normalisations do not."""
    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]
    groups = [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": config.l2},
        {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
    ]
    if config.optimiser == "adamw":
        return torch.optim.AdamW(groups, config.learning_rate, betas=(config.momentum, 0.99))
    return torch.optim.SGD(
        groups,
        config.learning_rate,
        config.momentum,
        nesterov=config.nesterov and config.momentum > 0,
    )


@contextmanager
def _seeded(*key: object) -> Iterator[None]:
    """Seed torch's random numbers from a key, and restore them afterwards."""
    with torch.random.fork_rng():
        torch.manual_seed(key_of(*key))
        yield
