"""WideNet-40-4 of paper 1 (Table VI): Zagoruyko and Komodakis, Wide residual networks.

Nothing is pooled before the end: at 9.4 against 1.9 the paper's network takes five times as long
as Conv8+BN, whose multiplications it has four times without downsampling and half with it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from outflank.nets.torch.start import start_weights

_FIRST_MAPS = 16


def build(*, planes: int, classes: int, depth: int, width: int) -> nn.Module:
    """Build 6k + 4 layers: three stacks of k blocks with 16, 32, 64 times `width` maps.

    A block has two 3x3 layers, each after its normalisation (the block B(3,3) of the original);
    where the number of maps grows, the shortcut is a 1x1 convolution.
    """
    blocks, rest = divmod(depth - 4, 6)
    if rest or blocks < 1:
        raise ValueError(f"a wide residual network has 6k + 4 layers, not {depth}")
    inputs = _FIRST_MAPS
    layers: list[nn.Module] = [nn.Conv2d(planes, inputs, 3, padding=1, bias=False)]
    for outputs in (16 * width, 32 * width, 64 * width):
        for _ in range(blocks):
            layers.append(_Block(inputs, outputs))
            inputs = outputs
    layers += [nn.BatchNorm2d(inputs), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    layers.append(nn.Linear(inputs, classes))
    network = nn.Sequential(*layers)
    start_weights(network)
    return network


class _Block(nn.Module):
    """Two layers, normalised before and not after, and the block's input added."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.first_norm = nn.BatchNorm2d(inputs)
        self.first = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.shortcut = nn.Conv2d(inputs, outputs, 1, bias=False) if inputs != outputs else None

    def forward(self, maps: Tensor) -> Tensor:
        active = torch.relu(self.first_norm(maps))
        inner: Tensor = self.second(torch.relu(self.second_norm(self.first(active))))
        # The projection sees the normalised maps, as in the original.
        return inner + (maps if self.shortcut is None else self.shortcut(active))
