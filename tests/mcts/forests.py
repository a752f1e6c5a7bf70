"""Forests for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts.made_evaluators import hashed
from outflank import Position
from outflank._core import Forest, MctsOptions
from reference import Board
from strategies import MUST_PASS, random_game


def cells(position: Position) -> Board:
    own, other = position.bits
    return tuple((own >> square & 1) - (other >> square & 1) for square in range(64))


def positions(count: int, seed: int = 0) -> list[Position]:
    """Positions from all stages of random games, none of them over; the first is a pass."""
    found = [MUST_PASS]
    while len(found) < count:
        game = random_game(seed, plies=1 + seed * 7 % 60)
        if not game.is_over:
            found.append(game.position)
        seed += 1
    return found


def bits(found: list[Position]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    pairs = np.array([position.bits for position in found], np.uint64)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])


def forest(
    found: list[Position], evaluator: Any = hashed, seed: int = 0, **settings: Any
) -> Forest:
    return Forest(evaluator, *bits(found), MctsOptions(**settings), seed=seed)


def state(of: Forest) -> list[NDArray[Any]]:
    lines = [of.line(tree) for tree in range(len(of))]
    return [of.visits(), of.values(), of.priors(), of.policy(), of.best(), of.nodes(),
            of.root_values(), np.array([len(line) for line in lines])]  # fmt: skip


def same(left: Forest, right: Forest) -> bool:
    pairs = zip(state(left), state(right), strict=True)
    return all(np.array_equal(a, b, equal_nan=a.dtype == np.float32) for a, b in pairs)
