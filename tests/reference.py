"""The rules of Othello once more: slow, plain, and independent of the code under test.

A board is a tuple of 64 cells, row by row from a1: 1 for the mover's discs, -1 for the
opponent's, 0 for empty.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

Board = tuple[int, ...]

START: Board = tuple(
    {(3, 3): -1, (4, 4): -1, (3, 4): 1, (4, 3): 1}.get((row, column), 0)
    for row in range(8)
    for column in range(8)
)

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def line_from(square: int, direction: tuple[int, int]) -> list[int]:
    """Squares beyond `square` in a direction, in their order."""
    row, column = divmod(square, 8)
    squares: list[int] = []
    while True:
        row, column = row + direction[0], column + direction[1]
        if not (0 <= row < 8 and 0 <= column < 8):
            return squares
        squares.append(8 * row + column)


RAYS = [[line_from(square, direction) for direction in DIRECTIONS] for square in range(64)]
NEIGHBOURS = [[ray[0] for ray in rays if ray] for rays in RAYS]


def flips(board: Board, square: int) -> list[int]:
    flipped = []
    for ray in RAYS[square]:
        run = []
        for at in ray:
            if board[at] == -1:
                run.append(at)
                continue
            if board[at] == 1:
                flipped += run
            break
    return sorted(flipped)


def legal_moves(board: Board) -> list[int]:
    return [square for square in range(64) if board[square] == 0 and flips(board, square)]


def swap(board: Board) -> Board:
    return tuple(-cell for cell in board)


def play(board: Board, square: int) -> Board:
    cells = list(board)
    for at in [square, *flips(board, square)]:
        cells[at] = 1
    return swap(tuple(cells))


def is_over(board: Board) -> bool:
    return not legal_moves(board) and not legal_moves(swap(board))


def final_score(board: Board) -> int:
    own, other = board.count(1), board.count(-1)
    if own > other:
        return own - other + board.count(0)
    if own < other:
        return own - other - board.count(0)
    return 0


def frontier(board: Board) -> list[int]:
    return [
        square
        for square in range(64)
        if board[square] and any(board[near] == 0 for near in NEIGHBOURS[square])
    ]


def potential_mobility(board: Board) -> list[int]:
    return [
        square
        for square in range(64)
        if board[square] == 0 and any(board[near] == -1 for near in NEIGHBOURS[square])
    ]


def image_of_square(square: int, symmetry: int) -> int:
    """Where a square goes: transposed (4), then mirrored left-right (1) and top-bottom (2)."""
    row, column = divmod(square, 8)
    if symmetry & 4:
        row, column = column, row
    if symmetry & 1:
        column = 7 - column
    if symmetry & 2:
        row = 7 - row
    return 8 * row + column


def image(board: Board, symmetry: int) -> Board:
    cells = [0] * 64
    for square in range(64):
        cells[image_of_square(square, symmetry)] = board[square]
    return tuple(cells)


def bits(board: Board) -> tuple[int, int]:
    own = sum(1 << square for square in range(64) if board[square] == 1)
    other = sum(1 << square for square in range(64) if board[square] == -1)
    return own, other


def mask(squares: list[int]) -> int:
    return sum(1 << square for square in squares)


def canonical(board: Board) -> tuple[int, int, int]:
    """The smallest image by (own, other) and the first symmetry that gives it."""
    return min((*bits(image(board, symmetry)), symmetry) for symmetry in range(8))


def perft(board: Board, depth: int) -> int:
    if depth == 0:
        return 1
    moves = legal_moves(board)
    if moves:
        return sum(perft(play(board, move), depth - 1) for move in moves)
    return 1 if is_over(board) else perft(swap(board), depth - 1)


EDGES = [
    list(range(8)),
    list(range(56, 64)),
    list(range(0, 64, 8)),
    list(range(7, 64, 8)),
]
# The four directions that make lines together with their opposites, as pairs of rays.
LINES = [(0, 7), (1, 6), (2, 5), (3, 4)]


@cache
def firm_on_edge(edge: tuple[int, ...]) -> frozenset[int]:
    """Places on an edge whose discs stay, whoever fills its empty places in whatever order."""
    firm = {place for place in range(8) if edge[place]}
    for place in range(8):
        if edge[place]:
            continue
        for colour in (1, -1):
            after = list(edge)
            after[place] = colour
            for step in (1, -1):
                run = []
                at = place + step
                while 0 <= at < 8 and edge[at] == -colour:
                    run.append(at)
                    at += step
                if 0 <= at < 8 and edge[at] == colour:
                    for turned in run:
                        after[turned] = colour
            firm &= {at for at in firm_on_edge(tuple(after)) if after[at] == edge[at]}
    return frozenset(firm)


def stable_discs(board: Board) -> list[int]:
    """Discs that are safe on all four lines, found by asking again until nothing changes."""
    stable = set()
    for edge in EDGES:
        stable |= {edge[place] for place in firm_on_edge(tuple(board[s] for s in edge))}

    @cache
    def full(square: int, line: tuple[int, int]) -> bool:
        return all(board[at] for ray in line for at in RAYS[square][ray])

    def safe(square: int, line: tuple[int, int]) -> bool:
        forth, back = RAYS[square][line[0]], RAYS[square][line[1]]
        if not forth or not back or full(square, line):
            return True
        return any(at in stable and board[at] == board[square] for at in (forth[0], back[0]))

    while True:
        found = {
            square
            for square in range(64)
            if board[square] and square not in stable and all(safe(square, line) for line in LINES)
        }
        if not found:
            return sorted(stable)
        stable |= found


def splitmix(value: int) -> int:
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    value = (value ^ value >> 27) * 0x94D049BB133111EB % 2**64
    return value ^ value >> 31


def hash64(board: Board) -> int:
    own, other = bits(board)
    return splitmix(splitmix((own + 0x9E3779B97F4A7C15) % 2**64) ^ other)


def random_game(seed: int) -> Iterator[tuple[Board, int]]:
    """Positions of a random game with the moves chosen; a pass is 64, the end is -1."""
    draw = random.Random(seed)
    board = START
    while True:
        moves = legal_moves(board)
        if moves:
            move = draw.choice(moves)
        elif is_over(board):
            yield board, -1
            return
        else:
            move = 64
        yield board, move
        board = swap(board) if move == 64 else play(board, move)
