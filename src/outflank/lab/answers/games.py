"""Games of the lab, and games of files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from outflank.lab.answers.numbers import Number
from outflank.lab.answers.positions import Place, Side
from outflank.lab.answers.thoughts import Thought


class Seat(TypedDict):
    """Who plays a side."""

    spec: str
    name: Annotated[str, Field(description="who plays, with a handicap if there is one")]
    human: bool


class Clock(TypedDict):
    """The clocks of both sides."""

    black: Annotated[Number, Field(description="seconds used")]
    white: Annotated[Number, Field(description="seconds used")]
    limit: Annotated[Number | None, Field(description="seconds for each side")]
    running: Annotated[Side | None, Field(description="whose clock runs")]


class GameResult(TypedDict):
    """How a game ended."""

    winner: Side | None
    score: Annotated[int, Field(description="black's")]
    reason: Annotated[str, Field(description="board, record, resigned, time or error")]
    text: Annotated[str, Field(description="a sentence for people")]


class Table(TypedDict):
    """A game that is played, watched or reviewed."""

    id: str
    version: Annotated[int, Field(description="grows with every change")]
    black: Seat
    white: Seat
    start: Annotated[str, Field(description='64 characters, a space, "X" or "O"')]
    plies: Annotated[list[Place], Field(description="one more than moves")]
    moves: list[str]
    future: Annotated[list[str], Field(description="what redo would play")]
    opening: str | None
    transcript: str
    thoughts: Annotated[dict[str, Thought], Field(description="by index into moves")]
    clock: Clock
    thinking: Annotated[Side | None, Field(description="whose player thinks now")]
    can_stop: Annotated[
        bool | None,
        Field(description="whether the thinking player can move at once; null: nobody thinks"),
    ]
    can_undo: bool
    given: Annotated[int, Field(description="moves that it began with")]
    paused: bool
    delay: Annotated[Number, Field(description="seconds between moves of two players")]
    budget: Annotated[Number | None, Field(description="discs that the player may give away")]
    result: GameResult | None
    created: Annotated[str, Field(description="UTC, ISO 8601")]
    facts: Annotated[dict[str, str], Field(description="other facts of a record")]


class HumanSides(TypedDict):
    """Which sides people play."""

    black: bool
    white: bool


class GameRow(TypedDict):
    """A game of the list."""

    id: str
    black: str
    white: str
    created: str
    plies: int
    result: GameResult | None
    transcript: str
    opening: str | None
    human: HumanSides
    played: Annotated[bool, Field(description="whether moves were made in the lab")]


class UnreadableGame(TypedDict):
    """A game of the list whose file is damaged."""

    id: str
    problem: str


GameList = list[GameRow | UnreadableGame]


class RecordFormat(TypedDict):
    """A format of game records."""

    name: str
    title: str
    extension: str


class RecordRow(TypedDict):
    """A game of a file that was read."""

    number: int
    black: str
    white: str
    event: str
    date: str
    score: Annotated[int | None, Field(description="black's, if it is known")]
    plies: int
    begins: Annotated[str, Field(description="its first moves, in one word")]


NamesKind = Literal["players", "events"]


class RecordNames(TypedDict):
    """A file of names that was read."""

    token: Annotated[str, Field(description="names the players of a file that is read next")]
    kind: NamesKind
    names: Annotated[int, Field(description="how many")]


class Records(TypedDict):
    """A file of games that was read."""

    token: Annotated[str, Field(description="identifies the file when one of its games is opened")]
    format: str
    games: list[RecordRow]
    bad: Annotated[list[str], Field(description="the first errors")]
