"""The saved state of a table: its game, players, clocks, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from pydantic import TypeAdapter

from outflank.lab import answers
from outflank.othello import Game, Move, Position

FORMAT = 1
_LONGEST_REASON = 100  # characters
NO_TIME = {"black": 0.0, "white": 0.0}
# Fields that pages get as they are kept.
_THOUGHTS: TypeAdapter[dict[int, answers.Thought]] = TypeAdapter(dict[int, answers.Thought])
_RESULT: TypeAdapter[answers.GameResult | None] = TypeAdapter(answers.GameResult | None)


@dataclass
class TableState:
    """Everything about a table that is kept on disk."""

    id: str
    black: str
    white: str
    game: Game = field(default_factory=Game)  # start and moves; what else is known is in `facts`
    future: list[Move] = field(default_factory=list)  # what redo plays, next first
    thoughts: dict[int, answers.Thought] = field(default_factory=dict)
    used: dict[str, float] = field(default_factory=lambda: dict(NO_TIME))
    used_at: dict[int, dict[str, float]] = field(default_factory=dict)  # when a ply began
    given: int = 0  # moves that the game began with
    limit: float | None = None  # seconds for each side
    budget: float | None = None  # discs that a player may give away
    delay: float = 0.0
    paused: bool = False
    result: answers.GameResult | None = None  # if the game did not end on the board
    created: str = ""
    facts: dict[str, str] = field(default_factory=dict)  # names, event, date of a record
    notes: dict[int, dict[str, Any]] = field(default_factory=dict)  # of a record, by move
    opened: bool = False  # a record that was opened, and not played on

    @property
    def start(self) -> Position:
        """Where the game began."""
        return self.game.start

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves up to now."""
        return self.game.moves

    @property
    def is_played(self) -> bool:
        """Whether moves were made here, besides those that it began with."""
        return not self.opened and len(self.moves) + len(self.future) > self.given

    def to_json(self) -> dict[str, Any]:
        """Return the state as JSON."""
        kept = {name: value for name, value in vars(self).items() if name != "game"}
        return {
            **kept,
            "format": FORMAT,
            "start": self.start.to_string(),
            "moves": [move.name for move in self.moves],
            "future": [move.name for move in self.future],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TableState:
        """Read what to_json wrote; a wrong one raises KeyError, TypeError or ValueError."""
        if data.pop("format") != FORMAT:
            raise ValueError("another format")
        start = Position.from_string(data.pop("start"))
        moves = [Move(name) for name in data.pop("moves")]
        future = [Move(name) for name in data.pop("future")]
        data["thoughts"] = _THOUGHTS.validate_python(data.get("thoughts", {}))
        data["result"] = _RESULT.validate_python(data.get("result"))
        for name in ("used_at", "notes"):  # JSON has no numbers as keys
            data[name] = {int(ply): value for ply, value in data.get(name, {}).items()}
        whole = Game(start, (*moves, *future))
        whole.positions()  # all moves must be legal
        return cls(game=whole.undo(len(future)), future=future, **data)

    def add(self, move: Move) -> None:
        """Add a move; moves to redo stay if they begin with it."""
        self.game = self.game.play(move)
        self.opened = False
        if self.future and self.future[0] == move:
            del self.future[0]
        elif self.future:
            self.future = []
            self._forget_from(len(self.moves) - 1)
        self.used_at[len(self.moves)] = dict(self.used)

    def cut(self, ply: int) -> None:
        """Drop the moves from a ply on, including those to redo."""
        self.result, self.future = None, []
        self.game = self.game.undo(len(self.moves) - ply)
        self._set_clocks_back(ply)
        self._forget_from(ply)

    def go_to(self, ply: int) -> None:
        """Go to a ply, with its clocks; later moves can be redone."""
        self.result = None
        self._cut_in_two(ply)
        self._set_clocks_back(ply)

    def restart(self) -> None:
        """Start again with the given moves and full clocks."""
        self._cut_in_two(self.given)
        self.future, self.result = [], None
        self._forget_from(self.given)
        self.used = dict(NO_TIME)

    def _cut_in_two(self, ply: int) -> None:
        """Keep the first `ply` moves; the others become moves to redo."""
        every = [*self.moves, *self.future]
        for move in every[len(self.moves) : ply]:
            self.game = self.game.play(move)
        self.game = self.game.undo(len(self.moves) - ply)
        self.future = every[ply:]

    def _set_clocks_back(self, ply: int) -> None:
        """Set the clocks back to the beginning of a ply."""
        known = [at for at in self.used_at if at <= ply]
        self.used = dict(self.used_at[max(known)] if known else NO_TIME)

    def _forget_from(self, ply: int) -> None:
        """Drop the notes about the moves from a ply on."""
        self.given = min(self.given, ply)
        self.thoughts = {at: one for at, one in self.thoughts.items() if at < ply}
        self.notes = {at: one for at, one in self.notes.items() if at < ply}
        self.used_at = {at: one for at, one in self.used_at.items() if at <= ply}


def result_of(score: int, reason: str) -> answers.GameResult:
    """Describe how a game ended, by black's score."""
    winner: answers.Side | None = None if score == 0 else "black" if score > 0 else "white"
    most, least = (64 + abs(score)) // 2, (64 - abs(score)) // 2
    text = f"{winner.capitalize()} wins {most}–{least}." if winner else "A draw."
    return {"winner": winner, "score": score, "reason": reason, "text": text}


def recorded_result(score: int, comment: str) -> answers.GameResult:
    """Describe the result of a record whose game did not end on the board."""
    result = result_of(score, "record")
    why = f" ({comment})" if comment and len(comment) < _LONGEST_REASON else ""
    return {**result, "text": f"{result['text'][:-1]}, by the record{why}."}


def new_state(key: str, black: str, white: str, game: Game) -> TableState:
    """Make the state of a new table from a game, which may have moves."""
    created = datetime.now(timezone.utc).isoformat(timespec="seconds")
    given = 0 if game.is_over else len(game.moves)
    bare = Game(game.start, game.moves)
    return TableState(key, black, white, bare, created=created, given=given)
