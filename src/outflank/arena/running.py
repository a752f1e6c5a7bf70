"""Plays tournaments: batches in this process, searches in workers, every game into the store.

On a cluster of other machines, batches are played in workers, too.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from outflank import cluster
from outflank.arena.lockstep import Fixture, PlayedGame, play, steps
from outflank.arena.openings import find_openings, is_file_of_openings
from outflank.arena.results import PairResult
from outflank.arena.standings import Standings, tournament_standings
from outflank.arena.store import Store
from outflank.arena.tournament import Tournament, TournamentError
from outflank.errors import DataError
from outflank.locks import LockedError, take_lock
from outflank.othello import Game
from outflank.players import Player, make_player

MakePlayer = Callable[[str], Player]

BATCH = 4096  # most games in lockstep, by default

_FIRST_BATCH = 64
_LEAST_BATCH = 16  # of a worker elsewhere, even if others then have nothing to do
_GAMES = 100  # of a match, by default
_SHORT, _TOO_LONG = 2.0, 30.0  # seconds in which a batch is played


class TournamentListener:
    """Is notified of a tournament's progress; override what is to be shown."""

    def began(self, run: TournamentRunner, played: int) -> None:
        """Called at the start, with the number of games that the store already has."""

    def advanced(self, played: float) -> None:
        """Called with the number of games played; unfinished ones count in part."""


