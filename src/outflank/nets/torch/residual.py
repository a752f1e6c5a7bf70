"""ResNet-n of paper 1 (Table VI): He et al., Deep residual learning, section 4.2 (CIFAR-10)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from outflank.nets.torch.start import start_weights

_MAPS = (16, 32, 64)  # of the three stacks


def build(
    *, planes: int, classes: int, depth: int, downsampling: bool = True, projection: bool = False
) -> nn.Module:
    """Build a network of 6k + 2 layers: a convolution, three stacks of k blocks, the output.

    A block has two layers, so a network of n layers has (n - 2) / 2 blocks; Liskowski et al. (2018)
    round this to n / 2. The output is a linear layer over the means of the maps, as in He et al.

    Args:
        planes: Of the input.
        classes: Of the output.
        depth: Number of layers, 6k + 2.
        downsampling: Whether the second and third stack halve the board, to 4x4 and 2x2; otherwise
            (the paper's "np") all maps are 8x8.
        projection: Whether the shortcut is a learned linear mapping where the number of maps grows
            (the paper's "p"); otherwise it has no parameters (option A: it skips every other square
            and the new maps get zeros).
    """
    blocks, rest = divmod(depth - 2, 2 * len(_MAPS))
    if rest or blocks < 1:
        raise ValueError(f"a residual network has 6k + 2 layers, not {depth}")
    layers: list[nn.Module] = [
        nn.Conv2d(planes, _MAPS[0], 3, padding=1, bias=False),
        nn.BatchNorm2d(_MAPS[0]),
        nn.ReLU(inplace=True),
    ]
    inputs = _MAPS[0]
    for outputs in _MAPS:
        for _ in range(blocks):
            stride = 2 if downsampling and outputs != inputs else 1
            layers.append(Block(inputs, outputs, stride, projection))
            inputs = outputs
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, classes)]
    network = nn.Sequential(*layers)
    start_weights(network)
    return network


class Block(nn.Module):
    """A nonlinear and a linear layer, and the block's input added to what they give."""

    def __init__(
        self, inputs: int, outputs: int, stride: int = 1, projection: bool = False
    ) -> None:
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.shortcut: nn.Module = nn.Identity()
        if inputs != outputs:
            if projection:
                self.shortcut = nn.Sequential(
                    nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
                )
            else:
                self.shortcut = _ZeroPadding(outputs - inputs, stride)

    def forward(self, maps: Tensor) -> Tensor:
        """Return the block's maps."""
        inner = torch.relu(self.first_norm(self.first(maps)))
        return torch.relu(self.second_norm(self.second(inner)) + self.shortcut(maps))


class _ZeroPadding(nn.Module):
    """The shortcut without parameters: every stride-th square, and maps of zeros added."""

    def __init__(self, more: int, stride: int) -> None:
        super().__init__()
        self.more = more
        self.stride = stride

    def forward(self, maps: Tensor) -> Tensor:
        if self.stride > 1:
            maps = maps[:, :, :: self.stride, :: self.stride]
        return functional.pad(maps, (0, 0, 0, 0, 0, self.more))
