"""What a player is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from outflank.errors import IllegalMoveError
from outflank.othello import PASS, Move, Position
from outflank.othello.boards import Boards, MoveArray


@dataclass
class Player(ABC):
    """Something that chooses a move.

    A subclass is a dataclass; its fields are the options of its spec. It is asked only about
    positions that are not over, and answers PASS exactly where that is the only move.
    """

    kind: ClassVar[str]
    summary: ClassVar[str]  # one line for lists

    @abstractmethod
    def choose_many(self, boards: Boards) -> MoveArray:
        """Choose a move for each board: uint8[n], squares 0..63 or 64 for a pass."""

    def choose(self, position: Position) -> Move:
        """Choose a move for one position."""
        if position.is_over:
            raise IllegalMoveError("there is nothing to choose: the game is over")
        if position.must_pass:
            return PASS
        return Move(int(self.choose_many(Boards.from_positions([position]))[0]))
