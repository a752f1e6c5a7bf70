"""Norvig's edge table once more, with dictionaries and whole numbers.

An edge is a tuple of ten cells (X-square, the edge from corner to corner, X-square): 1 for the
mover's disc, -1 for the opponent's, 0 for empty.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

Edge = tuple[int, ...]

STABLE, SEMISTABLE, UNSTABLE = range(3)
X, CORNER, C, A, B = (
    (None, 0, -2000),
    (700, None, None),
    (1200, 200, -25),
    (1000, 200, 75),
    (1000, 200, 50),
)
WORTH = [X, CORNER, C, A, B, B, A, C, CORNER, X]


def stability(edge: Edge, place: int) -> int:
    if place in (1, 8):
        return STABLE
    if place in (0, 9):
        return SEMISTABLE if edge[1 if place == 0 else 8] else UNSTABLE
    row, at = edge[1:9], place - 1
    ahead = [cell for cell in row[at:] if cell != row[at]][:1]
    behind = [cell for cell in row[at::-1] if cell != row[at]][:1]
    met = sorted(ahead + behind)
    opponent = -row[at]
    if met == sorted([0, opponent]):
        return UNSTABLE
    if met == [0, 0] or (met == [opponent, opponent] and 0 in row):
        return SEMISTABLE
    return STABLE


def static_value(edge: Edge) -> int:
    total = 0
    for place, cell in enumerate(edge):
        if cell:
            worth = WORTH[place][stability(edge, place)]
            assert worth is not None
            total += cell * worth
    return total


def flipped(edge: Edge, place: int, colour: int) -> list[int]:
    """Places that a disc of a colour would flip along the edge."""
    found: list[int] = []
    if 1 <= place <= 8:
        for path in (range(place + 1, 9), range(place - 1, 0, -1)):
            run = list(itertools.takewhile(lambda at: edge[at] == -colour, path))
            if len(run) < len(path) and edge[path[len(run)]] == colour:
                found += run
    return found


def probability(edge: Edge, place: int) -> int:
    """How likely the mover can play on an empty place, in thousandths."""
    if place in (0, 9):
        return 500
    if flipped(edge, place, 1):
        return 1000
    if place in (1, 8):
        beside = edge[0 if place == 1 else 9]
        return {0: 100, 1: 1, -1: 900}[beside]
    near = (edge[place - 1], edge[place + 1])
    chance = [[100, 400, 700], [50, 300], [10]][near.count(1)][near.count(-1)]
    return chance // 2 if flipped(edge, place, -1) else chance


def moves(edge: Edge) -> list[tuple[Edge, int]]:
    """The edge after each move, from the opponent's view, and the chance to make it."""
    found = []
    for place in range(10):
        if edge[place] == 0:
            turned = {place, *flipped(edge, place, 1)}
            after = tuple([-1 if at in turned else -cell for at, cell in enumerate(edge)])
            found.append((after, probability(edge, place)))
    return found


def expected(alone: int, choices: list[tuple[int, int]]) -> int:
    """The mean of what is taken: the first that is possible, from the best down, or nothing."""
    left, value, scale = 1, 0, 1
    for worth, chance in sorted(choices, reverse=True):
        value = 1000 * value + left * chance * worth
        left *= 1000 - chance
        scale *= 1000
    return round(Fraction(value + left * alone, scale))


@cache
def edge_table() -> dict[Edge, int]:
    table = {edge: static_value(edge) for edge in itertools.product((0, 1, -1), repeat=10)}
    groups: list[list[tuple[Edge, list[tuple[Edge, int]]]]] = [[] for _ in range(11)]
    for edge in table:
        groups[edge.count(0)].append((edge, moves(edge)))
    for _ in range(5):
        for group in groups[1:10]:
            for edge, possible in group:
                alone = table[edge]
                choices = [(-table[after], chance) for after, chance in possible]
                better = [choice for choice in choices if choice[0] > alone]
                if better:
                    table[edge] = expected(alone, better)
    return table
