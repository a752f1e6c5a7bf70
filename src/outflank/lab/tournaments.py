"""Tournaments from the lab: each is a process that plays into the arena's store."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outflank.arena import Standing, Store, ladder
from outflank.arena.standings import tournament_standings
from outflank.arena.store import StoredTournament
from outflank.errors import DataError
from outflank.lab import answers
from outflank.lab.elo import EloScale
from outflank.lab.roster import Roster
from outflank.othello import Game

_MOST_PLAYERS, _MOST_GAMES, _MOST_PLIES = 16, 1000, 20
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_TO_END = 20.0


@dataclass
class _Process:
    process: asyncio.subprocess.Process
    problem: str = ""
    stopped: bool = False  # by hand


class Arena:
    """The store of results, and the running tournaments."""

    def __init__(self, store: Path, roster: Roster) -> None:
        self.store, self.roster = store, roster
        self.elo = EloScale(store, roster)
        store.parent.mkdir(parents=True, exist_ok=True)
        self._processes: dict[int, _Process] = {}
        self._readers: set[asyncio.Task[None]] = set()

    def ladder(self) -> answers.Ladder:
        """Rate all players of the store."""
        if not self.store.is_file():
            return {"players": [], "games": 0}
        with Store(self.store) as store:
            table = ladder(store)
        players = [self._standing(row) for row in table.players]
        unrated = -math.inf
        players.sort(key=lambda row: unrated if row["elo"] is None else row["elo"], reverse=True)
        return {"players": players, "games": table.games}

    def listed(self) -> list[answers.TournamentRow]:
        """Describe all tournaments, the newest first."""
        if not self.store.is_file():
            return []
        with Store(self.store) as store:
            found = store.tournaments()
        return [self._describe(one) for one in reversed(found)]

    def _describe(self, stored: StoredTournament) -> answers.TournamentRow:
        held = self._processes.get(stored.number)
        running = held is not None and held.process.returncode is None
        state: answers.TournamentState = "running" if running else "stopped"
        if not running and stored.games >= stored.total:
            state = "finished"
        if held is not None and held.problem and not running:
            state = "failed"
        over = running or stored.games >= stored.total
        return {
            "id": stored.number,
            "kind": stored.kind,
            "players": stored.players,
            "names": [self.roster.name_of(spec) for spec in stored.players],
            "games": stored.games,
            "total": stored.total,
            "state": state,
            "resumable": not over and all(map(self.roster.is_listed, stored.players)),
            "seed": json.loads(stored.configuration)["seed"],
            "created": stored.created,
            "error": held.problem or None if held else None,
        }

    def details(self, number: int) -> answers.TournamentDetails:
        """Describe a tournament with its table and its pairs."""
        with self._open() as store:
            stored = _stored(store, number)
            tournament = store.tournament(number)
            table = tournament_standings(tournament, store.scores(number))
        return {
            **self._describe(stored),
            "repeats": 2 * len(tournament.openings) < tournament.games,
            "standings": [self._standing(one) for one in table.players],
            "pairs": [
                {"first": pair.first, "second": pair.second, **pair.to_json()}
                for pair in table.pairs
            ],
        }

    def _standing(self, row: Standing) -> answers.RatedPlayer:
        """Describe a player's row, with its one rating; without a rated opponent it has none."""
        rating = self.elo.of(row.spec)
        described: answers.RatedPlayer = {"name": self.roster.name_of(row.spec), **row.to_json()}
        described["elo"] = rating.elo if rating else None
        described["interval"] = (rating.low, rating.high) if rating else None
        return described

    def games(self, number: int, pair: int) -> list[answers.PairGame]:
        """List the games of one pair."""
        with self._open() as store:
            _stored(store, number)
            tournament = store.tournament(number)
            if not 0 <= pair < len(tournament.pairings):
                raise DataError(f"there is no pair {pair}; there are {len(tournament.pairings)}")
            first, second = tournament.names(pair)
            scores = store.scores(number).get(pair, [])
        return [
            {
                "pair": pair,
                "number": one.number,
                "black": first if one.number % 2 == 0 else second,
                "white": second if one.number % 2 == 0 else first,
                "score": one.score,
                "reason": one.reason,
                "plies": (len(one.opening.partition(" ")[2]) - 1 + len(one.moves)) // 2,
            }
            for one in scores
        ]

    def game(self, number: int, pair: int, game: int) -> Game:
        """Return one game as a record."""
        with self._open() as store:
            found = store.game(number, pair, game)
        if found is None:
            raise DataError(f"tournament {number} has no game {game} of pair {pair}")
        names = self.roster.name_of
        return replace(found, black=names(found.black), white=names(found.white))

    def _open(self) -> Store:
        if not self.store.is_file():
            raise DataError("no tournament was played yet")
        return Store(self.store)

    def _row(self, number: int) -> answers.TournamentRow:
        """Describe a tournament as a row of the list."""
        with self._open() as store:
            return self._describe(_stored(store, number))

    async def start(
        self, players: list[str], games: int, plies: int, gauntlet: bool, seed: int
    ) -> answers.BegunTournament:
        """Start a tournament between players of the roster; `again` in the answer: it existed."""
        if not 2 <= len(players) <= _MOST_PLAYERS:
            raise DataError(f"a tournament has 2 to {_MOST_PLAYERS} players")
        if games % 2 or not 2 <= games <= _MOST_GAMES:
            raise DataError(f"games: {games}; accepted is an even number from 2 to {_MOST_GAMES}")
        if not 0 <= plies <= _MOST_PLIES:
            raise DataError(f"plies: {plies}; accepted is 0 to {_MOST_PLIES}")
        words = {
            "players": [self.roster.resolve(spec) for spec in players],
            "games": games,
            "plies": plies,
            "gauntlet": gauntlet,
            "seed": seed,
        }
        return await self._launch(words)

    async def _launch(self, words: dict[str, Any]) -> answers.BegunTournament:
        if any(one.process.returncode is None for one in self._processes.values()):
            raise DataError("a tournament is being played; stop it first, or wait")
        words = {**words, "store": str(self.store)}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "outflank.lab.playing",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        assert process.stdin is not None  # noqa: S101
        assert process.stdout is not None  # noqa: S101
        # The pipe stays open: its end, however it comes, ends the tournament with the lab.
        process.stdin.write(json.dumps(words).encode() + b"\n")
        first = await process.stdout.readline()
        if not first:
            assert process.stderr is not None  # noqa: S101
            text = (await process.stderr.read()).decode("utf-8", "replace").strip()
            await process.wait()
            raise DataError(text.splitlines()[-1] if text else "the tournament did not start")
        began = json.loads(first)
        number = int(began["tournament"])
        held = _Process(process)
        self._processes[number] = held
        reader = asyncio.create_task(self._wait_for(held))
        self._readers.add(reader)
        reader.add_done_callback(self._readers.discard)
        details = await asyncio.to_thread(self.details, number)
        return {**details, "again": began["again"]}

    async def _wait_for(self, held: _Process) -> None:
        assert held.process.stdout is not None  # noqa: S101
        assert held.process.stderr is not None  # noqa: S101
        text = (await held.process.stderr.read()).decode("utf-8", "replace").strip()
        code = await held.process.wait()
        if code not in (0, -signal.SIGTERM, -signal.SIGINT) and not held.stopped:
            held.problem = text.splitlines()[-1] if text else f"it ended with code {code}"

    async def stop(self, number: int) -> answers.TournamentDetails:
        """End the process of a tournament; its games are kept."""
        held = self._processes.get(number)
        if held is None or held.process.returncode is not None:
            raise DataError(f"tournament {number} is not being played")
        await self._end(held)
        return await asyncio.to_thread(self.details, number)

    async def _end(self, held: _Process) -> None:
        """Let a process finish, or else kill it with all its children."""
        held.stopped = True
        held.process.terminate()
        try:
            await asyncio.wait_for(held.process.wait(), _SECONDS_TO_END)
        except asyncio.TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(held.process.pid, signal.SIGKILL)  # it has a session of its own
            await held.process.wait()

    async def resume(self, number: int) -> answers.BegunTournament:
        """Resume a tournament of the store, if all its players are in the roster."""
        described = await asyncio.to_thread(self._row, number)
        if described["state"] in ("running", "finished"):
            raise DataError(f"tournament {number} is {described['state']} already")
        if not described["resumable"]:
            raise DataError("some of its players are not in the lab's list; use the command")
        return await self._launch({"resume": number})

    async def news(self, name: str) -> AsyncIterator[dict[str, Any]]:
        """Yield a tournament whenever it changes."""
        if not name.isdigit():
            raise DataError(f"no such tournament: {name}")
        last = None
        while True:
            described = await asyncio.to_thread(self._row, int(name))
            if described != last:  # only then its games are read and rated
                last = described
                yield {"tournament": await asyncio.to_thread(self.details, int(name))}
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)

    async def close(self) -> None:
        """End the running tournaments; their games are kept."""
        for held in self._processes.values():
            if held.process.returncode is None:
                await self._end(held)
        for reader in list(self._readers):
            reader.cancel()


def _stored(store: Store, number: int) -> StoredTournament:
    for stored in store.tournaments():
        if stored.number == number:
            return stored
    raise DataError(f"no such tournament: {number}")
