"""The evaluations once more: slow, plain, and independent of the code under test.

A board is that of reference.py: 64 cells, 1 for the mover's discs, -1 for the opponent's.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import reference
from evaluations.slow_edges import edge_table
from reference import Board

SWH = """
 1.00 -0.25 0.10 0.05 0.05 0.10 -0.25  1.00
-0.25 -0.25 0.01 0.01 0.01 0.01 -0.25 -0.25
 0.10  0.01 0.05 0.02 0.02 0.05  0.01  0.10
 0.05  0.01 0.02 0.01 0.01 0.02  0.01  0.05
"""
LR06 = """
 4.622507 -1.477853  1.409644 -0.066975 -0.305214  1.633019 -1.050899  4.365550
-1.329145 -2.245663 -1.060633 -0.541089 -0.332716 -0.475830 -2.274535 -0.032595
 2.681550 -0.906628  0.229372  0.059260 -0.150415  0.321982 -1.145060  2.986767
-0.746066 -0.317389  0.140040 -0.045266  0.236595  0.158543 -0.720833 -0.131124
-0.305566 -0.328398  0.073872 -0.131472 -0.172101  0.016603 -0.511448 -0.264125
 2.777411 -0.769551  0.676483  0.282190  0.007184  0.269876 -1.408169  2.396238
-1.566175 -3.049899 -0.637408 -0.077690 -0.648382 -0.911066 -3.329772 -0.870962
 5.046583 -1.468806  1.545046 -0.031175  0.263998  2.063148 -0.148002  5.781035
"""
SJK09 = """
 1.02 -0.27  0.55 -0.10  0.08  0.47 -0.38  1.00
-0.13 -0.52 -0.18 -0.07 -0.18 -0.29 -0.68 -0.44
 0.55 -0.24  0.02 -0.01 -0.01  0.10 -0.13  0.77
-0.10 -0.10  0.01 -0.01  0.00 -0.01 -0.09 -0.05
 0.05 -0.17  0.02 -0.04 -0.03  0.03 -0.09 -0.05
 0.56 -0.25  0.05  0.02 -0.02  0.17 -0.35  0.42
-0.25 -0.71 -0.24 -0.23 -0.08 -0.29 -0.63 -0.24
 0.93 -0.44  0.55  0.22 -0.15  0.74 -0.57  0.97
"""
SJK11 = """
 1.01 -0.43  0.38  0.07  0.00  0.42 -0.20  1.02
-0.27 -0.74 -0.16 -0.14 -0.13 -0.25 -0.65 -0.39
 0.56 -0.30  0.12  0.05 -0.04  0.07 -0.15  0.48
 0.01 -0.08  0.01 -0.01 -0.04 -0.02 -0.12  0.03
-0.10 -0.08  0.01 -0.01 -0.03  0.02 -0.04 -0.20
 0.59 -0.23  0.06  0.01  0.04  0.06 -0.19  0.35
-0.06 -0.55 -0.18 -0.08 -0.15 -0.31 -0.82 -0.58
 0.96 -0.42  0.67 -0.02 -0.03  0.81 -0.51  1.01
"""
MAGGS = """
 64 -30 10 5 5 10 -30  64
-30 -40  2 2 2  2 -40 -30
 10   2  5 1 1  5   2  10
  5   2  1 1 1  1   2   5
"""
PAIP = """
120 -20 20  5  5 20 -20 120
-20 -40 -5 -5 -5 -5 -40 -20
 20  -5 15  3  3 15  -5  20
  5  -5  3  3  3  3  -5   5
"""
COURSE_EARLY = """
 500 -100 100  50  50 100 -100  500
-100 -200 -50 -50 -50 -50 -200 -100
 100  -50  60   4   4  60  -50  100
  50  -50   4   2   2   4  -50   50
"""
COURSE_LATE = """
99  -8  8  6  6  8  -8 99
-8 -24 -4 -3 -3 -4 -24 -8
 8  -4  7  4  4  7  -4  8
 6  -3  4  1  1  4  -3  6
