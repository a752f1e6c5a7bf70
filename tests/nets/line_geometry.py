"""The geometry of the line network once more, by brute force: what docs/line-network.md says.

Whatever the eight symmetries map onto each other shares a number, and numbers follow the order of
the least images. A board is a tuple of 64 cells as in reference.py.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import reference
from reference import Board, image_of_square

Numbers = NDArray[np.int64]

CORNERS = (0, 7, 56, 63)


def _numbered(least: list[Any]) -> list[int]:
    """The place of each thing's least image among all least images."""
    order = {thing: number for number, thing in enumerate(sorted(set(least)))}
    return [order[thing] for thing in least]


CLASS = _numbered(
    [min(image_of_square(square, symmetry) for symmetry in range(8)) for square in range(64)]
)
PAIR = np.array(
    _numbered(
        [
            min(
                (image_of_square(one, symmetry), image_of_square(other, symmetry))
                for symmetry in range(8)
            )
            for one in range(64)
            for other in range(64)
        ]
    )
).reshape(64, 64)


def _lines() -> list[tuple[int, tuple[int, ...]]]:
    """All lines as (type, squares), in the order in which dropout draws for them."""
    lines = []
    for i in range(8):
        distance = min(i, 7 - i)
        lines.append((distance, tuple(8 * i + column for column in range(8))))
        lines.append((distance, tuple(8 * row + i for row in range(8))))
    for offset in range(-7, 8):
        cells = [(row, row + offset) for row in range(8) if 0 <= row + offset < 8]
        lines.append((3 + len(cells), tuple(8 * row + column for row, column in cells)))
        lines.append((3 + len(cells), tuple(8 * row + 7 - column for row, column in cells)))
    return lines


LINES = _lines()


def line_length(kind: int) -> int:
    return 8 if kind < 4 else kind - 3


def cell_digit(cell: int) -> int:
    """0 empty, 1 the mover's disc, 2 the opponent's."""
    return cell % 3


def state_number(board: Board, squares: tuple[int, ...]) -> int:
    """Contents of some squares as a ternary number, the first square being the lowest digit."""
    return sum(cell_digit(board[square]) * 3**place for place, square in enumerate(squares))


@cache
def digits_of_states(length: int) -> Numbers:
    """The digits of all ternary numbers of a length, shape (3^length, length)."""
    return np.arange(3**length)[:, None] // 3 ** np.arange(length) % 3


def _reordered(length: int, order: list[int]) -> Numbers:
    """For each state, the one whose digit i is its digit order[i]."""
    return digits_of_states(length)[:, order] @ 3 ** np.arange(length)


@cache
def line_rows(length: int) -> Numbers:
    """Rows of (state, place in the line); a line read backwards has the same rows."""
    backwards = _reordered(length, list(range(length))[::-1])
    place = np.arange(length)
    one = np.arange(3**length)[:, None] * length + place
    other = backwards[:, None] * length + place[::-1]
    _, rows = np.unique(np.minimum(one, other), return_inverse=True)
    return rows.reshape(3**length, length)


SHAPES: list[tuple[int, ...]] = [
    *(tuple(range(8 * distance, 8 * distance + 8)) for distance in range(4)),
    *(tuple(8 - length + 9 * i for i in range(length)) for length in range(4, 9)),
    (0, 1, 2, 8, 9, 10, 16, 17, 18),
    (9, 0, 1, 2, 3, 4, 5, 6, 7, 14),
    (0, 1, 2, 3, 4, 8, 9, 10, 11, 12),
]


def _patterns() -> list[tuple[int, tuple[int, ...]]]:
    """All places of all shapes as (type, squares), in the order in which dropout draws for them."""
    patterns = []
    for kind, shape in enumerate(SHAPES):
        places: dict[frozenset[int], tuple[int, ...]] = {}
        for symmetry in range(8):
            squares = tuple(image_of_square(square, symmetry) for square in shape)
            places.setdefault(frozenset(squares), squares)
        patterns += [(kind, squares) for squares in places.values()]
    return patterns


PATTERNS = _patterns()


@cache
def pattern_rows(kind: int) -> Numbers:
    """The row of each state; a symmetry that leaves the shape in place leads to the same row."""
    shape = SHAPES[kind]
    least = np.arange(3 ** len(shape))
    for symmetry in range(8):
        squares = [image_of_square(square, symmetry) for square in shape]
        if set(squares) == set(shape):
            order = [squares.index(square) for square in shape]
            least = np.minimum(least, _reordered(len(shape), order))
    _, rows = np.unique(least, return_inverse=True)
    return rows.reshape(-1)


