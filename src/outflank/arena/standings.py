"""Tables: the players of a tournament, or of all stored games, by rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from outflank.arena.ratings import Bouts, Rating, rate, rate_beside
from outflank.arena.results import PairResult, Score
from outflank.arena.rows import StandingRow
from outflank.arena.store import Store
from outflank.arena.tournament import Tournament
from outflank.errors import OutflankError


@dataclass(frozen=True)
class Standing:
    """A player's row of a table, from its own view."""

    spec: str
    rating: Rating
    games: int
    wins: int
    draws: int
    losses: int
    discs: float | None  # mean difference in the games that ended on the board
    seconds_per_move: float | None
    errors: int  # games lost by an error

    @property
    def winning_rate(self) -> float | None:
        """Points per game, a draw being half; None without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    def to_json(self) -> StandingRow:
        """Return the row as JSON, for the command and the lab alike."""
        return {
            "spec": self.spec,
            "elo": self.rating.elo,
            "interval": (self.rating.low, self.rating.high),
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "winning_rate": self.winning_rate,
            "discs": self.discs,
            "seconds_per_move": self.seconds_per_move,
            "errors": self.errors,
        }


@dataclass(frozen=True)
class Standings:
    """A table: players from the best rating down, and the result of each pairing."""

    players: tuple[Standing, ...]
    pairs: tuple[PairResult, ...]
    games: int
    total: int  # games that will be played


@dataclass
class _Sum:
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    discs: int = 0
    on_board: int = 0
    seconds: float = 0.0
    moves: int = 0
    errors: int = 0

    def add(self, score: int, lost_by_error: bool, game: Score, black: bool) -> None:
        """Count a game, with the score from this player's view."""
        self.games += 1
        self.wins += score > 0
        self.draws += score == 0
        self.losses += score < 0
        self.errors += lost_by_error and score < 0
        if not lost_by_error:
            self.discs += score
            self.on_board += 1
        self.seconds += game.black_seconds if black else game.white_seconds
        self.moves += game.black_moves if black else game.white_moves

    def standing(self, spec: str, rating: Rating) -> Standing:
        return Standing(
            spec,
            rating,
            self.games,
            self.wins,
            self.draws,
            self.losses,
            self.discs / self.on_board if self.on_board else None,
            self.seconds / self.moves if self.moves else None,
            self.errors,
        )


class _Tally:
    """Gathers games of numbered players for a table."""

    def __init__(self, specs: Sequence[str]) -> None:
        self.specs = specs
        self.sums = [_Sum() for _ in specs]
        self.bouts: dict[tuple[int, int, int], tuple[int, int, float, int]] = {}

    def add(self, place: tuple[int, int], first: int, second: int, game: Score) -> None:
        """Count a game; with `place`, the number of its opening is unique."""
        first_is_black = game.number % 2 == 0
        self.sums[first].add(game.first_score, bool(game.reason), game, first_is_black)
        if first != second:
            self.sums[second].add(-game.first_score, bool(game.reason), game, not first_is_black)
        bout = (*place, game.number // 2)
        _, _, points, games = self.bouts.get(bout, (0, 0, 0.0, 0))
        self.bouts[bout] = first, second, points + game.first_points, games + 1

    def all_bouts(self) -> Bouts:
        """Return the results of all openings."""
        columns = list(zip(*self.bouts.values(), strict=True)) or [(), (), (), ()]
        return Bouts(
            np.array(columns[0], np.int64),
            np.array(columns[1], np.int64),
            np.array(columns[2], np.float64),
            np.array(columns[3], np.int64),
        )

    def standings(self, anchor: str | None) -> tuple[Standing, ...]:
        """Return all rows, the best first, and last those without games."""
        ratings = rate(self.all_bouts(), len(self.specs), _find(anchor, self.specs))
        rows = [
            sums.standing(spec, rating)
            for spec, sums, rating in zip(self.specs, self.sums, ratings, strict=True)
        ]
        return tuple(sorted(rows, key=lambda row: (not row.games, -row.rating.elo)))


def tournament_standings(
    tournament: Tournament, scores: Mapping[int, Sequence[Score]], anchor: str | None = None
) -> Standings:
    """Make the table of a tournament from the games played so far, given by pairing."""
    same = len(set(tournament.players)) == 1
    tally = _Tally(tournament.players[:1] if same else tournament.players)
    pairs = []
    for pairing, (first, second) in enumerate(tournament.pairings):
        games = scores.get(pairing, ())
        pairs.append(PairResult.of(*tournament.names(pairing), games))
        for game in games:
            tally.add((0, pairing), first, 0 if same else second, game)
    played = sum(len(games) for games in scores.values())
    return Standings(tally.standings(anchor), tuple(pairs), played, tournament.total)


def ladder(store: Store, anchor: str | None = None) -> Standings:
    """Make the table of all games in a store.

    A game that the same players repeated move for move counts once: tournaments with players in
    common play the same games, and deterministic players can play no others.
    """
    tally, games = _tally_of(store)
    rows = tuple(row for row in tally.standings(anchor) if row.games)
    return Standings(rows, (), games, games)


def ratings_beside(store: Store, known: Mapping[str, float]) -> dict[str, Rating]:
    """Rate the players of a store beside those whose Elo is known and stays.

    Args:
        store: With the games of all.
        known: Elo by spec.

    Returns:
        Ratings by the specs that a ladder shows, of those that games connect with known players.
    """
    tally, _ = _tally_of(store)
    found = rate_beside(tally.all_bouts(), [known.get(spec) for spec in tally.specs])
    return {spec: one for spec, one in zip(tally.specs, found, strict=True) if one is not None}


def _tally_of(store: Store) -> tuple[_Tally, int]:
    """Gather all games of a store; return how many they are, too."""
    numbers = {number: index for index, number in enumerate(store.players())}
    tally = _Tally(_names(list(store.players().values())))
    seen: set[int] = set()
    for tournament, pairing, black, white, game in store.all_scores():
        game_hash = hash((black, white, game.opening, game.moves))
        if game_hash in seen:
            continue
        seen.add(game_hash)
        first, second = (white, black) if game.number % 2 else (black, white)
        tally.add((tournament, pairing), numbers[first], numbers[second], game)
    return tally, len(seen)


def _names(identities: Sequence[tuple[str, str]]) -> list[str]:
    """Name players by their specs; equal specs get their fingerprints added."""
    specs = [spec for spec, _ in identities]
    return [
        spec if specs.count(spec) == 1 else f"{spec} [{fingerprint[:8] or 'no data'}]"
        for spec, fingerprint in identities
    ]


def _find(anchor: str | None, specs: Sequence[str]) -> int | None:
    if anchor is None:
        return None
    if anchor not in specs:
        raise OutflankError(
            f"no such player for the anchor: {anchor!r}; players are {', '.join(specs)}"
        )
    return list(specs).index(anchor)
