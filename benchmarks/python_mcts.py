"""Monte Carlo tree search as one writes it first in Python, in the manner of alpha-zero-general.

Dictionaries from positions to what is known of them, one recursive call a ply, the evaluator asked
for one position at a time. The rules are the core's, one call each: only the search is slow.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from outflank import _core

PASS = 64
Position = tuple[int, int]  # discs of the mover and of the opponent
Evaluate = Callable[[Position], tuple[NDArray[np.float64], float]]


def uniform(position: Position) -> tuple[NDArray[np.float64], float]:
    """All moves are equal and all positions drawn."""
    return np.full(65, 1 / 65), 0.0


class PythonMcts:
    """PUCT over dictionaries; the values are from the mover's view."""

    def __init__(self, evaluate: Evaluate, exploration: float = 1.0) -> None:
        self.evaluate, self.exploration = evaluate, exploration
        self.values: dict[tuple[Position, int], float] = {}
        self.edge_visits: dict[tuple[Position, int], int] = {}
        self.visits: dict[Position, int] = {}
        self.priors: dict[Position, NDArray[np.float64]] = {}
        self.moves: dict[Position, list[int]] = {}
        self.ends: dict[Position, float | None] = {}

    def search(self, position: Position) -> float:
        """Run one simulation; returns the value for who moved last."""
        if position not in self.ends:
            over = _core.is_over(*position)
            self.ends[position] = float(np.sign(_core.final_score(*position))) if over else None
        if (end := self.ends[position]) is not None:
            return -end
        if position not in self.priors:
            priors, value = self.evaluate(position)
            legal = _core.legal_moves(*position)
            moves = [square for square in range(64) if legal >> square & 1] or [PASS]
            mask = np.zeros(65)
            mask[moves] = 1
            self.priors[position] = priors * mask / (priors * mask).sum()
            self.moves[position] = moves
            self.visits[position] = 0
            return -value
        best, chosen = -math.inf, -1
        for move in self.moves[position]:
            edge = (position, move)
            u = self.exploration * self.priors[position][move]
            u *= math.sqrt(self.visits[position] + 1e-8) / (1 + self.edge_visits.get(edge, 0))
            if (number := self.values.get(edge, 0.0) + u) > best:
                best, chosen = number, move
        edge = (position, chosen)
        value = self.search(_core.play(*position, chosen))
        visits = self.edge_visits.get(edge, 0)
        self.values[edge] = (visits * self.values.get(edge, 0.0) + value) / (visits + 1)
        self.edge_visits[edge] = visits + 1
        self.visits[position] += 1
        return -value
