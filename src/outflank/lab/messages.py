"""What a page may send over the socket; anything else is refused with a reason."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

GameId = Annotated[str, Field(pattern=r"^[a-z2-7]{12}$")]
SpecText = Annotated[str, Field(min_length=1, max_length=200)]
Ply = Annotated[int, Field(ge=0, le=200)]
Name = Annotated[str, Field(max_length=255, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$")]


class Message(BaseModel):
    """One JSON object with a type; unknown fields are an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Ping(Message):
    """Asks whether the server is there."""

    type: Literal["ping"]


class GameMessage(Message):
    """A message about one game."""

    game: GameId


class Simple(GameMessage):
    """A request without further fields."""

    type: Literal["leave", "undo", "redo", "swap", "restart", "pause", "go", "step", "stop"]


class Join(GameMessage):
    """Follow a game. With `watch`, only look: the game does not run because of it."""

    type: Literal["join"]
    watch: bool = False


class Play(GameMessage):
    """Play a move after the first `ply` moves."""

    type: Literal["move"]
    ply: Ply
    move: Annotated[str, Field(min_length=2, max_length=4)]


class GoTo(GameMessage):
    """Go to a ply of the game."""

    type: Literal["goto"]
    ply: Ply


class Resign(GameMessage):
    """Resign."""

    type: Literal["resign"]
    side: Literal["black", "white"]


class Delay(GameMessage):
    """Set the delay between moves of two players."""

    type: Literal["delay"]
    seconds: Annotated[float, Field(ge=0, le=60, strict=False)]


class Hints(GameMessage):
    """Ask for the values of all moves, or stop asking."""

    type: Literal["hints"]
    ply: Ply | None


class Opinions(GameMessage):
    """Ask what players would do."""

    type: Literal["opinions"]
    ply: Ply
    players: Annotated[list[SpecText], Field(max_length=12)]


class Review(GameMessage):
    """Review the game with a player, or stop the review."""

    type: Literal["review"]
    player: SpecText | None


class Follow(Message):
    """Follow a run or a tournament, or stop following it."""

    type: Literal["follow"]
    what: Literal["run", "tournament"]
    name: Name | Annotated[int, Field(ge=0)]
    on: bool


AnyMessage = (
    Ping | Join | Simple | Play | GoTo | Resign | Delay | Hints | Opinions | Review | Follow
)
MESSAGES: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="type")])
