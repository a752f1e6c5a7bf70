"""What a page may send in the body of a request."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from outflank.lab.messages import SpecText

Start = Annotated[
    str | None, Field(max_length=200, description="64 squares and the side to move; - X O")
]
Transcript = Annotated[str, Field(max_length=400, description="moves in one word: f5d6c3")]


class Body(BaseModel):
    """A JSON object; unknown fields are an error, and so is text where a number is expected."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PositionBody(Body):
    """A position, by its start and the moves from there."""

    start: Start = None
    moves: Transcript = ""


class AnalyseBody(PositionBody):
    """A position to think about, and the player that should."""

    player: SpecText = "alphabeta:eval=patterns,depth=6"


class GameBody(PositionBody):
    """A game to create."""

    black: SpecText = "human"
    white: SpecText = "human"
    minutes: Annotated[float | None, Field(gt=0, le=600)] = None
    delay: Annotated[float, Field(ge=0, le=60)] = 0.0
    budget: Annotated[float | None, Field(ge=0, le=1000)] = None
    paused: bool = False


class RunBody(Body):
    """A run to start."""

    learner: Annotated[str, Field(max_length=40)]
    preset: Annotated[str, Field(max_length=40)]
    name: Annotated[str, Field(max_length=40)]
    settings: Annotated[
        list[Annotated[str, Field(max_length=100)]], Field(max_length=60)
    ] = []  # pydantic copies it


class TournamentBody(Body):
    """A tournament to start."""

    players: Annotated[list[SpecText], Field(min_length=2, max_length=16)]
    games: Annotated[int, Field(ge=2, le=1000)] = 20
    plies: Annotated[int, Field(ge=0, le=20)] = 6
    gauntlet: bool = False
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
