"""A residual tower as Silver et al. (2017) build it, narrow enough for a processor."""

from __future__ import annotations

from torch import nn

from outflank.nets.torch.residual import Block
from outflank.nets.torch.start import start_weights

_HEAD_MAPS = 16


def build(*, planes: int, classes: int, maps: int, blocks: int) -> nn.Module:
    """Stack residual blocks of equally many 8x8 maps; the head sees each map's every square.

    A 1x1 convolution leaves a few maps to the head, so that its fully connected layer is small.
    """
    network = nn.Sequential(
        nn.Conv2d(planes, maps, 3, padding=1, bias=False),
        nn.BatchNorm2d(maps),
        nn.ReLU(inplace=True),
        *(Block(maps, maps) for _ in range(blocks)),
        nn.Conv2d(maps, _HEAD_MAPS, 1, bias=False),
        nn.BatchNorm2d(_HEAD_MAPS),
        nn.ReLU(inplace=True),
        nn.Flatten(),
        nn.Linear(64 * _HEAD_MAPS, classes),
    )
    start_weights(network)
    return network