"""


def weights_of(text: str) -> list[Fraction]:
    """The weights of 64 squares; a table of four rows is mirrored."""
    rows = [[Fraction(word) for word in line.split()] for line in text.split("\n") if line]
    if len(rows) == 4:
        rows += rows[::-1]
    return [weight for row in rows for weight in row]


def squares(text: str) -> Callable[[Board], Fraction]:
    weights = weights_of(text)
    return lambda board: sum(
        (cell * weight for cell, weight in zip(board, weights, strict=True)), Fraction(0)
    )


def discs(board: Board) -> Fraction:
    return Fraction(board.count(1) - board.count(-1))


course_early = squares(COURSE_EARLY)
course_late_doubled = squares(COURSE_LATE)


def course_late(board: Board) -> Fraction:
    return course_late_doubled(board) / 2


def course(board: Board) -> Fraction:
    return course_early(board) if 64 - board.count(0) < 32 else course_late(board)


def mobility(board: Board) -> Fraction:
    mine, theirs = reference.legal_moves(board), reference.legal_moves(reference.swap(board))
    return Fraction(len(mine) - len(theirs))


def move_number(board: Board) -> int:
    return min(60, max(1, 61 - board.count(0)))


EDGES = [
    [9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    [49, 56, 57, 58, 59, 60, 61, 62, 63, 54],
    [9, 0, 8, 16, 24, 32, 40, 48, 56, 49],
    [14, 7, 15, 23, 31, 39, 47, 55, 63, 54],
]


def edges(board: Board) -> int:
    return sum(edge_table()[tuple(board[square] for square in edge)] for edge in EDGES)


def edge_term(board: Board) -> int:
    return round(Fraction((312000 + 6240 * move_number(board)) * edges(board), 32000))


def inner_stability(board: Board) -> int:
    inside = [s for s in reference.stable_discs(board) if s % 8 not in (0, 7) and 8 <= s < 56]
    return sum(board[square] for square in inside)


def compared(mine: int, theirs: int) -> int:
    share = abs(mine - theirs) * 1000 // (mine + theirs + 2)
    return share if mine > theirs else -share


def current_mobility(board: Board) -> int:
    mine = set(reference.legal_moves(board))
    theirs = set(reference.legal_moves(reference.swap(board)))
    shared = len(mine & theirs)
    return compared(2 * len(mine - theirs) + shared, 2 * len(theirs - mine) + shared)


def potential_measures(board: Board, colour: int) -> tuple[int, int, int]:
    """Frontier discs of a colour, empty squares beside its discs, and pairs of the two."""
    pairs = [
        (square, near)
        for square in range(64)
        if board[square] == colour
        for near in reference.NEIGHBOURS[square]
        if board[near] == 0
    ]
    return len({disc for disc, _ in pairs}), len({empty for _, empty in pairs}), len(pairs)


def potential_mobility(board: Board) -> Fraction:
    theirs, mine = potential_measures(board, -1), potential_measures(board, 1)
    return Fraction(sum(compared(a, b) for a, b in zip(theirs, mine, strict=True)), 3)


def iago_positional(board: Board) -> Fraction:
    return edge_term(board) + 36 * Fraction(1000 * inner_stability(board), 36)


def iago(board: Board) -> Fraction:
    n = move_number(board)
    coefficient = 50 + 2 * n if n <= 25 else 75 + n
    moves = coefficient * current_mobility(board)
    return iago_positional(board) + moves + 99 * potential_mobility(board)


def paip_iago(board: Board) -> Fraction:
    n = move_number(board)
    current = 50000 + 2000 * n if n < 25 else 75000 + 1000 * n
    other_view = reference.swap(board)
    mine, theirs = (len(reference.legal_moves(view)) for view in (board, other_view))
    may, might = (len(reference.potential_mobility(view)) for view in (board, other_view))
    return Fraction(
        edge_term(board)
        + round(Fraction(current * (mine - theirs), mine + theirs + 2))
        + round(Fraction(20000 * (may - might), may + might + 2))
    )


# In the evaluations' own numbers, from the mover's view.
SLOW: dict[str, Callable[[Board], Fraction]] = {
    "discs": discs,
    "mobility": mobility,
    "swh": squares(SWH),
    "lr06": squares(LR06),
    "sjk09": squares(SJK09),
    "sjk11": squares(SJK11),
    "maggs": squares(MAGGS),
    "paip": squares(PAIP),
    "course": course,
    "course-early": course_early,
    "course-late": course_late,
    "iago": iago,
    "iago-positional": iago_positional,
    "paip-iago": paip_iago,
}
