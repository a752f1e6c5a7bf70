"""The interface of players: they choose moves and report thoughts."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import ClassVar

from outflank._core import Solver, Stop
from outflank.chance import Keys
from outflank.errors import IllegalMoveError
from outflank.evaluations import Unit
from outflank.othello import PASS, Game, Move, Position
from outflank.othello.boards import Boards, MoveArray

__all__ = ["Keys", "OnThought", "Player", "Stop", "Thought"]


@dataclass(frozen=True)
class Thought:
    """A move and the player's view of the position. Values are from the mover's view.

    Players fill in what they know; see `gives_values`, `gives_policy` and `gives_visits`.
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
    """What a player can do. Code that needs to know asks the player, not its type.

    A class sets these for all its players, without a type annotation: with one they would become
    options of its spec. Where the options decide, `__post_init__` sets them again.
    """

    needs_games: bool = False  # whether it needs the moves that led to a position
    unit: Unit = Unit.OWN  # of its values; exact ones are in discs
    stoppable: bool = False  # whether `stop` makes it answer at once with the best so far
    gives_values: bool = False  # whether its thoughts may say what a position is worth
    gives_policy: bool = False  # whether its thoughts may have probabilities of moves
    gives_visits: bool = False  # whether its thoughts may count how often moves were tried
    guides_endings: bool = False  # whether its solver can leave out what is almost certain


@dataclass
class Player(Abilities, ABC):
    """Something that chooses a move.

    A subclass is a dataclass; its fields are the options of its spec. It is asked only about
    positions that are not over, and answers PASS exactly when that is the only move.
    """

    kind: ClassVar[str]
    summary: ClassVar[str]  # one line for lists

    @property
    def batched(self) -> bool:
        """Whether many boards are best given in one call, rather than to several processes."""
        return True

    @property
    def fingerprint(self) -> str:
        """Changes whenever retraining changes the weights; empty for players without weights."""
        return ""

    @abstractmethod
    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose a move for each board: uint8[n], squares 0..63 or 64 for a pass.

        A player that plays at random takes its random numbers from `keys` if given, otherwise
        from its own seed.
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
        """Choose a move in a game, and return it with the player's view of the position.

        Args:
            game: A game that is not over.
            stop: Stops thinking from another thread. A `stoppable` player then answers with the
                best it has found. Others ignore it, or raise ThinkingStoppedError if they have
                no answer.
            on_thought: Called with intermediate thoughts, by players that have them.
        """
        refuse_finished(game)
        began = time.perf_counter()
        thought = self._think(game, stop, on_thought)
        return replace(thought, seconds=time.perf_counter() - began)

    def _think(self, game: Game, stop: Stop | None, on_thought: OnThought | None) -> Thought:
        """Think about a game that is not over; `think` measures the time.

        Players that know more than their move override it.
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

        Values swing with the parity of the depth, since the side that moves last has an
        advantage. So moves are compared by searches that end at the same ply.
        """
        return self

    def make_solver(self, megabytes: int) -> Solver:
        """Return a new endgame solver, guided by what the player knows if it can do that."""
        return Solver(megabytes)

    def start_pondering(self, position: Position) -> None:  # most players cannot
        """Think about a position in which the opponent is to move, until asked to choose."""

    def stop_pondering(self) -> None:  # most players cannot
        """End thinking on the opponent's time; what was found is kept."""

    def close(self) -> None:  # most players keep nothing running
        """End whatever the player keeps running. It is not asked again."""

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
    """Raise IllegalMoveError if a game is over."""
    if game.is_over:
        raise IllegalMoveError("there is nothing to choose: the game is over")
