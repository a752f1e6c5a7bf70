"""The network of Fu and Xu (2017) in training, with PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from outflank import _core
from outflank.chance import key_of
from outflank.data.encodings import SQUARE_OF_CLASS, find_encoding
from outflank.learn.optimisers import optimiser_state, set_optimiser_state
from outflank.learn.selfplay.config import SelfPlayConfig
from outflank.learn.selfplay.networks import STATE, WEIGHTS, NetworkInTraining, Weights
from outflank.models import find_network_file
from outflank.nets.files import load_tensors, load_weights, save_tensors
from outflank.nets.network import Card, PolicyNetwork
from outflank.nets.onnx_policy import LOGITS, VALUE
from outflank.nets.torch.export import export_onnx
from outflank.nets.torch.policy import TorchPolicy, save_module, set_weights, weights_of
from outflank.nets.torch.policy_value import (
    ARCHITECTURE,
    ENCODING,
    PolicyValueNetwork,
    PolicyValueShape,
    shape_of,
)
from outflank.othello.boards import Boards

MODEL = "network.onnx"


class ConvolutionalInTraining(NetworkInTraining):
    """The paper's network with Adam. It is not symmetric: it learns from mirror images."""

    architecture = ARCHITECTURE
    symmetric = False

    def __init__(self, config: SelfPlayConfig) -> None:
        self.config = config
        self.ancestors = []
        torch.set_num_threads(config.threads or _core.available_threads())
        with torch.random.fork_rng():
            torch.manual_seed(key_of(config.seed, "weights"))
            shape = PolicyValueShape(config.maps, config.units)
            self.module = PolicyValueNetwork(shape, config.dropout)
        if config.start:
            path = find_network_file(config.start).with_suffix(".safetensors")
            weights, card = load_weights(path)
            set_weights(self.module, weights, path)
            self.ancestors.append(card)
        self.optimiser = torch.optim.Adam(
            self.module.parameters(), config.learning_rate, weight_decay=config.l2
        )
        self.steps = 0
        self.mean: Weights | None = weights_of(self.module) if config.average else None

    def weights(self) -> Weights:
        """Return a copy of the weights that play."""
        if self.mean is not None:
            return self.mean
        return {name: array.copy() for name, array in weights_of(self.module).items()}

    def learn(
        self,
        own: NDArray[np.uint64],
        other: NDArray[np.uint64],
        policy: NDArray[np.float32],
        value: NDArray[np.float32],
        weight: NDArray[np.float32],
        learning_rate: float,
    ) -> dict[str, float]:
        """Take a step on a batch. The loss has its sign right: the paper prints +pi log p."""
        boards = Boards(own, other, np.zeros(len(own), np.bool_))
        planes = torch.from_numpy(find_encoding(ENCODING).encode(boards, threads=1))
        wanted = torch.from_numpy(policy[:, SQUARE_OF_CLASS])
        results, weights = torch.from_numpy(value), torch.from_numpy(weight)
        self.module.train()
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate
        torch.manual_seed(key_of(self.config.seed, "dropout", self.steps))
        scores, values = self.module(planes)
        policy_loss = -(weights[:, None] * wanted * functional.log_softmax(scores, 1)).sum()
        teaching = (weights * wanted.sum(1)).sum()
        policy_loss = policy_loss / teaching.clamp(min=1e-6)
        value_loss = (weights * (values.view(-1) - results) ** 2).sum() / weights.sum()
        self.optimiser.zero_grad(set_to_none=True)
        (policy_loss + self.config.value_weight * value_loss).backward()
        self.optimiser.step()
        self.steps += 1
        taught = wanted.sum(1) > 0
        right = (scores.argmax(1) == wanted.argmax(1))[taught]
        return {
            "policy_loss": policy_loss.item(),
            "value_loss": value_loss.item(),
            "accuracy": right.double().mean().item() if len(right) else 0.0,
        }

    def end_generation(self) -> None:
        """Move the mean of the weights towards what they are now."""
        if self.mean is None:
            return
        keep = np.float32(self.config.average)
        for name, array in weights_of(self.module).items():
            if array.dtype == np.float32:
                self.mean[name] = self.mean[name] + (1 - keep) * (array - self.mean[name])
            else:  # a count of batches
                self.mean[name] = array.copy()

    def policy(self, card: Card) -> PolicyNetwork:
        """Return the network that plays."""
        return TorchPolicy(module_of(self.weights()), card)

    def export(self, folder: Path, card: Card) -> None:
        """Write the weights and, for playing without PyTorch, the network as .onnx."""
        module = module_of(self.weights())
        save_module(folder / WEIGHTS, module, card)
        export_onnx(folder / MODEL, module, card, (LOGITS, VALUE))

    def save(self, folder: Path, facts: dict[str, Any]) -> None:
        """Write weights, their mean and the optimiser's state."""
        tensors = optimiser_state(self.optimiser)
        tensors |= {f"weights.{name}": array for name, array in weights_of(self.module).items()}
        tensors |= {f"mean.{name}": array for name, array in (self.mean or {}).items()}
        save_tensors(
            folder / STATE, tensors, kind="training", facts={**facts, "batches": self.steps}
        )

    def load(self, folder: Path) -> dict[str, Any]:
        """Go back to what was saved, in place."""
        path = folder / STATE
        kept, facts = load_tensors(path, kind="training")
        set_weights(self.module, _part(kept, "weights."), path)
        if self.mean is not None:
            self.mean = _part(kept, "mean.")
        set_optimiser_state(self.optimiser, kept)
        self.steps = int(facts["batches"])
        return facts


class Leaves:
    """A network as the compiled search asks for it.

    What it answers depends, in the last bits, on how many boards it is asked for at once. The games
    of a task are always the same, and so are its batches.
    """

    def __init__(self, weights: Weights, threads: int) -> None:
        torch.set_num_threads(threads or _core.available_threads())
        self._network = TorchPolicy(module_of(weights), Card("", ENCODING))

    def __call__(
        self, own: NDArray[np.uint64], other: NDArray[np.uint64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits float32[n, 64] and values float32[n] of n boards, movers' views."""
        found = self._network.predict(Boards(own, other, np.zeros(len(own), np.bool_)))
        # The search wants numbers for all squares, though the centre is never a move.
        logits = np.maximum(found.logits, np.float32(-1e4))
        assert found.values is not None  # noqa: S101  # it has both heads
        return logits, found.values


def module_of(weights: Weights) -> PolicyValueNetwork:
    """Build the network that has these weights, ready to predict."""
    module = PolicyValueNetwork(shape_of(weights, "weights"))
    set_weights(module, weights, "weights")
    return module.eval()


def _part(tensors: Weights, beginning: str) -> Weights:
    """Take the tensors whose names begin so out of the others."""
    names = [name for name in tensors if name.startswith(beginning)]
    return {name.removeprefix(beginning): tensors.pop(name) for name in names}
