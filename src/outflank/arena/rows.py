"""Rows of results as JSON: the command's (with --json) and the lab's."""

from __future__ import annotations

from typing_extensions import TypedDict  # pydantic reads typing's own from Python 3.12 on only


class LostGame(TypedDict):
    """A game lost by an error, not on the board."""

    game: int
    player: str
    reason: str


class PairRow(TypedDict):
    """The games between two players, from the first one's view."""

    players: list[str]
    games: int
    wins: int
    draws: int
    losses: int
    winning_rate: float | None  # None without games
    interval: tuple[float, float]
    discs: float | None  # mean difference in the games that ended on the board
    winning_rate_black: float | None  # of the first player where it has black
    winning_rate_white: float | None
    seconds_per_move: tuple[float | None, float | None]
    different_games: int  # that differ in opening, colours or moves
    errors: list[LostGame]


class StandingRow(TypedDict):
    """A player's row of a table, from its own view."""

    spec: str
    elo: float | None
    interval: tuple[float, float] | None
    games: int
    wins: int
    draws: int
    losses: int
    winning_rate: float | None
    discs: float | None
    seconds_per_move: float | None
    errors: int  # games lost by an error
