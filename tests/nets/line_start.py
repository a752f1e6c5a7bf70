"""The first weights of a line network once more, as docs/line-network.md says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from nets.line_geometry import digits_of_states
from reference import splitmix

_GOLDEN = 0x9E3779B97F4A7C15


def near_normal(seed: int, stream: int) -> Iterator[float]:
    """Numbers of a stream, each the sum of twelve uniform ones."""
    state = splitmix(splitmix((seed + _GOLDEN) % 2**64) ^ (stream + _GOLDEN) % 2**64)
    while True:
        total = 0.0
        for _ in range(3):
            state = (state + _GOLDEN) % 2**64
            bits = splitmix(state)
            total += sum((bits >> shift) % 2**16 / 65536 - 0.5 for shift in (0, 16, 32, 48))
        yield total


def first_dense(seed: int, channels: int, hidden: int) -> dict[str, NDArray[np.float64]]:
    """The dense weights of a network with one block and one layer that do not start at zero."""
    narrow = 1 / np.sqrt(channels)
    parts = {
        "block0.channel": ((10, channels, channels), 1.4 * narrow),
        "block0.squares": ((channels // 16, 528), 0.05),
        "pool": ((10, channels), 0.5),
        "value.in": ((channels, 32), 1.4 * narrow),
        "value.out": ((32,), 0.1),
        "layer0.in": ((channels, hidden), 1.4 * narrow),
        "layer0.context": ((channels, hidden), 0.5 * narrow),
        "layer0.out": ((hidden, channels), 0.5 / np.sqrt(hidden)),
        "logit": ((10, channels), 0.5 * narrow),
    }
    found = {}
    for stream, (name, (shape, deviation)) in enumerate(parts.items()):
        numbers = near_normal(seed, stream)
        drawn = [next(numbers) for _ in range(int(np.prod(shape)))]
        found[name] = deviation * np.array(drawn).reshape(shape)
    return found


def _side(side: list[int]) -> list[int]:
    """What is true of one side of a square, from the square outwards, as eight numbers."""

    def flipped(mine: int, theirs: int) -> int:
        text = "".join(map(str, side))
        run = len(text) - len(text.lstrip(str(theirs)))
        return run if text[run : run + 1] == str(mine) else 0

    one, two, three = (*side, 3, 3, 3)[:3]
    own, other = flipped(1, 2), flipped(2, 1)
    full = 8 * (0 not in side) + len(side)
    return [one, 4 * one + two, 16 * one + 4 * two + three, own, own > 0, other, other > 0, full]


@cache
def _vector(seed: int, number: int, channels: int) -> NDArray[np.float64]:
    numbers = near_normal(splitmix((seed + _GOLDEN) % 2**64), number)
    return np.array([next(numbers) for _ in range(channels)]) / 8


def first_row(seed: int, channels: int, length: int, state: int, place: int) -> NDArray[np.float64]:
    """The row of a place in a line."""
    digits = digits_of_states(length)[state].tolist()
    row = np.zeros(channels)
    for side in (digits[:place][::-1], digits[place + 1 :]):
        for kind, key in enumerate(_side(side)):
            row += _vector(seed, (4 * kind + digits[place]) * 65536 + key, channels)
    return row
