"""PyTorch modules as policy networks, and their weights in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from outflank.data.encodings import SQUARE_OF_CLASS, find_encoding
from outflank.errors import DataError
from outflank.fingerprints import fingerprint
from outflank.nets.architectures import build
from outflank.nets.files import Tensors, encoding_of, load_weights, save_weights
from outflank.nets.network import Card, PolicyNetwork, Prediction
from outflank.othello.boards import Boards

_BATCH = 1024


class TorchPolicy(PolicyNetwork):
    """A module as a policy network, on the device where it is.

    It gives 60 raw scores and perhaps, as a second result, values of shape [n, 1].
    """

    def __init__(self, module: nn.Module, card: Card) -> None:
        self.module = module
        self.card = card

    @property
    def fingerprint(self) -> str:
        """A hash of the weights."""
        parts: list[str | NDArray[Any]] = []
        for name, array in sorted(weights_of(self.module).items()):
            parts += name, array
        return fingerprint(*parts)

    def predict(self, boards: Boards) -> Prediction:
        """Score all squares but those of the centre, which are minus infinity."""
        logits = np.full((len(boards), 64), -np.inf, np.float32)
        values: list[NDArray[np.float32]] = []
        encoding = find_encoding(self.card.encoding)
        device = next(self.module.parameters()).device
        was_training = self.module.training
        self.module.eval()
        with torch.inference_mode():
            for start in range(0, len(boards), _BATCH):
                part = boards[start : start + _BATCH]
                planes = torch.from_numpy(encoding.encode(part))
                found = self.module(planes.to(device))
                scores, *rest = found if isinstance(found, tuple) else (found,)
                logits[start : start + _BATCH, SQUARE_OF_CLASS] = scores.float().cpu().numpy()
                values += [one.float().cpu().numpy().reshape(-1) for one in rest]
        self.module.train(was_training)
        return Prediction(logits, np.concatenate(values) if values else None)


def weights_of(module: nn.Module) -> Tensors:
    """Return a module's weights and statistics as arrays by name."""
    return {name: to_array(tensor) for name, tensor in module.state_dict().items()}


def to_array(tensor: Tensor) -> NDArray[Any]:
    """Return a tensor as an array, rows first whatever its layout in memory."""
    return tensor.detach().cpu().contiguous().numpy()


def set_weights(module: nn.Module, weights: Tensors, path: Path | str) -> None:
    """Give a module the weights of a file; what does not fit is named."""
    state = module.state_dict()
    if different := sorted(state.keys() ^ weights.keys()):
        raise DataError(f"{path}: its weights are of another network: {different[0]}")
    for name, tensor in state.items():
        if tuple(tensor.shape) != weights[name].shape:
            raise DataError(
                f"{path}: {name} has the shape {weights[name].shape}, not {tuple(tensor.shape)}"
            )
    # Copies: the arrays of a file may be read-only, and training changes weights in place.
    module.load_state_dict({name: torch.from_numpy(weights[name].copy()) for name in state})


def save_module(path: Path | str, module: nn.Module, card: Card) -> None:
    """Write a module's weights with its card, as .safetensors."""
    save_weights(path, weights_of(module), card)


def load_module(path: Path | str) -> tuple[nn.Module, Card]:
    """Build the network of a .safetensors file, ready to predict."""
    weights, card = load_weights(path)
    planes = len(encoding_of(card, path).planes)
    try:
        module = build(card.architecture, planes)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    set_weights(module, weights, path)
    return module.eval(), card
