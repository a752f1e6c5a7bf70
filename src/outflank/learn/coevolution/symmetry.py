"""Weights that the board's symmetries map onto each other.

If these are equal, a network gives a board and its mirror images the same value, and a filter
ranks mirrored moves alike. The paper's networks have to learn everything eight times.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.evaluations.evolved import BOTH, FILTERS

_SUB_SQUARES = [
    [8 * (top + row) + left + column for row in range(size) for column in range(size)]
    for size in range(3, 9)
    for top in range(9 - size)
    for left in range(9 - size)
]
_SIZES = {"spatial": [40, 10, 1], "flat": [40, 10, 1], "only": [1], FILTERS: [64]}


@cache
def tied_weights(shape: str) -> NDArray[np.int64]:
    """Return, for each weight of a shape, the number of its free weight."""
    if shape == BOTH:
        first, second = tied_weights("spatial"), tied_weights(FILTERS)
        return np.concatenate([first, first.max() + 1 + second])
    images = np.stack([_moved(shape, symmetry) for symmetry in range(8)])
    return np.unique(images.min(axis=0), return_inverse=True)[1].astype(np.int64)


def _moved(shape: str, symmetry: int) -> NDArray[np.int64]:
    """Return the weight that takes each weight's place when the board is mirrored.

    Weights lie layer by layer and node by node, a node's bias behind its weights.
    """
    squares = _squares(symmetry)
    inputs, place, found = squares, 0, []
    for layer in _layers(shape):
        starts = place + np.cumsum([0, *(len(node) + 1 for node in layer)])
        outputs = _nodes(layer, squares)
        for node, read in enumerate(layer):
            image = layer[outputs[node]]
            start = starts[outputs[node]]
            found += [start + image.index(inputs[one]) for one in read]
            found.append(start + len(image))
        inputs, place = outputs, int(starts[-1])
    return np.array(found)


def _squares(symmetry: int) -> list[int]:
    """Return where a symmetry maps each square."""
    single = np.uint64(1) << np.arange(64, dtype=np.uint64)
    return [int(bits).bit_length() - 1 for bits in _core.transform(single, symmetry)]


def _layers(shape: str) -> list[list[list[int]]]:
    """Return the inputs of every node of every layer."""
    found = [] if shape == "flat" else [_SUB_SQUARES]
    before = len(_SUB_SQUARES) if found else 64
    for size in _SIZES[shape]:
        found.append([list(range(before)) for _ in range(size)])
        before = size
    return found


def _nodes(layer: Sequence[list[int]], squares: Sequence[int]) -> list[int]:
    """Return where a symmetry maps each node of a layer; hidden nodes stay in place."""
    if layer is _SUB_SQUARES:
        places = {frozenset(node): number for number, node in enumerate(layer)}
        return [places[frozenset(squares[one] for one in node)] for node in layer]
    return list(squares) if len(layer) == 64 else list(range(len(layer)))
