"""What was played in a position: all WThor games, found by position under every symmetry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.data.store import wthor_files, wthor_folder, wthor_name_file, wthor_year
from outflank.othello import PASS, Game, Move, Position
from outflank.records.replay import Replay, replay
from outflank.records.wthor import WthorFile, WthorNames

_NOBODY = "?"
_USUAL_FIRST = Move("f5")  # of the first moves, which are all alike, the one that people write


@dataclass(frozen=True)
class Results:
    """How some games ended, and when they were played."""

    games: int
    black: int  # won by black
    draws: int
    white: int
    first: int  # year; 0 without games
    last: int


@dataclass(frozen=True)
class Continuation:
    """A move that was played in a position, and what became of it."""

    move: Move
    results: Results


class Explorer:
    """An index of games; making it takes some seconds and about a hundred megabytes."""

    def __init__(self, folder: Path | None = None) -> None:
        """folder: of WThor files; None: the store's."""
        folder = wthor_folder(folder)
        paths = wthor_files(folder)
        files = [WthorFile.load(path) for path in paths]
        self.year = np.concatenate(
            [
                np.full(len(file.games), file.header.year or wthor_year(path.name) or 0, np.int16)
                for path, file in zip(paths, files, strict=True)
            ]
        )
        self._records = np.concatenate([file.games for file in files])
        self._replay = replay(np.concatenate([file.squares() for file in files]))
        self.score = 2 * self._records["score"].astype(np.int16) - 64
        self._names = _load_names(folder, "WTH.JOU"), _load_names(folder, "WTH.TRN")
        self._keys, self._games = _index(self._replay)

    def __len__(self) -> int:
        return len(self.year)

    def continuations(
        self, position: Position, years: tuple[int, int] | None = None
    ) -> list[Continuation]:
        """Return the moves that were played, the most frequent first.

        Of moves that a symmetric board makes alike there is one. years: first and last.
        """
        found: dict[int, Continuation] = {}
        for move in sorted(position.legal_moves, key=lambda move: move != _USUAL_FIRST):
            if move == PASS:
                continue
            key, games = self._through(position, move, years)
            if key not in found and len(games):
                found[key] = Continuation(move, self._results(games))
        return sorted(found.values(), key=lambda one: -one.results.games)

    def results(self, position: Position, years: tuple[int, int] | None = None) -> Results:
        """Return what became of all games that went on from a position."""
        return self._results(self.games(position, years))

    def games(self, position: Position, years: tuple[int, int] | None = None) -> NDArray[np.int64]:
        """Return the numbers of the games that went on from a position, the newest first."""
        parts = {}
        for move in position.legal_moves:
            if move != PASS:
                key, games = self._through(position, move, years)
                parts[key] = games
        every = np.unique(np.concatenate([np.zeros(0, np.int64), *parts.values()]))
        return every[::-1].astype(np.int64)

    def game(self, number: int) -> Game:
        """Return a game as a record, with its names."""
        record = self._records[number]
        players, events = self._names
        return Game(
            moves=self._replay.moves_of(number),
            black=_name(players, int(record["black"])),
            white=_name(players, int(record["white"])),
            event=_name(events, int(record["tournament"])),
            date=str(self.year[number]),
            result=int(self.score[number]),
        )

    def _through(
        self, position: Position, move: Move, years: tuple[int, int] | None
    ) -> tuple[int, NDArray[np.int64]]:
        """The key of a move in a position, and the games that have it."""
        own, other = (np.array([bits], np.uint64) for bits in position.bits)
        key = _keys(own, other, np.array([move], np.uint8))[0]
        begin, end = np.searchsorted(self._keys, [key, key + np.uint64(1)])
        games = self._games[begin:end].astype(np.int64)
        if years is not None:
            kept = (self.year[games] >= years[0]) & (self.year[games] <= years[1])
            games = games[kept]
        return int(key), games

    def _results(self, games: NDArray[np.int64]) -> Results:
        score, year = self.score[games], self.year[games]
        return Results(
            len(games),
            int((score > 0).sum()),
            int((score == 0).sum()),
            int((score < 0).sum()),
            int(year.min()) if len(games) else 0,
            int(year.max()) if len(games) else 0,
        )


def _index(played: Replay) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """Keys of all moves that were played, in order, and the game of each."""
    game = np.repeat(np.arange(len(played.moves), dtype=np.uint32), np.diff(played.offsets))
    legal = played.move < 64
    keys = _keys(played.own[legal], played.other[legal], played.move[legal])
    order = np.argsort(keys, kind="stable")
    return keys[order], game[legal][order]


def _keys(
    own: NDArray[np.uint64], other: NDArray[np.uint64], move: NDArray[np.uint8]
) -> NDArray[np.uint64]:
    """A number for each move in its position, the same for all images. The last bit is zero."""
    own, other, move = _core.canonical_examples(own, other, move)
    hashes = _core.hash(_core.hash(own, other), move.astype(np.uint64))
    return hashes & ~np.uint64(1)


def _load_names(folder: Path, name: str) -> Sequence[str]:
    path = wthor_name_file(folder, name)
    if path is None:
        return ()
    names = WthorNames.load(path)
    return [names[number] for number in range(len(names.raw))]


def _name(names: Sequence[str], number: int) -> str:
    return names[number] if number < len(names) else _NOBODY
