"""Playing a tournament: batches in this process, searches on worker processes, all to the store."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import TracebackType

from outflank import _core, cluster
from outflank.arena.lockstep import Fixture, PlayedGame, play, steps
from outflank.arena.openings import find_openings, is_file_of_openings
from outflank.arena.results import PairResult
from outflank.arena.standings import Standings, tournament_standings
from outflank.arena.store import Store
from outflank.arena.tournament import Tournament
from outflank.othello import Game
from outflank.players import Player, make_player

MakePlayer = Callable[[str], Player]

BATCH = 4096  # games in lockstep at most, if not said otherwise

_FIRST_BATCH = 64
_GAMES = 100  # of a match, if not said otherwise
_SHORT, _TOO_LONG = 2.0, 30.0  # seconds in which a batch is played


class TournamentListener:
    """Hears how a tournament goes; override what is to be shown."""

    def began(self, run: TournamentRunner, played: int) -> None:
        """Hear that it begins or goes on; played: how many games the store has of it."""

    def advanced(self, played: float) -> None:
        """Hear how many games are played, with parts of those that are going on."""


class TournamentRunner:
    """A tournament that is played into a store.

    The tournament is found in the store by its configuration, and goes on from the games that
    are there. Its games depend on the configuration alone, as far as the players do, and not on
    workers, batches and interruptions.

    workers: processes for pairings with a player that is not batched; all cores if None.
    batch: the most games in lockstep. make: makes a player of a spec.
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
        self._workers = workers or _core.available_threads()
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
        self._count = 0
        self._listener = TournamentListener()

    def play(self, listener: TournamentListener | None = None, *, again: bool = False) -> Standings:
        """Play what is left to play, and return the final table.

        Every game is in the store as soon as it has ended. again: a tournament of which all is
        played is played anew.
        """
        self._listener = listener or TournamentListener()
        played = self.store.played(self.number)
        self._count = sum(map(len, played.values()))
        if again and self._count == self.tournament.total:
            self.store.forget_games(self.number)
            played, self._count = {}, 0
        self._listener.began(self, self._count)
        tasks: list[tuple[int, Fixture]] = []
        for pairing in range(len(self.tournament.pairings)):
            left = self.tournament.fixtures(pairing, played.get(pairing, ()))
            if self._is_batched(pairing):
                self._play_in_batches(pairing, left)
            else:
                tasks += [(pairing, fixture) for fixture in left]
        self._play_on_workers(tasks)
        return self.standings()

    def standings(self, anchor: str | None = None) -> Standings:
        """Return the table of the games so far; anchor: the player whose rating is 0."""
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

    def _adapt(self, games: int, seconds: float) -> None:
        """Choose how many games to play together, after some of them took so long.

        Many, for the players' sake; but all of them end late, and are lost if it is interrupted.
        """
        if seconds > _TOO_LONG:
            self._together = max(2, self._together // 2)
        elif games == self._together and seconds < _SHORT:
            self._together = min(self._batch, 4 * self._together)

    def _play_on_workers(self, tasks: Sequence[tuple[int, Fixture]]) -> None:
        """Deal games out one by one, so that a killed process loses only what was being played.

        tasks: games with the numbers of their pairings.
        """
        given = (GameTask(*self.tournament.names(pairing), game) for pairing, game in tasks)
        workers = min(self._workers, max(1, len(tasks)))
        with cluster.start(GameWork(self._make), workers) as crew:
            for outcome in crew.map(given):
                self._keep(tasks[outcome.index][0], [outcome.value])
                self._listener.advanced(self._count)

    def _keep(self, pairing: int, games: Sequence[PlayedGame]) -> None:
        if games:
            self.store.add(self.number, self.tournament, pairing, games)
            self._count += len(games)

    def close(self) -> None:
        """Close the players."""
        for player in self._batched.values():
            player.close()

    def __enter__(self) -> TournamentRunner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


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
            games whose last positions are meant.
        games: How many to play, an even number. Without, 100 from the start or random openings,
            else two from every opening.
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
    """A game for a worker: the specs of the two players, and the game."""

    first: str
    second: str
    fixture: Fixture


class GameWork(cluster.Work[GameTask, PlayedGame]):
    """Plays one game at a time, with players that are kept as long as they go on playing."""

    def __init__(self, make: MakePlayer = make_player) -> None:
        self._make = make
        self._players: dict[tuple[str, int], Player] = {}

    def do(self, task: GameTask) -> PlayedGame:
        """Play a game."""
        # A player that meets itself is two, each with what it remembers of the game.
        seats = ((task.first, 0), (task.second, int(task.first == task.second)))
        for seat in [seat for seat in self._players if seat not in seats]:
            self._players.pop(seat).close()
        for seat in seats:
            if seat not in self._players:
                self._players[seat] = self._make(seat[0])
        (game,) = play((self._players[seats[0]], self._players[seats[1]]), [task.fixture])
        return game

    def close(self) -> None:
        """Close the players."""
        while self._players:
            self._players.popitem()[1].close()
