"""What a player is."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import ClassVar

from outflank.chance import Keys
from outflank.errors import IllegalMoveError
from outflank.othello import PASS, Game, Move, Position
from outflank.othello.boards import Boards, MoveArray

__all__ = ["Keys", "Player", "Thought"]


@dataclass(frozen=True)
class Thought:
    """A move, and what the player thinks of the position."""

    move: Move
    value: float | None = None  # from the mover's view, in the player's own unit
    depth: int | None = None  # plies searched
    nodes: int | None = None  # positions looked at
    seconds: float = 0.0
    exact: bool = False  # the value is the final score under perfect play
    line: tuple[Move, ...] = ()  # the expected moves, this one first
    values: dict[Move, float] = field(default_factory=dict)  # of all moves that were valued


@dataclass
class Player(ABC):
    """Something that chooses a move.

    A subclass is a dataclass; its fields are the options of its spec. It is asked only about
    positions that are not over, and answers PASS exactly where that is the only move.
    """

    kind: ClassVar[str]
    summary: ClassVar[str]  # one line for lists
    needs_games: ClassVar[bool] = False  # whether it must see how a position came about

    @property
    def batched(self) -> bool:
        """Whether many boards are best given in one call; if not, they go to several processes."""
        return True

    @property
    def fingerprint(self) -> str:
        """What tells players of one spec apart that were learned anew; empty if none can be."""
        return ""

    @abstractmethod
    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose a move for each board: uint8[n], squares 0..63 or 64 for a pass.

        A player that plays at random takes its random numbers from the boards' `keys` if they
        are given, and else from its own seed.
        """

    def choose(self, position: Position) -> Move:
        """Choose a move for one position."""
        if position.is_over:
            raise IllegalMoveError("there is nothing to choose: the game is over")
        if position.must_pass:
            return PASS
        return Move(int(self.choose_many(Boards.from_positions([position]))[0]))

    def choose_in_games(self, games: Sequence[Game], keys: Keys | None = None) -> list[Move]:
        """Choose a move in each game; players with `needs_games` look at the moves so far."""
        boards = Boards.from_positions(game.position for game in games)
        return [Move(int(move)) for move in self.choose_many(boards, keys)]

    def think(self, position: Position) -> Thought:
        """Choose a move for one position and tell what is thought of it."""
        began = time.perf_counter()
        move = self.choose(position)
        return Thought(move, seconds=time.perf_counter() - began)

    def start_pondering(self, position: Position) -> None:  # noqa: B027  # most players cannot
        """Think about a position in which the opponent is to move, until asked to choose."""

    def close(self) -> None:  # noqa: B027  # most players keep nothing running
        """End what the player keeps running; it is not asked again."""

    def __enter__(self) -> Player:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
