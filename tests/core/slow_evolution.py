"""Paper 4's networks and minimax, written to be obviously right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello.boards import Boards

SHAPES = {"spatial": 5900, "flat": 3021, "only": 1891, "filter": 7687}
SUB_SQUARES = [
    [8 * (top + row) + left + column for row in range(size) for column in range(size)]
    for size in range(3, 9)
    for top in range(9 - size)
    for left in range(9 - size)
]


def some_boards(count: int, seed: int = 1) -> Boards:
    """Boards of random games, at all stages."""
    boards = Boards.start(count)
    own, other = boards.own.copy(), boards.other.copy()
    for ply in range(60):
        going = np.flatnonzero((np.arange(count) % 60 > ply) & ~_core.is_over(own, other))
        keys = going.astype(np.uint64) + np.uint64(1000 * ply + seed)
        moves = _core.random_moves(own[going], other[going], keys)
        own[going], other[going] = _core.play(own[going], other[going], moves)
    return Boards(own, other, np.zeros(count, np.bool_))


def inputs(own: int, other: int) -> NDArray[np.float64]:
    return np.array([(own >> square & 1) - (other >> square & 1) for square in range(64)], float)


def layers(shape: str) -> list[list[list[int]]]:
    """The inputs of every node of every layer."""
    spatial = [] if shape == "flat" else [SUB_SQUARES]
    sizes = {"only": [1], "filter": [64]}.get(shape, [40, 10, 1])
    found, before = list(spatial), 91 if spatial else 64
    for size in sizes:
        found.append([list(range(before))] * size)
        before = size
    return found


def outputs(shape: str, weights: NDArray[np.floating], own: int, other: int) -> NDArray[np.float64]:
    """What the last layer's nodes add up, before tanh and without the piece differential."""
    values, place = inputs(own, other), 0
    for number, layer in enumerate(layers(shape)):
        if number:
            values = np.tanh(values)
        sums = []
        for nodes in layer:
            part = weights[place : place + len(nodes) + 1].astype(float)
            sums.append(values[nodes] @ part[:-1] + part[-1])
            place += len(nodes) + 1
        values = np.array(sums)
    assert place == len(weights)
    return values


def evaluate(
    shape: str, weights: NDArray[np.floating], own: int, other: int, piece_weight: float
) -> float:
    sums = outputs(shape, weights, own, other)
    return float(sums[0] + piece_weight * inputs(own, other).sum())


def over(own: int, other: int) -> bool:
    return not _core.legal_moves(own, other) and not _core.legal_moves(other, own)


def squares(bits: int) -> list[int]:
    return [square for square in range(64) if bits >> square & 1]


class SlowMind:
    """Minimax; `value` gives a board's value to its mover, `rank` how a filter ranks squares."""

    def __init__(self, value, depth, rank=None, window=3) -> None:  # type: ignore[no-untyped-def]
        self.value, self.depth, self.rank, self.window = value, depth, rank, window

    def choose(self, own: int, other: int) -> int:
        return self._best(own, other, self.depth)[1]

    def _best(self, own: int, other: int, depth: int) -> tuple[float, int]:
        """Finished games count a million and their score."""
        if over(own, other):
            score = _core.final_score(own, other)
            return 1e6 * np.sign(score) + score, 64
        if depth == 0:
            return self.value(own, other), 64
        moves = squares(_core.legal_moves(own, other))
        if not moves:
            return -self._best(other, own, depth - 1)[0], 64
        if self.rank is not None:
            scores = self.rank(own, other)
            moves = sorted(sorted(moves, key=lambda square: -scores[square])[: self.window])
        found = [(-self._best(*_core.play(own, other, move), depth - 1)[0], move) for move in moves]
        return max(found, key=lambda pair: (pair[0], -pair[1]))
