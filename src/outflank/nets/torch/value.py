"""The value networks of Ng (2017): convolutions, fully connected layers, one number."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from outflank.data.encodings import find_encoding
from outflank.errors import DataError
from outflank.fingerprints import fingerprint
from outflank.nets.files import Tensors, encoding_of, load_weights
from outflank.nets.network import Card, PolicyNetwork, Prediction
from outflank.nets.torch.policy import set_weights, weights_of
from outflank.othello.boards import Boards

ARCHITECTURE = "value-convolutional"

_NARROW = 64  # units of the last hidden layer
_BATCH = 1024


@dataclass(frozen=True)
class ValueShape:
    """How many layers a network has, and how wide they are."""

    planes: int
    conv_layers: int = 2
    maps: int = 32
    dense_layers: int = 4
    nodes: int = 512


def build(shape: ValueShape) -> nn.Sequential:
    """Build a network: float32[n, planes, 8, 8] to [n, 1], unbounded.

    Ng's code applies the second convolution along the wrong axes, which squares the width of what
    follows; here every convolution sees the board. Weights start as Keras starts them (Glorot).
    Dropout is for training alone, which the core does (_core.ValueDescent).
    """
    layers: OrderedDict[str, nn.Module] = OrderedDict()
    inputs = shape.planes
    for number in range(shape.conv_layers):
        layers[f"conv{number}"] = nn.Conv2d(inputs, shape.maps, 3, padding=1)
        layers[f"conv{number}_relu"] = nn.ReLU()
        inputs = shape.maps
    layers["flatten"] = nn.Flatten()
    inputs *= 64
    for number in range(shape.dense_layers):
        layers[f"dense{number}"] = nn.Linear(inputs, shape.nodes)
        layers[f"dense{number}_relu"] = nn.ReLU()
        inputs = shape.nodes
    layers["narrow"] = nn.Linear(inputs, _NARROW)
    layers["value"] = nn.Linear(_NARROW, 1)
    network = nn.Sequential(layers)
    for layer in network:
        if isinstance(layer, (nn.Conv2d, nn.Linear)):
            nn.init.xavier_uniform_(layer.weight)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)
    return network


class TorchValue(PolicyNetwork):
    """A module that gives one number, as a network with values and no policy."""

    def __init__(self, module: nn.Module, card: Card) -> None:
        self.module = module
        self.card = card

    @property
    def fingerprint(self) -> str:
        """A hash of the weights."""
        named = sorted(weights_of(self.module).items())
        return fingerprint(*(part for pair in named for part in pair))

    @property
    def has_policy(self) -> bool:
        """It has none."""
        return False

    def predict(self, boards: Boards) -> Prediction:
        """Return expected results; no square has a score."""
        encoding = find_encoding(self.card.encoding)
        was_training = self.module.training
        self.module.eval()
        values = np.zeros(len(boards), np.float32)
        with torch.inference_mode():
            for start in range(0, len(boards), _BATCH):
                part = slice(start, start + _BATCH)
                planes = torch.from_numpy(encoding.encode(boards[part]))
                values[part] = self.module(planes).view(-1).numpy()
        self.module.train(was_training)
        return Prediction.of_values(values)


def shape_of(weights: Tensors, path: Path | str) -> ValueShape:
    """Return the shape of the network that has these weights."""
    try:
        convolutions = [name for name in weights if name.startswith("conv") and "weight" in name]
        dense = [name for name in weights if name.startswith("dense") and "weight" in name]
        first = weights["conv0.weight"] if convolutions else None
        planes = first.shape[1] if first is not None else weights["dense0.weight"].shape[1] // 64
        return ValueShape(
            planes=planes,
            conv_layers=len(convolutions),
            maps=first.shape[0] if first is not None else 1,
            dense_layers=len(dense),
            nodes=weights["dense0.weight"].shape[0] if dense else 1,
        )
    except (KeyError, IndexError) as error:
        raise DataError(f"{path}: holds no value network: {error} is missing") from None


def load_value(path: Path | str) -> TorchValue:
    """Load a network from a .safetensors file, ready to predict."""
    weights, card = load_weights(path)
    shape = shape_of(weights, path)
    planes = len(encoding_of(card, path).planes)
    if shape.planes != planes:
        raise DataError(
            f"{path}: was trained with {shape.planes} planes; {card.encoding} has {planes}"
        )
    check_numbers(weights, path)
    module = build(shape)
    set_weights(module, weights, path)
    return TorchValue(module.eval(), card)


def check_numbers(weights: Tensors, path: Path | str) -> None:
    """Raise DataError if some weights are no numbers."""
    for name, array in weights.items():
        if not np.isfinite(array).all():
            raise DataError(f"{path}: {name} has weights that are no numbers")


def squared_errors(module: nn.Module, planes: Tensor, values: Tensor) -> Tensor:
    """Return the squared error of each position's value, cut off at -1 and 1."""
    module.eval()
    parts = []
    with torch.inference_mode():
        for start in range(0, len(planes), _BATCH):
            part = slice(start, start + _BATCH)
            found = module(planes[part].float()).view(-1).clamp(-1, 1)
            parts.append((found - values[part]) ** 2)
    return torch.cat(parts) if parts else torch.zeros(0)
