"""Positions, openings, and the version."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

Side = Literal["black", "white"]


class About(TypedDict):
    """The version that runs here."""

    version: str
    build: Annotated[str, Field(description="how the compiled part was built")]
    cores: int


class Place(TypedDict):
    """A position."""

    board: Annotated[
        str, Field(description='64 characters row by row from a1: "-" empty, "X" black, "O" white')
    ]
    turn: Side
    legal: Annotated[
        list[str], Field(description='["pass"] if the mover must pass, [] if the game is over')
    ]
    over: bool
    black: Annotated[int, Field(description="discs")]
    white: Annotated[int, Field(description="discs")]
    empties: int
    score: Annotated[int, Field(description="black's; empty squares count for the winner")]


class PlaceInGame(Place):
    """A position and the moves that led to it."""

    opening: Annotated[str | None, Field(description="its name, if it has one")]
    moves: list[str]


class Opening(TypedDict):
    """A named opening."""

    name: str
    moves: Annotated[str, Field(description="in one word: f5d6c3")]
