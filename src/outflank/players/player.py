"""What a player is, and what it says when it thinks."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import ClassVar

from outflank._core import Stop as Stop
from outflank.chance import Keys
from outflank.errors import IllegalMoveError
from outflank.evaluations import Unit
from outflank.othello import PASS, Game, Move, Position
from outflank.othello.boards import Boards, MoveArray

__all__ = ["Keys", "OnThought", "Player", "Stop", "Thought"]

Stop = _core.Stop


@dataclass(frozen=True)
class Thought:
    """A move, and what the player thinks of the position, from the mover's view.

    Players fill in what they know: see `gives_values`, `gives_policy` and `gives_visits`.
    """

    move: Move
    value: float | None = None  # what the position is worth if this move is played, in `unit`
    depth: int | None = None  # plies searched
    nodes: int | None = None  # positions looked at
    seconds: float = 0.0
    exact: bool = False  # the value is the final score under perfect play, and so in discs
    line: tuple[Move, ...] = ()  # the expected moves, this one first
    values: dict[Move, float] = field(default_factory=dict)  # of the moves valued, in `unit`
    policy: dict[Move, float] = field(default_factory=dict)  # probabilities of the legal moves
    visits: dict[Move, int] = field(default_factory=dict)  # how often a tree search tried each
    unit: Unit = Unit.OWN  # of `value` and `values`

    def __post_init__(self) -> None:
        if self.exact:
            object.__setattr__(self, "unit", Unit.DISCS)


OnThought = Callable[[Thought], None]


class Abilities:
    """What a player can do; whoever wants to know asks here.

    A class sets these for all its players, without a type: with one they would be options of its
    spec. Where the options decide, `__post_init__` sets them once more.
    """

    needs_games: bool = False  # whether it must see how a position came about
    unit: Unit = Unit.OWN  # what its values are in, but for exact ones
    stoppable: bool = False  # whether `stop` makes it answer at once, with what it has found
    gives_values: bool = False  # whether its thoughts may say what a position is worth
    gives_policy: bool = False  # whether its thoughts may have probabilities of moves
    gives_visits: bool = False  # whether its thoughts may count how often moves were tried


@dataclass
class Player(Abilities, ABC):
    """Something that chooses a move.

    A subclass is a dataclass; its fields are the options of its spec. It is asked only about
    positions that are not over, and answers PASS exactly where that is the only move.
    """

    kind: ClassVar[str]
    summary: ClassVar[str]  # one line for lists

    @property
    def batched(self) -> bool:
        """Whether many boards are best given in one call; if not, they go to several processes."""
        return True

    @property
    def fingerprint(self) -> str:
        """Changes whenever retraining changes the weights; empty for players without weights."""
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

    def think(
        self,
        game: Game,
        *,
        stop: Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought:
        """Choose a move in a game, and say what is thought of its last position.

        Args:
            game: One that is not over.
            stop: Ends the thought from another thread. A `stoppable` player then answers with
                what it has found so far. Others think on; those that have nothing to answer raise
                ThinkingStoppedError.
            on_thought: Is called with what is thought so far, by players that get there in steps.
        """
        refuse_finished(game)
        began = time.perf_counter()
        thought = self._think(game, stop, on_thought)
        return replace(thought, seconds=time.perf_counter() - began)

    def _think(self, game: Game, stop: Stop | None, on_thought: OnThought | None) -> Thought:
        """Think about a game that is not over; `think` measures the time.

        Players that know more than their move do this in their own way.
        """
        if game.position.must_pass:
            return Thought(PASS)
        (move,) = self.choose_in_games([game])
        return Thought(move)

    def rank_moves(
        self,
        game: Game,
        count: int,
        *,
        stop: Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought:
        """Think, and value the best `count` moves if that takes more than choosing one.

        Args:
            game: As for `think`.
            count: How many moves are wanted; a player may value more or fewer.
            stop: As for `think`.
            on_thought: As for `think`.
        """
        return self.think(game, stop=stop, on_thought=on_thought)

    def after_move(self) -> Player:
        """Return the player that looks as far after a move as this one does before it.

        What is seen one ply further is worth something else: whoever moves last has the
        advantage. So a move is compared with others by a search that ends at the same ply.
        """
        return self

    def start_pondering(self, position: Position) -> None:  # most players cannot
        """Think about a position in which the opponent is to move, until asked to choose."""

    def close(self) -> None:  # most players keep nothing running
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


def refuse_finished(game: Game) -> None:
    """Raise the error for a game in which there is nothing to choose."""
    if game.is_over:
        raise IllegalMoveError("there is nothing to choose: the game is over")
