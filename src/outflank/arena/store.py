"""The results store: a SQLite file that has every game as soon as it is played.

Games are written in transactions of a write-ahead log, so a killed process loses nothing that it
wrote, and several processes may write to one file.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType

from outflank.arena.lockstep import PlayedGame
from outflank.arena.results import Score
from outflank.arena.tournament import Tournament
from outflank.data import store_folder
from outflank.errors import FileError
from outflank.othello import SQUARES, Game, Move, Position

_APPLICATION = 0x4F75_7466  # "Outf": distinguishes our files from other SQLite files
_VERSION = 1
_SQLITE = b"SQLite format 3\0"  # how every database begins
_PATIENCE = 60.0  # seconds to wait for another process that writes

_MOVE_TEXTS = [*(square.name for square in SQUARES), "--"]  # all of two letters

_SCHEMA = """
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    spec TEXT NOT NULL,
    fingerprint TEXT NOT NULL,  -- of the player's data; empty if it has none
    UNIQUE (spec, fingerprint)
);
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,  -- of the configuration
    kind TEXT NOT NULL,  -- match, round robin or gauntlet
    configuration TEXT NOT NULL,  -- JSON
    created TEXT NOT NULL  -- UTC, ISO 8601
);
CREATE TABLE openings (
    tournament INTEGER NOT NULL REFERENCES tournaments (id),
    number INTEGER NOT NULL,  -- from 0
    start TEXT NOT NULL,  -- board and side to move
    moves TEXT NOT NULL,  -- from there; play begins after them
    PRIMARY KEY (tournament, number)
) WITHOUT ROWID;
CREATE TABLE games (
    tournament INTEGER NOT NULL REFERENCES tournaments (id),
    pairing INTEGER NOT NULL,  -- of the tournament, from 0
    number INTEGER NOT NULL,  -- of the pairing, from 0; the first player has black in even ones
    opening INTEGER NOT NULL,
    black INTEGER NOT NULL REFERENCES players (id),
    white INTEGER NOT NULL REFERENCES players (id),
    moves TEXT NOT NULL,  -- after the opening: f5d6, -- is a pass
    score INTEGER NOT NULL,  -- black's view; 64 or -64 for a game lost by error
    reason TEXT NOT NULL,  -- of a game lost by error, else empty
    black_seconds REAL NOT NULL,
    white_seconds REAL NOT NULL,
    black_moves INTEGER NOT NULL,  -- that the player was asked for
    white_moves INTEGER NOT NULL,
    finished TEXT NOT NULL,  -- UTC, ISO 8601
    PRIMARY KEY (tournament, pairing, number)
) WITHOUT ROWID;
"""

_ADD_GAME = """
INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tournament, pairing, number) DO NOTHING
"""

_SCORES = """
SELECT pairing, games.number, score, reason, black_seconds, white_seconds, black_moves,
    white_moves, start || openings.moves, games.moves
FROM games JOIN openings
    ON openings.tournament = games.tournament AND openings.number = games.opening
WHERE games.tournament = ? ORDER BY pairing, games.number
"""

_GAMES = """
SELECT start, openings.moves, games.moves, black.spec, white.spec, games.finished, score, reason,
    kind, hash
FROM games
JOIN openings ON openings.tournament = games.tournament AND openings.number = games.opening
JOIN players AS black ON black.id = games.black
JOIN players AS white ON white.id = games.white
JOIN tournaments ON tournaments.id = games.tournament
WHERE (? IS NULL OR games.tournament = ?) {} ORDER BY games.tournament, pairing, games.number
"""

_TOURNAMENTS = """
SELECT id, kind, configuration, created,
    (SELECT count(*) FROM games WHERE games.tournament = tournaments.id)
FROM tournaments ORDER BY id
"""

_ALL_GAMES = """
SELECT games.tournament, pairing, games.number, black, white, score, reason, black_seconds,
    white_seconds, black_moves, white_moves, start || openings.moves, games.moves
FROM games JOIN openings
    ON openings.tournament = games.tournament AND openings.number = games.opening
ORDER BY games.tournament, pairing, games.number
"""


def default_store() -> Path:
    """Return the default store, in the user's data folder."""
    return store_folder("arena") / "results.sqlite"


@dataclass(frozen=True)
class StoredTournament:
    """A tournament as lists show it."""

    number: int
    kind: str
    configuration: str  # JSON
    created: str  # UTC, ISO 8601
    games: int  # that were played

    @property
    def players(self) -> list[str]:
        """The specs of its players."""
        return list(json.loads(self.configuration)["players"])

    @property
    def total(self) -> int:
        """How many games it has in all."""
        count = len(self.players)
        pairs = count - 1 if self.kind == "gauntlet" else count * (count - 1) // 2
        return int(json.loads(self.configuration)["games"]) * pairs


