"""The networks of paper 1 have the layers it describes: shapes, and numbers of weights."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from outflank.errors import OutflankError
from outflank.nets import architectures, build

torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")


def convolution(inputs: int, outputs: int, size: int = 3, *, bias: bool = False) -> int:
    return inputs * outputs * size * size + (outputs if bias else 0)


def linear(inputs: int, outputs: int) -> int:
    return inputs * outputs + outputs


def normalisation(maps: int) -> int:
    return 2 * maps  # a scale and an offset each


def conv(maps: tuple[int, ...], *, normalised: bool = False) -> int:
    """Table I: convolutions, then 128 hidden units that see all of the last maps."""
    total = linear(64 * maps[-1], 128) + linear(128, 60)
    total += normalisation(128) - 128 if normalised else 0  # in the place of biases
    for inputs, outputs in zip((2, *maps), maps, strict=False):
        total += convolution(inputs, outputs, bias=not normalised)
        total += normalisation(outputs) if normalised else 0
    return total


def residual(blocks: int, *, projection: bool = False) -> int:
    """He et al.: three stacks of 16, 32, 64 maps; two normalised convolutions a block."""
    total = convolution(2, 16) + normalisation(16) + linear(64, 60)
    for inputs, outputs in ((16, 16), (16, 32), (32, 64)):
        total += convolution(inputs, outputs) + (2 * blocks - 1) * convolution(outputs, outputs)
        total += 2 * blocks * normalisation(outputs)
        if projection and inputs != outputs:
            total += convolution(inputs, outputs, 1) + normalisation(outputs)
    return total


def dense(layers: int) -> int:
    """Huang et al.: 16 maps, each layer sees all and adds 12; two transitions."""
    maps, total = 16, convolution(2, 16)
    for block in range(3):
        if block:
            total += normalisation(maps) + convolution(maps, maps, 1)
        for _ in range(layers):
            total += normalisation(maps) + convolution(maps, 12)
            maps += 12
    return total + normalisation(maps) + linear(maps, 60)


def wide() -> int:
    """Zagoruyko and Komodakis: three stacks of six blocks with 64, 128, 256 maps."""
    total = convolution(2, 16) + normalisation(256) + linear(256, 60)
    for inputs, outputs in ((16, 64), (64, 128), (128, 256)):
        total += convolution(inputs, outputs) + 11 * convolution(outputs, outputs)
        total += normalisation(inputs) + 11 * normalisation(outputs)
        total += convolution(inputs, outputs, 1)  # the shortcut
    return total


def tower(maps: int, blocks: int) -> int:
    """Silver et al.: blocks of two normalised convolutions, and a head on 16 of their maps."""
    total = convolution(2, maps) + (2 * blocks + 1) * normalisation(maps)
    total += 2 * blocks * convolution(maps, maps)
    return total + convolution(maps, 16, 1) + normalisation(16) + linear(64 * 16, 60)


CONV4 = (64, 64, 128, 128)
CONV8 = (*CONV4, 256, 256, 256, 256)
COUNTS = {
    "conv2": (conv((32, 32)), 279_868),
    "conv4": (conv(CONV4), 1_316_028),
    "conv4-dropout": (conv(CONV4), 1_316_028),
    "conv4-bn": (conv(CONV4, normalised=True), 1_316_540),
    "conv6": (conv((*CONV4, 256, 256)), 3_249_852),
    "conv6-dropout": (conv((*CONV4, 256, 256)), 3_249_852),
    "conv6-bn": (conv((*CONV4, 256, 256), normalised=True), 3_250_876),
    "conv8": (conv(CONV8), 4_430_012),
    "conv10": (conv((*CONV8, 256, 256)), 5_610_172),
    "conv8-dropout": (conv(CONV8), 4_430_012),
    "conv8-bn": (conv(CONV8, normalised=True), 4_431_548),
    "resnet-32": (residual(5), 467_260),
    "resnet-32-np": (residual(5), 467_260),
    "resnet-32-np-p": (residual(5, projection=True), 470_012),
    "resnet-56": (residual(9), 856_124),
    "resnet-56-np": (residual(9), 856_124),
    "resnet-56-np-p": (residual(9, projection=True), 858_876),
    "densenet-40": (dense(12), 1_042_028),
    "densenet-100": (dense(32), 7_037_948),
    "widenet-40-4": (wide(), 8_961_916),
    "tower": (tower(48, 5), 271_580),
}


def test_every_architecture_is_counted() -> None:
    assert set(architectures()) == set(COUNTS)


def build_shape(name: str, planes: int = 2) -> Any:
    """The network without numbers, which take time."""
    with torch.device("meta"):
        return build(name, planes).eval()


@pytest.mark.parametrize("name", COUNTS)
def test_the_number_of_weights(name: str) -> None:
    derived, pinned = COUNTS[name]
    assert derived == pinned
    assert sum(weights.numel() for weights in build_shape(name).parameters()) == pinned


@pytest.mark.parametrize("name", COUNTS)
def test_shapes(name: str) -> None:
    scores = build_shape(name, planes=3)(torch.zeros(2, 3, 8, 8, device="meta"))
    assert scores.shape == (2, 60)
    assert scores.dtype == torch.float32


@pytest.mark.parametrize(
    ("name", "sides"),
    [("resnet-32", [8, 4, 2]), ("resnet-32-np", [8]), ("densenet-40", [8]), ("widenet-40-4", [8])],
)
def test_where_the_board_is_halved(name: str, sides: list[int]) -> None:
    network = build_shape(name)
    seen: dict[int, None] = {}
    for layer in network.modules():
        if isinstance(layer, torch.nn.Conv2d):
            layer.register_forward_hook(lambda _, __, maps: seen.update({maps.shape[2]: None}))
    network(torch.zeros(1, 2, 8, 8, device="meta"))
    assert list(seen) == sides


def test_weights_start_as_he_says() -> None:
    torch.manual_seed(1)
    layers = list(build("conv8").modules())
    for layer in layers:
        if isinstance(layer, (torch.nn.Conv2d, torch.nn.Linear)):
            weights = layer.weight.detach().numpy()
            inputs = np.prod(weights.shape[1:])
            assert weights.std() == pytest.approx(np.sqrt(2 / inputs), rel=0.1)
            assert not layer.bias.detach().numpy().any()


def test_dropout_drops_in_training_only() -> None:
    network = build("conv8-dropout")
    planes = torch.ones(1, 2, 8, 8)
    assert not torch.equal(network(planes), network(planes))
    network.eval()
    assert torch.equal(network(planes), network(planes))


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(OutflankError, match=r"no such network: 'conv9'; networks are conv2, conv4"):
        build("conv9")


def test_without_pytorch_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(OutflankError, match=r"pip install 'outflank\[train\]'"):
        build("conv4")
