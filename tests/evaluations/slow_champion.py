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
LIMIT = 64 * 128


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
    """Stages share numbers of one parity only: wide ones early and late, single ones between."""
    stages = [
        *([0, 2, 4, 6], [1, 3, 5, 7]),
        *([number] for number in range(8, 32)),
        *([32, 34], [33, 35], [36, 38], [37, 39]),
        *([40, 42, 44, 46], [41, 43, 45, 47]),
        *([48, 50, 52, 54, 56, 58, 60], [49, 51, 53, 55, 57, 59]),
    ]
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


def weights_of_stage() -> int:
    """How many weights a stage has."""
    contents: int = sum(3 ** (len(shape) // 2) for shape in SHAPES)
    return contents + 2 * MOBILITIES + PARITIES


def value(board: Board, weights: NDArray[np.int16]) -> int:
    """The value of a board to its mover, in 1/128 of a disc."""
    stage = weights[stage_of(board.count(0))]
    total = begin = 0
    for shape in SHAPES:
        for squares in places_of(shape):
            content = sum(
                {0: 0, 1: 1, -1: 2}[board[square]] * 3**i for i, square in enumerate(squares)
            )
            total += int(stage[begin + content])
        begin += 3 ** (len(shape) // 2)
    total += int(stage[begin + len(legal_moves(board))])
    total += int(stage[begin + MOBILITIES + len(legal_moves(swap(board)))])
    total += int(stage[begin + 2 * MOBILITIES + quadrants(board)])
    return max(-LIMIT, min(LIMIT, total))