class Store:
    """An open results store.

    Args:
        path: The file, or ":memory:" for results that are not kept.
        create: Whether to make a file that does not exist.
    """

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.path = path
        if path != ":memory:" and not create and not Path(path).exists():
            raise FileError(path, "read", "there is no results store; match and tournament make it")
        _refuse_others(Path(path), create)
        with self._failing("open"):
            try:
                self._open(str(path))
            except sqlite3.OperationalError as error:
                read_only = "readonly" in str(error) or "unable to open" in str(error)
                if create or not read_only:
                    raise
                # On a disk that cannot be written, nobody changes it either.
                self._open(f"{Path(path).absolute().as_uri()}?immutable=1", read_only=True)

    def _open(self, place: str, *, read_only: bool = False) -> None:
        # Transactions are explicit.
        self._connection = sqlite3.connect(
            place, timeout=_PATIENCE, isolation_level=None, uri=read_only
        )
        try:
            self._prepare(read_only)
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, read_only: bool) -> None:
        application, version = self._header()
        if (application, version) != (_APPLICATION, _VERSION):
            with self._transaction():
                application, version = self._header()  # another process may have been faster
                empty = not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()
                if empty:
                    for statement in _SCHEMA.split(";\n"):
                        self._connection.execute(statement)
                    self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                    self._connection.execute(f"PRAGMA user_version = {_VERSION}")
                elif application != _APPLICATION:
                    raise FileError(self.path, "open", "it is not a results store")
                elif version != _VERSION:
                    raise FileError(
                        self.path,
                        "open",
                        f"it has version {version}; this program needs {_VERSION}",
                    )
        if read_only:
            return
        self._use_write_ahead_log()
        # With the log, this loses nothing when a process is killed, and damages nothing when the
        # power fails.
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA foreign_keys = ON")

    def _header(self) -> tuple[int, int]:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        return application, version

    def _use_write_ahead_log(self) -> None:
        """Switch the log on; SQLite itself does not wait for other processes here."""
        give_up = time.monotonic() + _PATIENCE
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > give_up:
                    raise
                time.sleep(0.01)

    @contextmanager
    def _failing(self, action: str) -> Iterator[None]:
        """Turn SQLite's errors into ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise FileError(self.path, action, str(error)) from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write all of the block or nothing."""
        with self._failing("write"):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def enter(self, tournament: Tournament) -> int:
        """Return the number of a tournament in this store; add it if it is new."""
        with self._transaction():
            found = self._connection.execute(
                "SELECT id FROM tournaments WHERE hash = ?", (tournament.hash,)
            ).fetchone()
            if found:
                return int(found[0])
            number = self._connection.execute(
                "INSERT INTO tournaments (hash, kind, configuration, created) VALUES (?, ?, ?, ?)",
                (tournament.hash, tournament.kind, tournament.configuration, _now()),
            ).lastrowid
            assert number is not None  # noqa: S101  # a row was inserted
            self._connection.executemany(
                "INSERT INTO openings VALUES (?, ?, ?, ?)",
                [
                    (number, index, game.start.to_string(), _moves_text(game.moves))
                    for index, game in enumerate(tournament.openings)
                ],
            )
            self._connection.executemany(
                "INSERT INTO players (spec, fingerprint) VALUES (?, ?) ON CONFLICT DO NOTHING",
                _identities(tournament),
            )
            return number

    def forget_games(self, tournament: int) -> None:
        """Delete the games of a tournament, to play them again."""
        with self._transaction():
            self._connection.execute("DELETE FROM games WHERE tournament = ?", (tournament,))

    def add(
        self, number: int, tournament: Tournament, pairing: int, games: Iterable[PlayedGame]
    ) -> None:
        """Write games of a pairing; a game that is already there stays as it is.

        Args:
            number: Of the tournament in this store.
            tournament: The tournament.
            pairing: Its pairing, by index.
            games: The games.
        """
        identities = _identities(tournament)
        first, second = (identities[index] for index in tournament.pairings[pairing])
        with self._transaction():
            ids = [
                self._connection.execute(
                    "SELECT id FROM players WHERE spec = ? AND fingerprint = ?", identity
                ).fetchone()[0]
                for identity in (first, second)
            ]
            self._connection.executemany(
                _ADD_GAME,
                [
                    (
                        number,
                        pairing,
                        game.number,
                        tournament.opening_of(game.number),
                        ids[game.number % 2],
                        ids[1 - game.number % 2],
                        _moves_text(game.moves),
                        game.score,
                        game.reason,
                        game.black_seconds,
                        game.white_seconds,
                        game.black_moves,
                        game.white_moves,
                        _now(),
                    )
                    for game in games
                ],
            )

    def played(self, tournament: int) -> dict[int, set[int]]:
        """Return the numbers of the games that were played, by pairing."""
        numbers: dict[int, set[int]] = {}
        with self._failing("read"):
            for pairing, number in self._connection.execute(
                "SELECT pairing, number FROM games WHERE tournament = ?", (tournament,)
            ):
                numbers.setdefault(pairing, set()).add(number)
        return numbers

    def scores(self, tournament: int) -> dict[int, list[Score]]:
        """Return the scores of a tournament's games in the order of their numbers, by pairing."""
        scores: dict[int, list[Score]] = {}
        with self._failing("read"):
            for pairing, *facts in self._connection.execute(_SCORES, (tournament,)):
                scores.setdefault(pairing, []).append(Score(*facts))
        return scores

    def players(self) -> dict[int, tuple[str, str]]:
        """Return specs and fingerprints of all players, by their number in this store."""
        with self._failing("read"):
            rows = self._connection.execute("SELECT id, spec, fingerprint FROM players ORDER BY id")
            return {number: (spec, fingerprint) for number, spec, fingerprint in rows}

    def all_scores(self) -> Iterator[tuple[int, int, int, int, Score]]:
        """Yield all games: (tournament, pairing, black's and white's number, score)."""
        with self._failing("read"):
            for tournament, pairing, number, black, white, *facts in self._connection.execute(
                _ALL_GAMES
            ):
                yield tournament, pairing, black, white, Score(number, *facts)

    def games(self, tournament: int | None = None) -> Iterator[Game]:
        """Yield the games of a tournament, or of all, as records."""
        return self._games(_GAMES.format(""), (tournament, tournament))

    def game(self, tournament: int, pairing: int, number: int) -> Game | None:
        """Return one game as a record, if it was played."""
        one = "AND games.tournament = ? AND pairing = ? AND games.number = ?"
        wanted = (tournament, tournament, tournament, pairing, number)
        return next(self._games(_GAMES.format(one), wanted), None)

    def _games(self, query: str, wanted: tuple[int | None, ...]) -> Iterator[Game]:
        with self._failing("read"):
            rows = self._connection.execute(query, wanted)
            for start, opening, moves, black, white, finished, score, reason, kind, hash in rows:
                yield Game(
                    Position.from_string(start),
                    (*_moves(opening), *_moves(moves)),
                    black=black,
                    white=white,
                    date=finished[:10],
                    event=f"{kind} {hash[:8]}",
                    result=score,
                    comment=reason,
                )

    def tournaments(self) -> list[StoredTournament]:
        """List all tournaments in the order in which they were entered."""
        with self._failing("read"):
            rows = self._connection.execute(_TOURNAMENTS)
            return [StoredTournament(*row) for row in rows]

    def tournament(self, number: int) -> Tournament:
        """Return a tournament as it was entered."""
        with self._failing("read"):
            found = self._connection.execute(
                "SELECT configuration FROM tournaments WHERE id = ?", (number,)
            ).fetchone()
            rows = self._connection.execute(
                "SELECT start, moves FROM openings WHERE tournament = ? ORDER BY number", (number,)
            )
            openings = tuple(
                Game(Position.from_string(start), _moves(moves)) for start, moves in rows
            )
        if found is None:
            raise FileError(self.path, "read", f"it has no tournament {number}")
        facts = json.loads(found[0])
        return Tournament(
            tuple(facts["players"]),
            openings,
            facts["games"],
            facts["seed"],
            facts["kind"] == "gauntlet",
            tuple(facts["fingerprints"]),
        )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _refuse_others(path: Path, create: bool) -> None:
    """Raise FileError for a file that is no database: SQLite would overwrite a short one."""
    try:
        with path.open("rb") as stream:
            head = stream.read(len(_SQLITE))
    except FileNotFoundError:
        return
    except OSError as error:
        raise FileError(path, "open", error) from error
    if not head and not create:
        raise FileError(path, "read", "it is empty; match and tournament fill a results store")
    if head and head != _SQLITE:
        raise FileError(path, "open", "it is not a results store")


def _identities(tournament: Tournament) -> list[tuple[str, str]]:
    """Return spec and fingerprint of each player."""
    fingerprints = tournament.fingerprints or ("",) * len(tournament.players)
    return list(zip(tournament.players, fingerprints, strict=True))


def _moves_text(moves: Iterable[int]) -> str:
    return "".join([_MOVE_TEXTS[move] for move in moves])


def _moves(text: str) -> tuple[Move, ...]:
    return tuple(Move(text[at : at + 2]) for at in range(0, len(text), 2))


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
