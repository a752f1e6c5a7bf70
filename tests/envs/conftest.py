"""Positions whose games are known to the end, and opponents that do the same every time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from outflank.errors import OutflankError
from outflank.othello import WHITE, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players import Keys, Player


@dataclass
class SteadyPlayer(Player):
    """Plays the same move in the same position: one of the legal ones, far from always the first.

    It needs no random numbers, so that one game and a batch of games can be compared.
    """

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        legal = boards.legal_mask()
        wanted = (boards.own ^ boards.other >> np.uint64(7)) % np.uint64(61)
        number = wanted % legal.sum(axis=1).astype(np.uint64)  # of the legal move, from 0
        moves = np.argmax(legal.cumsum(axis=1) == number[:, None] + 1, axis=1)
        return np.asarray(moves, np.uint8)


@pytest.fixture
def steady() -> SteadyPlayer:
    return SteadyPlayer()


@dataclass
class FailingPlayer(Player):
    """Fails whenever it is asked, as an engine does that has ended."""

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        raise OutflankError("the engine is gone")


@pytest.fixture
def failing() -> FailingPlayer:
    return FailingPlayer()


@pytest.fixture
def white_never_moves() -> Position:
    """Black plays c1, c3 and c5 in any order and white can only pass; black wins by 64."""
    rows = ["XO------", "--------"] * 3 + ["--------"] * 2
    return Position.from_string("".join(rows), "black")


@pytest.fixture
def black_never_moves(white_never_moves: Position) -> Position:
    """The same with the colours exchanged, white to move."""
    return Position(white_never_moves.white, white_never_moves.black, WHITE)


@pytest.fixture
def drawn() -> Position:
    """Black's only move, c1, ends the game with three discs each."""
    rows = ["XO------", *["--------"] * 4, *["-------O"] * 3]
    return Position.from_string("".join(rows), "black")
