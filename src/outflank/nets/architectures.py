"""All network architectures by name: those of paper 1, and some of our own that are small enough
for a processor.

The layers themselves are in nets/torch/.

Paper 1 is Liskowski, Jaskowski and Krawiec, Learning to Play Othello with Deep Neural Networks.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from outflank.data.encodings import CLASSES
from outflank.errors import DataError, OutflankError

if TYPE_CHECKING:
    from torch import nn

_CONV2 = (32, 32)  # not of the paper
_CONV4 = (64, 64, 128, 128)
_CONV6 = (*_CONV4, 256, 256)
_CONV8 = (*_CONV6, 256, 256)
_CONV10 = (*_CONV8, 256, 256)  # tried in the paper, and not better


@dataclass(frozen=True)
class Architecture:
    """A network's shape: `family` is the module of nets/torch/ that builds it from `options`."""

    name: str
    summary: str  # one line for lists
    family: str
    options: Mapping[str, Any] = field(default_factory=dict)


def _regularised(depth: int, maps: Sequence[int]) -> list[Architecture]:
    name, layers = f"conv{depth}", f"{depth} convolutional layers"
    return [
        Architecture(name, layers, "conv", {"maps": maps}),
        Architecture(
            f"{name}-dropout",
            f"{layers}, half of the hidden units dropped",
            "conv",
            {"maps": maps, "dropout": 0.5},
        ),
        Architecture(
            f"{name}-bn",
            f"{layers} with batch normalisation",
            "conv",
            {"maps": maps, "normalised": True},
        ),
    ]


def _residual(depth: int) -> list[Architecture]:
    name, layers = f"resnet-{depth}", f"residual network of {depth} layers"
    same = {"depth": depth, "downsampling": False}
    return [
        Architecture(name, layers, "residual", {"depth": depth}),
        Architecture(f"{name}-np", f"{layers}, no downsampling", "residual", same),
        Architecture(
            f"{name}-np-p",
            f"{layers}, no downsampling, projecting shortcuts",
            "residual",
            {**same, "projection": True},
        ),
    ]


_ARCHITECTURES = {
    architecture.name: architecture
    for architecture in [
        Architecture(
            "conv2", "2 small convolutional layers, to try things", "conv", {"maps": _CONV2}
        ),
        *_regularised(4, _CONV4),  # the paper has these of eight layers only
        *_regularised(6, _CONV6),
        *_regularised(8, _CONV8),
        Architecture("conv10", "10 convolutional layers", "conv", {"maps": _CONV10}),
        *_residual(32),
        *_residual(56),
        Architecture("densenet-40", "dense network of 40 layers", "dense", {"depth": 40}),
        Architecture("densenet-100", "dense network of 100 layers", "dense", {"depth": 100}),
        Architecture(
            "widenet-40-4",
            "residual network of 40 layers, four times as wide",
            "wide",
            {"depth": 40, "width": 4},
        ),
        Architecture(
            "tower",
            "narrow residual tower of 12 layers, for a processor",
            "tower",
            {"maps": 48, "blocks": 5},
        ),
    ]
}


def architectures() -> dict[str, Architecture]:
    """Return all architectures by name."""
    return dict(_ARCHITECTURES)


def build(name: str, planes: int = 2, classes: int = CLASSES) -> nn.Module:
    """Build a network with fresh weights: float32[n, planes, 8, 8] to raw scores [n, classes].

    Weights are He's, biases zero, drawn from torch's own random numbers.
    """
    if name not in _ARCHITECTURES:
        raise DataError(f"no such network: {name!r}; networks are {', '.join(_ARCHITECTURES)}")
    need_torch()
    architecture = _ARCHITECTURES[name]
    family = importlib.import_module(f"outflank.nets.torch.{architecture.family}")
    module: nn.Module = family.build(planes=planes, classes=classes, **architecture.options)
    return module


def need_torch() -> None:
    """Say in one line what is missing where PyTorch is not installed."""
    try:
        importlib.import_module("torch")
    except ImportError:
        raise OutflankError(
            "this needs PyTorch, which is not installed; "
            "install it with: pip install 'outflank[train]'"
        ) from None
