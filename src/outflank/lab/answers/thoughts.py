"""What players think of a position, of every move, or of a whole game."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import NotRequired, TypedDict

from outflank.lab.answers.numbers import Number
from outflank.lab.answers.positions import Side

Unit = Annotated[
    str,
    Field(
        description="discs; result: the expected one, from -1 to 1; own: the player's own scale",
        json_schema_extra={"enum": ["discs", "result", "own"]},
    ),
]


class Thought(TypedDict):
    """What a player thinks of a position."""

    move: str
    value: Annotated[Number | None, Field(description="the mover's view")]
    unit: Unit
    depth: int | None
    nodes: int | None
    seconds: Number
    exact: Annotated[bool, Field(description="the value is the score under perfect play")]
    line: Annotated[list[str], Field(description="the moves that it expects, its own first")]
    values: Annotated[dict[str, Number], Field(description="by move")]
    kind: Annotated[Literal["probabilities", "values"], Field(description="what `values` are")]
    policy: Annotated[NotRequired[dict[str, Number]], Field(description="probabilities by move")]
    visits: Annotated[
        NotRequired[dict[str, Number]], Field(description="by move, how often a search chose it")
    ]


class Analysis(Thought):
    """What a player thinks, with its spec."""

    player: Annotated[str, Field(description="its whole spec")]


class Hints(TypedDict):
    """Values of all moves in a position, deeper and deeper."""

    type: Literal["hints"]
    game: str
    ply: int
    values: Annotated[dict[str, Number], Field(description="by move, the mover's view")]
    unit: Unit
    exact: bool
    depth: int
    done: Annotated[bool, Field(description="whether this is final")]


class Opinion(TypedDict):
    """What one player would do."""

    spec: str
    name: str
    thought: Thought | None
    error: Annotated[NotRequired[str], Field(description="why there is no thought")]


class Opinions(TypedDict):
    """What players would do in a position; those that have answered so far."""

    type: Literal["opinions"]
    game: str
    ply: int
    players: list[Opinion]


class ReviewedMove(TypedDict):
    """A reviewed move; values are from black's view, for graphs."""

    ply: Annotated[int, Field(description="from 1")]
    move: str
    side: Side
    value: Annotated[Number | None, Field(description="black's view")]
    best: str
    best_value: Annotated[Number | None, Field(description="black's view")]
    loss: Annotated[Number | None, Field(description="what the move gave away")]
    exact: bool
    unit: Unit
    line: Annotated[list[str], Field(description="the best moves from there")]


class Review(TypedDict):
    """The review of a game so far."""

    type: Literal["review"]
    game: str
    done: Annotated[int, Field(description="moves")]
    of: Annotated[int, Field(description="moves")]
    moves: list[ReviewedMove]
