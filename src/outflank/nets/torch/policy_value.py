"""The policy-value network of Fu and Xu (2017): four convolutions, two dense layers, two heads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from outflank.data.encodings import CLASSES
from outflank.errors import DataError
from outflank.nets.files import Tensors, load_weights
from outflank.nets.torch.policy import TorchPolicy, set_weights
from outflank.nets.torch.start import start_weights

ARCHITECTURE = "policy-value"
ENCODING = "pieces"

_PADDINGS = (1, 1, 0, 0)  # the maps are 8x8, 8x8, 6x6 and 4x4
_LAST_SQUARES = 4 * 4


@dataclass(frozen=True)
class PolicyValueShape:
    """How wide a network is; the second dense layer has half the units of the first.

    The paper gives the numbers of layers alone. The widths are those of alpha-zero-general, whose
    other settings are the paper's.
    """

    maps: int = 512
    units: int = 1024


class PolicyValueNetwork(nn.Module):
    """Boards float32[n, 2, 8, 8], own and other discs, to scores [n, 60] and values [n, 1].

    The paper shows the board in one plane: 1 for the mover's discs, -1 for the opponent's.

    Args:
        shape: How wide it is.
        dropout: Share of the dense units dropped in training.
    """

    def __init__(self, shape: PolicyValueShape, dropout: float = 0.0) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        inputs = 1
        for padding in _PADDINGS:
            layers += [
                nn.Conv2d(inputs, shape.maps, 3, padding=padding, bias=False),
                nn.BatchNorm2d(shape.maps),
                nn.ReLU(),
            ]
            inputs = shape.maps
        layers.append(nn.Flatten())
        inputs *= _LAST_SQUARES
        for units in (shape.units, shape.units // 2):
            layers += [
                nn.Linear(inputs, units, bias=False),
                nn.BatchNorm1d(units),
                nn.ReLU(),
                nn.Dropout(dropout),
            ]
            inputs = units
        self.body = nn.Sequential(*layers)
        self.policy = nn.Linear(inputs, CLASSES)
        self.value = nn.Linear(inputs, 1)
        start_weights(self)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return raw scores of the moves, and the expected result in [-1, 1]."""
        units = self.body(planes[:, 0:1] - planes[:, 1:2])
        return self.policy(units), torch.tanh(self.value(units))


def shape_of(weights: Tensors, path: Path | str) -> PolicyValueShape:
    """Return the shape of the network that has these weights."""
    try:
        convolution, dense = weights["body.0.weight"], weights["body.13.weight"]
    except KeyError as error:
        raise DataError(f"{path}: holds no policy-value network: {error} is missing") from None
    return PolicyValueShape(len(convolution), len(dense))


def load_policy_value(path: Path | str) -> TorchPolicy:
    """Load a network from a .safetensors file, ready to predict."""
    weights, card = load_weights(path)
    for name, array in weights.items():
        if not np.isfinite(array).all():
            raise DataError(f"{path}: {name} has weights that are no numbers")
    module = PolicyValueNetwork(shape_of(weights, path))
    set_weights(module, weights, path)
    return TorchPolicy(module.eval(), card)
