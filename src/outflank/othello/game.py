"""A game: a start position and moves, with what is known about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from outflank.errors import IllegalMoveError, NotationError
from outflank.othello.colors import Color
from outflank.othello.draw import svg
from outflank.othello.moves import PASS, Move
from outflank.othello.position import Position

if TYPE_CHECKING:
    from outflank.othello.draw.terminal import BoardPicture


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody said about one move: words, the mover's evaluation, the time it took."""

    comment: str = ""
    value: float | None = None  # in discs, from the mover's view
    seconds: float | None = None


class _Replayed:
    """Holds what is known of a game's positions. No fields: equality and pickle ignore them."""

    __slots__ = ("_last", "_positions")
    _last: Position  # apart from the others: many games are kept that are asked for it alone
    _positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class Game(_Replayed):
    """A start position, the moves from there (passes included), and the facts of the game.

    Immutable: playing and undoing return new games. A game keeps its positions once it was asked
    for them, and the games that are played or taken back from it share them.

    >>> game = Game().play("f5").play("d6")
    >>> game.position.turn
    <Color.BLACK: 'black'>
    >>> game.undo().transcript
    'f5'
    """

    start: Position = field(default_factory=Position.start)
    moves: tuple[Move, ...] = ()
    black: str = ""
    white: str = ""
    date: str = ""  # as the source writes it; ISO 8601 where we write it ourselves
    event: str = ""
    site: str = ""
    result: int | None = None  # black's final score as recorded, which may differ from the board
    comment: str = ""
    notes: Mapping[int, Note] = field(default_factory=dict, hash=False)  # by index of the move
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)  # what else a file says

    @classmethod
    def from_moves(
        cls, moves: Iterable[Move | int | str], start: Position | None = None, **facts: Any
    ) -> Game:
        """Make a game from its moves; passes may be left out and are then put in.

        Every move is checked; an illegal one raises IllegalMoveError and names its number.
        """
        position = start = start or Position.start()
        played: list[Move] = []
        for number, move in enumerate(map(Move, moves), start=1):
            if not move.is_pass and position.must_pass:
                position = position.play(PASS)
                played.append(PASS)
            try:
                position = position.play(move)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"move {number}: {error}") from None
            played.append(move)
        return cls(start, tuple(played), **facts)

    @classmethod
    def from_transcript(cls, text: str, start: Position | None = None, **facts: Any) -> Game:
        """Read a game such as 'f5d6c3d3c4', in upper or lower case.

        Spaces, commas and move numbers between the moves are allowed; passes are put in where
        they are forced.
        """
        return cls.from_moves(parse_transcript(text), start, **facts)

    @property
    def transcript(self) -> str:
        """The moves in one word, without passes: 'f5d6c3'."""
        return "".join(move.name for move in self.moves if not move.is_pass)

    def play(self, move: Move | int | str) -> Game:
        """Return the game with one more legal move."""
        move = Move(move)
        after = self.position.play(move)
        known = self._known_positions
        longer = replace(self, moves=(*self.moves, move))
        return longer._keeping(after, known and (*known, after))

    def undo(self, plies: int = 1) -> Game:
        """Return the game without its last plies (passes count as plies)."""
        if not 0 <= plies <= len(self.moves):
            raise IndexError(f"cannot take back {plies} of {len(self.moves)} plies")
        keep = len(self.moves) - plies
        notes = {ply: note for ply, note in self.notes.items() if ply < keep}
        known = self._known_positions
        shorter = replace(self, moves=self.moves[:keep], notes=notes)
        return shorter._keeping(known[keep], known[: keep + 1]) if known else shorter

    def with_facts(self, **facts: Any) -> Game:
        """Return the game with other facts, such as `black`, `date` or `notes`."""
        if facts.keys() & {"start", "moves"}:
            raise TypeError("start and moves are no facts of a game; make another game of them")
        return replace(self, **facts)._keeping(self.position, self._known_positions)

    def positions(self) -> tuple[Position, ...]:
        """Return the start position and the position after every ply; replayed only once."""
        known = self._known_positions
        if known is None:
            found = [self.start]
            for move in self.moves:
                found.append(found[-1].play(move))
            known = tuple(found)
            self._keeping(known[-1], known)
        return known

    @property
    def position(self) -> Position:
        """The position after the last move; replayed only once."""
        try:
            return self._last
        except AttributeError:
            last = self.start
            for move in self.moves:
                last = last.play(move)
            return self._keeping(last, None)._last

    @property
    def _known_positions(self) -> tuple[Position, ...] | None:
        return getattr(self, "_positions", None)

    def _keeping(self, last: Position, positions: tuple[Position, ...] | None) -> Game:
        """Remember what is already known of the positions."""
        object.__setattr__(self, "_last", last)
        if positions is not None:
            object.__setattr__(self, "_positions", positions)
        return self

    @property
    def is_over(self) -> bool:
        """True if neither side can move any more."""
        return self.position.is_over

    @property
    def score(self) -> int:
        """Black's score on the board as it stands, the empty squares going to the winner."""
        return self.position.score_of(Color.BLACK)

    def __len__(self) -> int:
        return len(self.moves)

    def __str__(self) -> str:
        players = f"{self.black or '?'} - {self.white or '?'}"
        facts = ", ".join(fact for fact in (players, self.event, self.date) if fact)
        return f"{facts}: {self.transcript or '(no moves)'}"

    @property
    def last(self) -> Move | None:
        """The last move, if there is one."""
        return self.moves[-1] if self.moves else None

    def __rich__(self) -> BoardPicture:
        from outflank.othello.draw import terminal  # Rich is slow to import

        return terminal.BoardPicture(self.position, last=self.last)

    def _repr_svg_(self) -> str:
        return svg.draw(self.position, last=self.last)


_BETWEEN_MOVES = re.compile(r"(?:[\s,;]|\d+\.(?:\.\.)?)*")
_MOVE = re.compile(r"[a-h][1-8]|pass|pa|ps|--", re.IGNORECASE)


def parse_transcript(text: str) -> list[Move]:
    """Split a transcript into its moves, without asking whether they are legal."""
    moves = []
    at = _skip(text, 0)
    while at < len(text):
        match = _MOVE.match(text, at)
        if match is None:
            raise NotationError(
                f"not a move at character {at + 1}: {text[at : at + 8]!r}; "
                "moves are a1..h8 and pass"
            )
        moves.append(Move(match.group()))
        at = _skip(text, match.end())
    return moves


def _skip(text: str, at: int) -> int:
    match = _BETWEEN_MOVES.match(text, at)
    return match.end() if match else at
