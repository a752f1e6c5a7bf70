"""Ratings, tournaments and their games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from outflank.arena.rows import PairRow, StandingRow

TournamentState = Literal["running", "stopped", "finished", "failed"]


class RatedPlayer(StandingRow):
    """A player's row with its name; without games it has no rating."""

    name: str


class Ladder(TypedDict):
    """All players of the store, from the best rating down."""

    players: list[RatedPlayer]
    games: int


class TournamentRow(TypedDict):
    """A tournament of the list."""

    id: int
    kind: str
    players: Annotated[list[str], Field(description="specs")]
    names: list[str]
    games: Annotated[int, Field(description="played so far")]
    total: int
    state: TournamentState
    resumable: bool
    seed: int
    created: Annotated[str, Field(description="UTC, ISO 8601")]
    error: str | None


class Pairing(PairRow):
    """The games between two players, with their specs by name."""

    first: str
    second: str


class TournamentDetails(TournamentRow):
    """A tournament with its table."""

    repeats: Annotated[bool, Field(description="whether openings repeat")]
    standings: list[RatedPlayer]
    pairs: list[Pairing]


class BegunTournament(TournamentDetails):
    """A tournament that was started or resumed."""

    again: Annotated[bool, Field(description="whether it was already in the store")]


class PairGame(TypedDict):
    """A game of a pair."""

    pair: int
    number: int
    black: str
    white: str
    score: Annotated[int, Field(description="black's")]
    reason: Annotated[str, Field(description="why it ended, if not on the board")]
    plies: int