def empty_regions(board: Board) -> list[set[int]]:
    """Connected empty squares, diagonal neighbours included, by flood fill."""
    left = {square for square in range(64) if board[square] == 0}
    regions = []
    while left:
        region: set[int] = set()
        waiting = [min(left)]
        while waiting:
            square = waiting.pop()
            if square in left:
                left.remove(square)
                region.add(square)
                waiting += reference.NEIGHBOURS[square]
        regions.append(region)
    return regions


# Name and how many numbers it distinguishes; each is crossed with 16 stages of four empty squares.
FACTS = {
    "square": 40, "region": 24, "odd regions": 16, "even regions": 16, "replies": 24,
    "own moves": 24, "corners": 25, "flips": 16, "potential replies": 32, "potential moves": 32,
    "discs kept": 16,
}  # fmt: skip
STAGES = 16


def fact_row(name: str, number: int, empties: int) -> int:
    names = list(FACTS)
    begin = sum(FACTS[before] for before in names[: names.index(name)])
    return (begin + min(number, FACTS[name] - 1)) * STAGES + min(empties // 4, STAGES - 1)


# Shorter patterns behind the rows, numbered as they first appear.
def _as_they_appear(names: Numbers) -> Numbers:
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse].reshape(names.shape)


@cache
def _side(content: int, side: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What one side of a square looks like, seen from the square, in three degrees of detail."""

    def flipped(mine: int, theirs: int) -> int:
        run = 0
        while run < len(side) and side[run] == theirs:
            run += 1
        return run if run < len(side) and side[run] == mine else 0

    near = (*side, 3, 3, 3)
    return [
        (0, content, flipped(1, 2), flipped(2, 1), int(0 not in side)),
        (1, content, *near[:2], len(side)),
        (2, content, *near[:3], len(side)),
    ]


@cache
def line_state_keys(length: int) -> Numbers:
    """The shorter patterns of each state and place of a line: shape (states, length, 6)."""
    numbers: dict[tuple[int, ...], int] = {}
    keys = []
    for state in map(tuple, digits_of_states(length).tolist()):
        for i in range(length):
            sides = _side(state[i], state[:i][::-1]), _side(state[i], state[i + 1 :])
            names = (side[k] for k in range(3) for side in sides)
            keys.append([numbers.setdefault(name, len(numbers)) for name in names])
    return np.array(keys).reshape(-1, length, 6)


def line_keys(length: int) -> Numbers:
    """The shorter patterns of each row of a table of lines."""
    return _of_rows(line_rows(length), line_state_keys(length).reshape(-1, 6))


def _of_rows(rows: Numbers, keys: Numbers) -> Numbers:
    _, one = np.unique(rows, return_index=True)
    return keys[one]


_CORNER_WINDOWS = [
    (0, 1, 3, 4), (0, 3, 1, 4), (1, 2, 4, 5), (3, 6, 4, 7), (4, 5, 7, 8), (4, 7, 5, 8),
    (0, 1, 2), (0, 3, 6),
]  # fmt: skip
_OBLONG_WINDOWS = [
    (0, 1, 5, 6), (1, 2, 6, 7), (2, 3, 7, 8), (3, 4, 8, 9),
    (0, 1, 2, 5, 6, 7), (1, 2, 3, 6, 7, 8), (2, 3, 4, 7, 8, 9),
]  # fmt: skip


def _windows(kind: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """Windows of a shape as digits, and the digits that its mirroring makes of 0, 1, 2, ..."""
    length = len(SHAPES[kind])
    if kind == 9:
        return _CORNER_WINDOWS, [0, 3, 6, 1, 4, 7, 2, 5, 8]
    if kind == 11:
        return _OBLONG_WINDOWS, list(range(length))
    size = 5 if kind == 10 else min(4, length - 1)
    runs = []
    for begin in range((length - size) // 2 + 1):
        window = tuple(range(begin, begin + size))
        runs += [window, tuple(length - 1 - digit for digit in window)]
    return runs, list(range(length))[::-1]


@cache
def pattern_state_keys(kind: int) -> Numbers:
    """The shorter patterns of each state of a shape: shape (states, windows)."""
    windows, mirror = _windows(kind)
    digits = digits_of_states(len(SHAPES[kind]))
    names = []
    for number, window in enumerate(windows):
        mirrored = tuple(mirror[digit] for digit in window)
        name = windows.index(mirrored) if mirrored in windows[:number] else number
        names.append(name * 3**6 + digits[:, window] @ 3 ** np.arange(len(window)))
    return _as_they_appear(np.stack(names, axis=1))


def pattern_keys(kind: int) -> Numbers:
    """The shorter patterns of each row of a table of patterns."""
    return _of_rows(pattern_rows(kind), pattern_state_keys(kind))
