"""Line networks that begin with the weights of a smaller one and at first answer like it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank._core import LineNetwork
from outflank.chance import generator_of, key_of
from outflank.errors import DataError
from outflank.nets.line import TABLES, LinePolicy, blocks_of, is_line
from outflank.nets.network import Card

Weights = dict[str, NDArray[np.float32]]

_GROWING, _ADDING = ("block", "layer"), (".squares", ".out")  # parts, and what they end in
_BLOCK = re.compile(r"block([0-9]+)\.(.*)")
# The axes of each weight that grow: those along which it gives a vector, and those along which
# it reads one. A C is the channels, an H the units of the layers on moves.
_GIVES = {
    "class_bias": " C", "block.bias": " C", "block.channel": "  C", "block.squares": "C",
    "stage": " C", "pool": " C", "layer.in": " H", "layer.context": " H", "layer.others": " H",
    "layer.bias": "H", "layer.out": " C", "table": " C",
}  # fmt: skip
_READS = {
    "block.channel": " C", "value.in": "C", "layer.in": "C", "layer.context": "C",
    "layer.others": "H", "layer.out": "H", "logit": " C",
}  # fmt: skip


def begin_with(network: LineNetwork, path: Path) -> Card:
    """Give a network that is to be trained the weights of a file.

    The file's network may be smaller. Blocks that it lacks come at the beginning and layers at the
    end, and add nothing at first. If it has half the channels or hidden units, or a third, each of
    them is there twice, or three times; their readers share the old weight unevenly, so that the
    copies learn different things. Both networks give the same answers.

    Args:
        network: To be trained.
        path: A line network's file.

    Returns:
        The card of the file's network, which is an ancestor of the other now.
    """
    if not is_line(path):
        raise DataError(f"start: {path.name} is not a line network")
    policy = LinePolicy.load(path)
    wanted = network.parameters()
    blocks, most = blocks_of(policy.network.parameters()), blocks_of(wanted)
    if blocks > most:
        raise DataError(
            f"{path}: has another shape than the network to train: blocks: {blocks}, not {most}"
        )
    weights = _deeper(_wider(policy.network.parameters(), wanted), wanted)
    if lost := sorted(weights.keys() - wanted.keys()):
        raise DataError(f"{path}: has another shape than the network to train: {lost[0]}")
    for name, array in wanted.items():
        if name not in weights and name.startswith(_GROWING):
            if name.endswith(_ADDING):
                array[...] = 0
        elif name not in weights or weights[name].shape != array.shape:
            raise DataError(f"{path}: has another shape than the network to train: {name}")
        else:
            array[...] = weights[name]
    network.refresh()
    return policy.card


def _deeper(weights: Mapping[str, NDArray[np.float32]], wanted: Mapping[str, object]) -> Weights:
    """Put the blocks that are wanted in addition before the others."""
    more = blocks_of(wanted) - blocks_of(weights)
    return {
        f"block{int(block[1]) + more}.{block[2]}" if (block := _BLOCK.match(name)) else name: array
        for name, array in weights.items()
    }


def _wider(
    weights: Mapping[str, NDArray[np.float32]], wanted: Mapping[str, NDArray[np.float32]]
) -> Weights:
    """Repeat channels and hidden units as often as the wanted network has them."""
    copies = {"C": _times(weights, wanted, "class_bias", 1), "H": 1}
    if "layer0.bias" in weights and "layer0.bias" in wanted:
        copies["H"] = _times(weights, wanted, "layer0.bias", 0)
    wide = {}
    for name, array in weights.items():
        part = "table" if name.startswith(TABLES) else re.sub(r"[0-9]+\.", ".", name)
        for axis, letter in enumerate(_GIVES.get(part, "")):
            if copies.get(letter, 1) > 1:
                array = np.concatenate([array] * copies[letter], axis=axis)
        for axis, letter in enumerate(_READS.get(part, "")):
            if copies.get(letter, 1) > 1:
                array = np.concatenate(_shared(array, copies[letter], key_of(name)), axis=axis)
        wide[name] = array
    return wide


def _times(
    weights: Mapping[str, NDArray[np.float32]],
    wanted: Mapping[str, NDArray[np.float32]],
    name: str,
    axis: int,
) -> int:
    """Return how many times as long a weight is wanted; 1 if that is no whole number."""
    times, rest = divmod(wanted[name].shape[axis], weights[name].shape[axis])
    return 1 if rest else max(1, times)


def _shared(array: NDArray[np.float32], copies: int, key: int) -> NDArray[np.float32]:
    """Return arrays that differ and whose sum is `array`: float32[copies, ...]."""
    spread = np.sqrt(np.mean(array**2, dtype=np.float64)) / copies
    noise = spread * generator_of(key).standard_normal((copies, *array.shape))
    shared: NDArray[np.float64] = array / copies + noise - noise.mean(axis=0)
    return shared.astype(np.float32)
