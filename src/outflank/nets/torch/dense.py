"""DenseNet-L of paper 1 (Table VI): Huang et al., Densely connected convolutional networks.

Paper 1 does not say which DenseNet of 100 layers it has: the plain one or that with bottlenecks
and compression (BC). Its prediction times do, 4.8 against 37.2 for 40 and 100 layers. The plain
network of 100 layers needs 6.9 times the multiplications of that of 40, the BC network 0.7 times;
so both are plain. Nor does it say whether the transitions between blocks pool: the smaller
network takes 2.5 times as long as Conv8+BN with 0.4 times its multiplications if nothing is
pooled, and would have a tenth of them if it pooled; and the paper found downsampling
harmful on so small a board. So nothing is pooled before the end.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from outflank.nets.torch.start import start_weights

_GROWTH = 12  # feature maps that each layer adds
_FIRST_MAPS = 16
_BLOCKS = 3


def build(*, planes: int, classes: int, depth: int) -> nn.Module:
    """Build a network of 3k + 4 layers: three dense blocks of k, with transitions between them."""
    layers_each, rest = divmod(depth - 4, _BLOCKS)
    if rest or layers_each < 1:
        raise ValueError(f"a dense network has 3k + 4 layers, not {depth}")
    maps = _FIRST_MAPS
    layers: list[nn.Module] = [nn.Conv2d(planes, maps, 3, padding=1, bias=False)]
    for block in range(_BLOCKS):
        if block:
            layers += [*_normalised(maps), nn.Conv2d(maps, maps, 1, bias=False)]
        for _ in range(layers_each):
            layers.append(_Layer(maps))
            maps += _GROWTH
    layers += [*_normalised(maps), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    layers.append(nn.Linear(maps, classes))
    network = nn.Sequential(*layers)
    start_weights(network)
    return network


class _Layer(nn.Module):
    """Adds twelve maps, made from all maps before it, to them."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.made = nn.Sequential(
            *_normalised(inputs), nn.Conv2d(inputs, _GROWTH, 3, padding=1, bias=False)
        )

    def forward(self, maps: Tensor) -> Tensor:
        return torch.cat([maps, self.made(maps)], 1)


def _normalised(maps: int) -> list[nn.Module]:
    # Not in place: the maps are used again by every later layer.
    return [nn.BatchNorm2d(maps), nn.ReLU()]