class TournamentRunner:
    """A tournament that is played into a store.

    The store finds the tournament by its configuration, and play continues from the games that it
    has. The games depend on the configuration alone (if the players do), not on workers, batches
    or interruptions.

    Args:
        tournament: What to play.
        store: Where the games are kept.
        workers: Processes for pairings with a player that is not batched; all cores of the
            cluster (outflank.cluster.using) if None.
        batch: Most games in lockstep.
        make: Makes a player from a spec.
    """

    def __init__(
        self,
        tournament: Tournament,
        store: Store,
        *,
        workers: int | None = None,
        batch: int = BATCH,
        make: MakePlayer = make_player,
    ) -> None:
        self.store = store
        self._workers = workers
        self._batch = batch
        self._together = min(batch, _FIRST_BATCH)
        self._make = make
        self._batched: dict[str, Player] = {}
        fingerprints = {}
        for spec in dict.fromkeys(tournament.players):
            player = make(spec)
            fingerprints[spec] = player.fingerprint
            if player.batched:
                self._batched[spec] = player
            else:
                player.close()  # the workers make their own
        self.tournament = replace(
            tournament, fingerprints=tuple(fingerprints[spec] for spec in tournament.players)
        )
        self.number = store.enter(self.tournament)
        self._lock = _take_lock(store, self.number)
        self._count = 0
        self._listener = TournamentListener()

    def play(self, listener: TournamentListener | None = None, *, again: bool = False) -> Standings:
        """Play the remaining games and return the final table.

        Every game is in the store as soon as it has ended.

        Args:
            listener: Is notified of the progress.
            again: Whether to play a finished tournament again.
        """
        self._listener = listener or TournamentListener()
        played = self.store.played(self.number)
        self._count = sum(map(len, played.values()))
        if again and self._count == self.tournament.total:
            self.store.forget_games(self.number)
            played, self._count = {}, 0
        self._listener.began(self, self._count)
        tasks: list[tuple[int, Sequence[Fixture]]] = []
        for pairing in range(len(self.tournament.pairings)):
            left = self.tournament.fixtures(pairing, played.get(pairing, ()))
            if not self._is_batched(pairing):
                tasks += [(pairing, [fixture]) for fixture in left]
            elif cluster.is_remote():
                tasks += [(pairing, games) for games in self._batches(left)]
            else:
                self._play_in_batches(pairing, left)
        self._play_on_workers(tasks)
        return self.standings()

    def standings(self, anchor: str | None = None) -> Standings:
        """Return the table of the games so far. The anchor is the player whose rating is 0."""
        return tournament_standings(self.tournament, self.store.scores(self.number), anchor)

    def games(self) -> Iterator[Game]:
        """Yield the games so far as records."""
        return self.store.games(self.number)

    def _is_batched(self, pairing: int) -> bool:
        return all(spec in self._batched for spec in self.tournament.names(pairing))

    def _play_in_batches(self, pairing: int, fixtures: Sequence[Fixture]) -> None:
        first, second = (self._batched[spec] for spec in self.tournament.names(pairing))
        at = 0
        while at < len(fixtures):
            began = time.monotonic()
            games = fixtures[at : at + self._together]
            for ended, share in steps((first, second), games):
                self._keep(pairing, ended)
                self._listener.advanced(self._count + share)
            at += len(games)
            self._adapt(len(games), time.monotonic() - began)

    def _batches(self, fixtures: Sequence[Fixture]) -> Iterator[Sequence[Fixture]]:
        """Divide games among workers elsewhere, each of which plays its own in lockstep."""
        fair = -(-len(fixtures) // (2 * cluster.count_workers(self._workers)))
        size = min(self._batch, max(_LEAST_BATCH, fair))
        return (fixtures[start : start + size] for start in range(0, len(fixtures), size))

    def _adapt(self, games: int, seconds: float) -> None:
        """Choose how many games to play together, by the time that the last batch took.

        Large batches suit the players, but their games end late and an interruption loses them.
        """
        if seconds > _TOO_LONG:
            self._together = max(2, self._together // 2)
        elif games == self._together and seconds < _SHORT:
            self._together = min(self._batch, 4 * self._together)

    def _play_on_workers(self, tasks: Sequence[tuple[int, Sequence[Fixture]]]) -> None:
        """Hand games out a few at a time, so that a killed process loses only the running games.

        Each task is some games with the number of their pairing.
        """
        if not tasks:
            return
        given = (GameTask(*self.tournament.names(pairing), games) for pairing, games in tasks)
        workers = min(cluster.count_workers(self._workers), len(tasks))
        players = self.tournament.players
        fingerprints = dict(zip(players, self.tournament.fingerprints, strict=True))
        with cluster.start(GameWork(self._make, fingerprints), workers) as crew:
            for outcome in crew.map(given):
                self._keep(tasks[outcome.index][0], outcome.value)
                self._listener.advanced(self._count)

    def _keep(self, pairing: int, games: Sequence[PlayedGame]) -> None:
        if games:
            self.store.add(self.number, self.tournament, pairing, games)
            self._count += len(games)

    def close(self) -> None:
        """Close the players, and let other processes play the tournament."""
        for player in self._batched.values():
            player.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> TournamentRunner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _take_lock(store: Store, number: int) -> int | None:
    """Lock a tournament of a store, as a run is: two processes would play its games twice."""
    if store.path == ":memory:":
        return None
    path = Path(store.path)
    try:
        return take_lock(path.with_name(f"{path.name}-{number}.lock"))
    except LockedError:
        raise TournamentError(
            f"{path}: another process is playing tournament {number}; wait for it, or end it"
        ) from None


def match(
    first: str,
    second: str,
    *,
    openings: str | Sequence[Game] = "random:6",
    games: int | None = None,
    seed: int = 0,
    store: Store | None = None,
    workers: int | None = 1,
) -> PairResult:
    """Play a match and return its result, from the first player's view.

    Every opening is played twice, with colours swapped.

    Args:
        first: A player's spec.
        second: The other player's spec.
        openings: Where games begin: "start", "random:PLIES", a file of games or positions, or
            games, of which the last positions count.
        games: How many to play, an even number. Default: two from every opening of a file, 100
            otherwise.
        seed: Of random openings, and of players that play at random.
        store: Where the games are kept; nowhere if None.
        workers: Processes for players that search; all cores if None. With more than one, a
            script must begin its work under `if __name__ == "__main__":`.
    """
    if isinstance(openings, str):
        if games is None and not is_file_of_openings(openings):
            games = _GAMES
        openings = find_openings(openings, None if games is None else max(1, games // 2), seed=seed)
    tournament = Tournament((first, second), tuple(openings), games or 2 * len(openings), seed)
    with (
        contextlib.nullcontext(store) if store else Store(":memory:") as kept,
        TournamentRunner(tournament, kept, workers=workers) as run,
    ):
        return run.play().pairs[0]


@dataclass(frozen=True)
class GameTask:
    """Games for a worker: the specs of the two players, and the games."""

    first: str
    second: str
    fixtures: Sequence[Fixture]


class GameWork(cluster.Work[GameTask, list[PlayedGame]]):
    """Plays the games of a task in lockstep, and keeps its players until the pairing changes.

    Args:
        make: Makes a player from a spec.
        fingerprints: Of the players, by spec; those that play elsewhere must be the same.
    """

    def __init__(
        self, make: MakePlayer = make_player, fingerprints: Mapping[str, str] | None = None
    ) -> None:
        self._make = make
        self._fingerprints = dict(fingerprints or {})
        self._far = False  # whether it goes to machines with other files
        self._players: dict[tuple[str, int], Player] = {}

    def prepare(self) -> None:
        """Make every player once, so that their files go along."""
        self._far = True
        for spec in self._fingerprints:
            self._find(spec).close()

    def _find(self, spec: str) -> Player:
        player = self._make(spec)
        if self._far and player.fingerprint != self._fingerprints.get(spec, player.fingerprint):
            player.close()
            raise DataError(f"{spec}: it is another player now than when the tournament began")
        return player

    def do(self, task: GameTask) -> list[PlayedGame]:
        """Play some games."""
        # A player that meets itself needs two instances, since each remembers its game.
        seats = ((task.first, 0), (task.second, int(task.first == task.second)))
        for seat in [seat for seat in self._players if seat not in seats]:
            self._players.pop(seat).close()
        for seat in seats:
            if seat not in self._players:
                self._players[seat] = self._find(seat[0])
        return list(play((self._players[seats[0]], self._players[seats[1]]), task.fixtures))

    def close(self) -> None:
        """Close the players."""
        while self._players:
            self._players.popitem()[1].close()
