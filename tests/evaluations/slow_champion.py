"""The champion's evaluation once more: slow, obvious, from scratch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reference import Board, image_of_square, legal_moves, swap

# The shapes as they stand at the corner a1; the first square is the lowest digit.
SHAPES = [
    "a1b1c1a2b2c2a3b3c3",
    "a5a4a3a2a1b2b1c1d1e1",
    "b2a1b1c1d1e1f1g1h1g2",
    "a1c1d1c2d2e2f2e1f1h1",
    "a1b1c1d1a2b2c2a3b3a4",
    "a2b2c2d2e2f2g2h2",
    "a3b3c3d3e3f3g3h3",
    "a4b4c4d4e4f4g4h4",
    "a1b2c3d4e5f6g7h8",
    "b1c2d3e4f5g6h7",
    "c1d2e3f4g5h6",
    "d1e2f3g4h5",
]
MOBILITIES, PARITIES = 48, 16
CHANNELS, HIDDEN, STAGES = 32, 32, 32
LIMIT = 64 * 128
MOST = 8 * 64  # where sums and units are cut off


def squares_of(shape: str) -> list[int]:
    """The squares of a shape by number."""
    return [
        "abcdefgh".index(column) + 8 * (int(row) - 1)
        for column, row in zip(shape[::2], shape[1::2], strict=True)
    ]


def places_of(shape: str) -> list[list[int]]:
    """All places of a shape, read as the first symmetry that leads there reads them."""
    places: dict[frozenset[int], list[int]] = {}
    for symmetry in range(8):
        squares = [image_of_square(square, symmetry) for square in squares_of(shape)]
        places.setdefault(frozenset(squares), squares)
    return list(places.values())


def stage_of(empties: int) -> int:
    """Four numbers of empty squares share a stage, odd and even ones apart."""
    stages = [
        numbers
        for first in range(0, 64, 8)
        for numbers in (
            [first, first + 2], [first + 1, first + 3],
            [first + 4, first + 6], [first + 5, first + 7],
        )
    ]  # fmt: skip
    return next(i for i, numbers in enumerate(stages) if empties in numbers)


def quadrants(board: Board) -> int:
    """A bit for each quadrant with an odd number of empty squares."""
    total = 0
    for number, (top, left) in enumerate([(0, 0), (0, 4), (4, 0), (4, 4)]):
        empty = sum(
            board[8 * row + column] == 0
            for row in range(top, top + 4)
            for column in range(left, left + 4)
        )
        total += empty % 2 << number
    return total


def row_count() -> int:
    """How many rows there are."""
    contents: int = sum(3 ** (len(shape) // 2) for shape in SHAPES)
    return contents + 2 * MOBILITIES + PARITIES


class Parts:
    """The parts of the weights, which follow each other in their bytes."""

    def __init__(self, weights: NDArray[np.int8]) -> None:
        rest = weights.tobytes()

        def take(kind: type[np.signedinteger], *shape: int) -> NDArray[np.int64]:
            nonlocal rest
            size = int(np.prod(shape)) * np.dtype(kind).itemsize
            part, rest = rest[:size], rest[size:]
            return np.frombuffer(part, kind).reshape(shape).astype(np.int64)

        self.rows = take(np.int8, row_count(), CHANNELS)
        self.empties = take(np.int16, 61, CHANNELS)
        self.inner = take(np.int16, STAGES, HIDDEN, CHANNELS)
        self.inner_bias = take(np.int32, STAGES, HIDDEN)
        self.outer = take(np.int16, STAGES, HIDDEN)
        self.outer_bias = take(np.int32, STAGES)
        assert not rest


def rows_of(board: Board) -> list[int]:
    """The rows of a board: of all places of all shapes, of both mobilities, of parity."""
    rows, begin = [], 0
    for shape in SHAPES:
        for squares in places_of(shape):
            content = sum(
                {0: 0, 1: 1, -1: 2}[board[square]] * 3**i for i, square in enumerate(squares)
            )
            rows.append(begin + content)
        begin += 3 ** (len(shape) // 2)
    rows.append(begin + len(legal_moves(board)))
    rows.append(begin + MOBILITIES + len(legal_moves(swap(board))))
    rows.append(begin + 2 * MOBILITIES + quadrants(board))
    return rows


def value(board: Board, parts: Parts) -> int:
    """The value of a board to its mover, in 1/128 of a disc."""
    empties = board.count(0)
    sums = parts.empties[empties] + parts.rows[rows_of(board)].sum(axis=0)
    squares = np.clip(sums, 0, MOST) ** 2 // 256
    stage = stage_of(empties)
    units = (parts.inner[stage] @ squares + parts.inner_bias[stage]) // 1024
    out = int(parts.outer[stage] @ np.clip(units, 0, MOST) + parts.outer_bias[stage])
    return max(-LIMIT, min(LIMIT, out // 8))


def float_value(board: Board, numbers: NDArray[np.float64]) -> float:
    """The value of a board to its mover before anything is rounded, in 16 discs."""
    rest = numbers

    def take(*shape: int) -> NDArray[np.float64]:
        nonlocal rest
        size = int(np.prod(shape))
        part, rest = rest[:size], rest[size:]
        return part.reshape(shape)

    empties = board.count(0)
    stage = stage_of(empties)
    sums = take(row_count(), CHANNELS)[rows_of(board)].sum(axis=0) + take(61, CHANNELS)[empties]
    units = take(STAGES, HIDDEN, CHANNELS)[stage] @ (np.clip(sums, 0, 8) ** 2 / 4)
    units = np.clip(units + take(STAGES, HIDDEN)[stage], 0, 8)
    return float(take(STAGES, HIDDEN)[stage] @ units + take(STAGES)[stage])
