"""What the server sends over the socket. What a page may send is in messages.py.

Nothing is checked while the lab runs, since a whole game is sent after every move. The tests check
every message of a session.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from outflank.lab.answers.arena import TournamentDetails
from outflank.lab.answers.games import Table
from outflank.lab.answers.numbers import Number
from outflank.lab.answers.positions import Side
from outflank.lab.answers.runs import RunRow
from outflank.lab.answers.thoughts import Hints, Opinions, Review, Thought


class Pong(TypedDict):
    """The answer to a ping."""

    type: Literal["pong"]


class TableNews(TypedDict):
    """A whole game, after every change."""

    type: Literal["table"]
    table: Table


class Gone(TypedDict):
    """A game that was deleted."""

    type: Literal["gone"]
    game: str


class Thinking(TypedDict):
    """What the player to move thinks so far."""

    type: Literal["thinking"]
    game: str
    side: Side
    thought: Thought


class RunNews(TypedDict):
    """A run that has changed."""

    type: Literal["run"]
    run: RunRow
    metrics: Annotated[list[dict[str, Number]], Field(description="those that are new")]


class TournamentNews(TypedDict):
    """A tournament that has changed."""

    type: Literal["tournament"]
    tournament: TournamentDetails


class LiveError(TypedDict):
    """What went wrong."""

    type: Literal["error"]
    about: Annotated[str, Field(description="the type of the message that it is about")]
    message: str


AnyLive = (
    Pong
    | TableNews
    | Gone
    | Thinking
    | Hints
    | Opinions
    | Review
    | RunNews
    | TournamentNews
    | LiveError
)
LIVE: TypeAdapter[AnyLive] = TypeAdapter(Annotated[AnyLive, Field(discriminator="type")])
