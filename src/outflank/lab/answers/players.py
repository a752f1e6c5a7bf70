"""The players that can be chosen."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from outflank.lab.answers.numbers import Interval, Number


class PlayerOption(TypedDict):
    """A number that may be chosen for a player."""

    name: str
    label: str
    default: Annotated[Number | None, Field(description="null: it may be left out")]
    least: Number
    most: Number
    step: Number
    help: str


class ListedPlayer(TypedDict):
    """A player that can be chosen."""

    spec: Annotated[str, Field(description="without the options")]
    name: str
    summary: str
    elo: Annotated[Number | None, Field(description="where it was rated; random has 0")]
    interval: Interval | None
    options: list[PlayerOption]
    values: Annotated[bool, Field(description="whether it gives values")]
    handicap: Annotated[bool, Field(description="whether it can give discs away")]


class PlayerGroup(TypedDict):
    """A group of players."""

    id: str
    title: str
    about: Annotated[str, Field(description="a sentence about its players")]
    players: list[ListedPlayer]
    notice: Annotated[str | None, Field(description="what is wrong with some of them")]


class Players(TypedDict):
    """All players that can be chosen."""

    groups: list[PlayerGroup]
    reviewer: Annotated[str, Field(description="spec of the player that reviews games")]
    hinter: Annotated[str, Field(description="spec of the player that gives hints")]
    opponent: Annotated[str, Field(description="spec of the player for somebody new")]
