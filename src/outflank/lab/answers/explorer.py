"""Statistics of the user's WThor games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from outflank.lab.answers.positions import Place


class GameCounts(TypedDict):
    """Results of some games, and their years."""

    games: int
    black: Annotated[int, Field(description="won by black")]
    draws: int
    white: Annotated[int, Field(description="won by white")]
    first: Annotated[int, Field(description="year; 0 without games")]
    last: int


class ExploredMove(GameCounts):
    """A move that was played."""

    move: str


class ExploredGame(TypedDict):
    """A game in which the position came up."""

    number: int
    black: str
    white: str
    year: str
    event: str
    score: Annotated[int | None, Field(description="black's")]
    transcript: str


class Explored(GameCounts):
    """What was played in a position."""

    place: Place
    opening: str | None
    moves: Annotated[list[str], Field(description="that lead there; passes are put in")]
    first_year: Annotated[int, Field(description="of all games")]
    last_year: int
    next: list[ExploredMove]
    sample: list[ExploredGame]


class NotExplored(TypedDict):
    """A position for which there are no games to explore, and why."""

    place: Place
    moves: list[str]
    games: Literal[0]
    next: list[ExploredMove]
    sample: list[ExploredGame]
    error: str
