"""All tables: on disk, one file each, and in memory while in use."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from outflank.errors import DataError, FileError, OutflankError, SpecError
from outflank.files import read_bytes, write_bytes
from outflank.lab import answers
from outflank.lab.roster import HUMAN, Roster
from outflank.lab.table import Table
from outflank.lab.table_state import TableState, new_state, recorded_result
from outflank.lab.thinking import Pool
from outflank.othello import Game
from outflank.othello.openings import opening_name

_ID = re.compile(r"[a-z2-7]{12}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_IN_MEMORY = 200
_ON_DISK = 2000  # the oldest go


class NoSuchGameError(DataError):
    """A game that does not exist, or no longer."""


class Tables:
    """The lab's games."""

    def __init__(self, folder: Path, roster: Roster, pool: Pool) -> None:
        self.folder, self.roster, self.pool = folder / "games", roster, pool
        self._tables: dict[str, Table] = {}  # most recently used last
        self._writer = _Writer()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(self.folder, "make the folder", error) from error

    def create(
        self,
        black: str,
        white: str,
        game: Game,
        *,
        minutes: float | None = None,
        budget: float | None = None,
        delay: float = 0.0,
        paused: bool = False,
    ) -> Table:
        """Create a game; the specs are those of the roster."""
        for spec in (black, white):
            if spec == HUMAN:
                continue
            self.roster.resolve(spec)
            if budget is not None and self.roster.network_of(spec) is None:
                name = self.roster.name_of(spec)
                raise SpecError(f"{name} plays without a handicap; only networks can have one")
        state = new_state(_new_key(), black, white, game)
        state.limit = None if minutes is None else 60 * minutes
        state.budget, state.delay, state.paused = budget, delay, paused
        return self._add(state)

    def open(self, game: Game) -> Table:
        """Create a game from a record, to look at."""
        state = new_state(_new_key(), HUMAN, HUMAN, game)
        names = ("black", "white", "date", "event", "site", "comment")
        state.facts = {name: getattr(game, name) for name in names if getattr(game, name)}
        state.notes = {ply: asdict(note) for ply, note in game.notes.items()}
        state.paused, state.given, state.opened = True, 0, True
        if game.result is not None and not game.is_over:
            state.result = recorded_result(game.result, game.comment)
        return self._add(state)

    def _add(self, state: TableState) -> Table:
        write_bytes(self._path(state.id), _bytes_of(state))
        self._remove_oldest()
        return self._enter(state)

    def find(self, key: str) -> Table:
        """Return a table by its id."""
        if key in self._tables:
            self._tables[key] = self._tables.pop(key)
            return self._tables[key]
        return self._enter(self._read(self._path(key)))

    async def remove(self, key: str) -> None:
        """Delete a game, and report that to everyone who follows it."""
        table = self._tables.pop(key, None)
        if table is not None:
            table.remove()
            await asyncio.to_thread(table.close_players)
        path = self._path(key)
        self._writer.forget(path)
        if not path.is_file():
            raise NoSuchGameError(f"no such game: {key}")
        path.unlink()

    def listed(self, most: int = 200) -> answers.GameList:
        """Describe the games, the newest first."""
        return [self._describe(path) for path in self._paths()[:most]]

    def _describe(self, path: Path) -> answers.GameRow | answers.UnreadableGame:
        held = self._tables.get(path.stem)
        try:
            table = held or Table(self._read(path), self.roster, self.pool, self._write)
        except DataError as error:
            return {"id": path.stem, "problem": str(error)}
        game = table.game
        return {
            "id": path.stem,
            "black": game.black,
            "white": game.white,
            "created": table.state.created,
            "plies": len(game.moves),
            "result": table.result,
            "transcript": game.transcript,
            "opening": opening_name(game),
            "human": {
                "black": table.state.black == HUMAN,
                "white": table.state.white == HUMAN,
            },
            "played": table.state.is_played,
        }

    def _enter(self, state: TableState) -> Table:
        table = Table(state, self.roster, self.pool, self._write)
        self._tables[state.id] = table
        for key in list(self._tables)[: max(0, len(self._tables) - _IN_MEMORY)]:
            if not self._tables[key].is_watched:
                self._tables.pop(key).close()
        return table

    def _path(self, key: str) -> Path:
        if not _ID.fullmatch(key):  # nothing else ever becomes part of a path
            raise NoSuchGameError("no such game: an id has 12 letters")
        return self.folder / f"{key}.json"

    def _read(self, path: Path) -> TableState:
        content = self._writer.waiting(path)
        if content is None and not path.is_file():
            raise NoSuchGameError(f"no such game: {path.stem}")
        try:
            return TableState.from_json(json.loads(content or read_bytes(path)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{path.name}: not a game of the lab: {error}") from None

    def _write(self, state: TableState, stored: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()  # in which pages get their news
        path, content = self.folder / f"{state.id}.json", _bytes_of(state)
        self._writer.write(path, content, lambda: loop.call_soon_threadsafe(stored))

    def _paths(self) -> list[Path]:
        found = []
        for path in self.folder.glob("*.json"):
            try:
                found.append((path.stat().st_mtime, path))
            except OSError:  # removed meanwhile
                continue
        return [path for _, path in sorted(found, reverse=True)]

    def _remove_oldest(self) -> None:
        for path in self._paths()[_ON_DISK:]:
            if path.stem not in self._tables:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Save all games and close their players."""
        for table in self._tables.values():
            table.close()
        self._writer.close()


class _Writer:
    """Writes files on a thread, since a disk may take longer than a page should wait.

    If several contents wait for one file, only the last is written.
    """

    def __init__(self) -> None:
        self._waiting: dict[Path, bytes] = {}
        self._stored: dict[Path, list[Callable[[], object]]] = {}  # called when that is written
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writing")

    def write(self, path: Path, content: bytes, stored: Callable[[], object]) -> None:
        """Write a file soon, and call `stored` when this content or a later one is written."""
        with self._lock:
            new = path not in self._waiting
            self._waiting[path] = content
            self._stored.setdefault(path, []).append(stored)
        if new:
            self._thread.submit(self._write, path)

    def waiting(self, path: Path) -> bytes | None:
        """Return the content that waits for a file, if any."""
        with self._lock:
            return self._waiting.get(path)

    def forget(self, path: Path) -> None:
        """Drop what waits for a file, and wait until nothing writes it."""
        with self._lock:
            self._waiting.pop(path, None)
            self._stored.pop(path, None)
        self._thread.submit(int).result()

    def _write(self, path: Path) -> None:
        with self._lock:
            content = self._waiting.get(path)
            stored = self._stored.pop(path, [])
        if content is None:
            return
        with contextlib.suppress(OutflankError):  # a full disk must not end the game
            write_bytes(path, content)
        for call in stored:
            with contextlib.suppress(RuntimeError):  # the lab is being closed
                call()
        with self._lock:
            again = self._waiting.get(path) is not content
            if not again:
                self._waiting.pop(path, None)
        if again:
            self._write(path)

    def close(self) -> None:
        """Write everything that waits."""
        self._thread.shutdown(wait=True)


def _new_key() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(12))


def _bytes_of(state: TableState) -> bytes:
    return json.dumps(state.to_json()).encode()
