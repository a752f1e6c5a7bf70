"""Results of games between two players: winning rate, its interval, discs, times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank.arena.ratings import NORMAL_95
from outflank.arena.rows import PairRow

# Openings added to an interval's data: this many won twice, and this many lost twice.
_CAREFUL_PAIRS = 2


@dataclass(frozen=True)
class Score:
    """What a results table needs to know of a game."""

    number: int  # of the game between its players; the first has black in even ones
    score: int  # black's view
    reason: str
    black_seconds: float
    white_seconds: float
    black_moves: int
    white_moves: int
    opening: str = ""
    moves: str = ""

    @property
    def first_score(self) -> int:
        """The score from the first player's view."""
        return -self.score if self.number % 2 else self.score

    @property
    def first_points(self) -> float:
        """The points of the first player: 1, 0.5 or 0."""
        return 0.5 + 0.5 * ((self.first_score > 0) - (self.first_score < 0))


@dataclass(frozen=True)
class LostByError:
    """A game that a player lost by an error, not on the board."""

    number: int
    player: str
    reason: str


@dataclass(frozen=True)
class PairResult:
    """The games between two players, from the first one's view."""

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    winning_rate: float | None  # None without games
    interval: tuple[float, float]
    black_rate: float | None  # winning rate of the first player where it has black
    white_rate: float | None
    discs: float | None  # mean difference in the games that ended on the board
    seconds_per_move: tuple[float | None, float | None]
    errors: tuple[LostByError, ...]
    different: int  # games that differ in opening, colours or moves

    @classmethod
    def of(cls, first: str, second: str, games: Sequence[Score]) -> PairResult:
        """Sum up games."""
        points = np.array([game.first_points for game in games])
        numbers = np.array([game.number for game in games], np.int64)
        on_board = [game.first_score for game in games if not game.reason]
        return cls(
            first,
            second,
            len(games),
            int((points == 1).sum()),
            int((points == 0.5).sum()),
            int((points == 0).sum()),
            _mean(points),
            winning_rate_interval(mean_of_pairs(numbers, points)),
            _mean(points[numbers % 2 == 0]),
            _mean(points[numbers % 2 == 1]),
            _mean(np.array(on_board, np.float64)),
            (_seconds_per_move(games, 0), _seconds_per_move(games, 1)),
            tuple(_lost_by_error(first, second, game) for game in games if game.reason),
            len({(game.opening, game.moves, game.number % 2) for game in games}),
        )

    def to_json(self) -> PairRow:
        """Return the result as JSON, for the command and the lab alike."""
        return {
            "players": [self.first, self.second],
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "winning_rate": self.winning_rate,
            "interval": self.interval,
            "discs": self.discs,
            "winning_rate_black": self.black_rate,
            "winning_rate_white": self.white_rate,
            "seconds_per_move": self.seconds_per_move,
            "different_games": self.different,
            "errors": [
                {"game": error.number, "player": error.player, "reason": error.reason}
                for error in self.errors
            ],
        }


def mean_of_pairs(numbers: NDArray[np.int64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean points of the games of each opening."""
    _, opening, games = np.unique(numbers // 2, return_inverse=True, return_counts=True)
    return np.bincount(opening, points, minlength=len(games)) / games


def winning_rate_interval(pairs: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95% interval of a winning rate, from the mean points of each opening.

    An opening is one observation, since its two games are not independent. Two openings won twice
    and two lost twice are added; the interval is mean +- 1.96 s / sqrt(n) of these n openings, cut
    to 0..1, where s is their standard deviation. The four added openings keep the interval honest
    when all openings ended alike; among hundreds they hardly matter.
    """
    careful = np.concatenate([pairs, np.ones(_CAREFUL_PAIRS), np.zeros(_CAREFUL_PAIRS)])
    middle = float(careful.mean())
    margin = NORMAL_95 * float(careful.std(ddof=1)) / len(careful) ** 0.5
    return max(0.0, middle - margin), min(1.0, middle + margin)


def _mean(values: NDArray[np.float64]) -> float | None:
    return float(values.mean()) if len(values) else None


def _seconds_per_move(games: Sequence[Score], player: int) -> float | None:
    """Return the time per move of the first (0) or second (1) player; None without moves."""
    seconds, moves = 0.0, 0
    for game in games:
        black = game.number % 2 == player
        seconds += game.black_seconds if black else game.white_seconds
        moves += game.black_moves if black else game.white_moves
    return seconds / moves if moves else None


def _lost_by_error(first: str, second: str, game: Score) -> LostByError:
    loser = first if game.first_score < 0 else second
    return LostByError(game.number, loser, game.reason)
