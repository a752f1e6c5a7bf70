"""WThor: the French federation's database of games, and the files of names beside it.

All numbers are little-endian. A file begins with a header of 16 bytes. A .wtb file holds games of
68 bytes: numbers of tournament, black and white player, black's score, black's score under
perfect play from a given number of empties on, and 60 moves (10 * row + column, zero for none,
passes left out). A .jou file holds players' names of 20 bytes, a .trn file tournaments' of 26.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from outflank.errors import IllegalMoveError, NotationError, RecordError
from outflank.files import open_to_write, read_bytes
from outflank.othello import PASS, SQUARES, Game, Move, Position
from outflank.records.format import Format, Problems
from outflank.records.replay import NO_MOVE, Replay, replay

_HEADER = struct.Struct("<4BIHH4B")
_GAME = np.dtype(
    [
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("score", "u1"),
        ("theoretical", "u1"),
        ("moves", "u1", (60,)),
    ]
)
# Length of a name, its final zero byte included, by the extension of the file.
NAME_LENGTHS = {".jou": 20, ".trn": 26}

# From a move's byte to a square; zero is no move, all other bytes are not moves at all.
_NOT_A_MOVE = 254
_SQUARE_OF_BYTE = np.full(256, _NOT_A_MOVE, np.uint8)
_SQUARE_OF_BYTE[0] = NO_MOVE
_BYTE_OF_SQUARE = np.array([10 * (s.row + 1) + s.column + 1 for s in SQUARES], np.uint8)
_SQUARE_OF_BYTE[_BYTE_OF_SQUARE] = np.arange(64)


@dataclass(frozen=True)
class WthorHeader:
    """The first 16 bytes of every WThor file."""

    created: tuple[int, int, int, int] = (0, 0, 0, 0)  # century, year, month, day
    games: int = 0  # in a .wtb
    names: int = 0  # in a .jou or .trn
    year: int = 0  # of the games
    board_size: int = 0  # 0 and 8 both mean 8
    kind: int = 0  # 1: solitaires
    depth: int = 0  # empties from which the theoretical score was computed
    reserved: int = 0

    @classmethod
    def parse(cls, data: bytes) -> WthorHeader:
        """Read a header from the beginning of a file's bytes."""
        *created, games, names, year, board_size, kind, depth, reserved = _HEADER.unpack_from(data)
        century, year_of_file, month, day = created
        return cls(
            (century, year_of_file, month, day),
            games,
            names,
            year,
            board_size,
            kind,
            depth,
            reserved,
        )

    def to_bytes(self) -> bytes:
        """Write the header as its 16 bytes."""
        return _HEADER.pack(
            *self.created,
            self.games,
            self.names,
            self.year,
            self.board_size,
            self.kind,
            self.depth,
            self.reserved,
        )


def read_header(data: bytes, problems: Problems) -> WthorHeader:
    """Read and check a header; what is wrong ends the reading."""
    if not data:
        raise problems.error("the file is empty")
    if len(data) < _HEADER.size:
        raise problems.error(
            f"a WThor file begins with {_HEADER.size} bytes, this one has {len(data)} in all",
            field="header",
        )
    header = WthorHeader.parse(data)
    if header.board_size not in (0, 8):
        size = header.board_size
        raise problems.error(f"a {size}x{size} board; only 8x8 is accepted", field="header")
    if header.kind == 1:
        raise problems.error("a file of solitaires; only games are accepted", field="header")
    century, _, month, day = header.created
    if header.kind > 1 or not (century <= 30 and month <= 12 and day <= 31):
        raise problems.error("not a WThor file: its date makes no sense", field="header")
    return header


@dataclass(frozen=True, eq=False)
class WthorFile:
    """A .wtb file as it is: a header and games as a structured array, in the file's order."""

    header: WthorHeader
    games: NDArray[np.void]

    @classmethod
    def parse(cls, data: bytes, problems: Problems) -> WthorFile:
        """Read a .wtb from its bytes; lenient, a file that is cut short gives its whole games."""
        header = read_header(data, problems)
        size = len(data) - _HEADER.size
        if size != header.games * _GAME.itemsize:
            whole, rest = divmod(size, _GAME.itemsize)
            more = f" and {rest} bytes" if rest else ""
            problems.report(
                f"the header says {header.games} games, the file holds {whole}{more}",
                field="header",
            )
        count = min(header.games, size // _GAME.itemsize)
        games = np.frombuffer(data, _GAME, count, offset=_HEADER.size)
        return cls(replace(header, games=count), games)

    @classmethod
    def load(cls, path: Path, problems: Problems | None = None) -> WthorFile:
        """Read a .wtb file."""
        return cls.parse(read_bytes(path), problems or Problems(str(path)))

    def to_bytes(self) -> bytes:
        """Write the file as bytes: the same that were read."""
        return self.header.to_bytes() + self.games.tobytes()

    def squares(self) -> NDArray[np.uint8]:
        """Moves as squares, uint8[games, 60], padded with NO_MOVE."""
        squares: NDArray[np.uint8] = _SQUARE_OF_BYTE[self.games["moves"]]
        return squares

    def replay(self, threads: int = 0) -> Replay:
        """Replay all games in _core."""
        return replay(self.squares(), threads=threads)


@dataclass(frozen=True)
class WthorNames:
    """A .jou or .trn file as it is: a header and names of a fixed length, padding included."""

    header: WthorHeader
    raw: tuple[bytes, ...]

    @classmethod
    def parse(cls, data: bytes, length: int, problems: Problems) -> WthorNames:
        """Read names of `length` bytes from a file's bytes."""
        header = read_header(data, problems)
        size = len(data) - _HEADER.size
        if size != header.names * length:
            raise problems.error(
                f"the header says {header.names} names of {length} bytes, "
                f"the file holds {size} bytes of names",
                field="header",
            )
        return cls(
            header, tuple(data[at : at + length] for at in range(_HEADER.size, len(data), length))
        )

    @classmethod
    def load(cls, path: Path) -> WthorNames:
        """Read a .jou or .trn file; which one, its extension tells."""
        length = NAME_LENGTHS[path.suffix.lower()]
        return cls.parse(read_bytes(path), length, Problems(str(path)))

    @classmethod
    def of(cls, names: Iterable[str], length: int, created: date) -> WthorNames:
        """Make a file of names; one that does not fit raises NotationError."""
        raw = []
        for name in names:
            try:
                text = name.encode("latin-1")
            except UnicodeEncodeError:
                raise NotationError(f"{name!r} has letters outside Latin-1") from None
            if len(text) >= length or b"\0" in text:
                raise NotationError(f"{name!r} is longer than {length - 1} characters")
            raw.append(text.ljust(length, b"\0"))
        return cls(WthorHeader(created=_created(created), names=len(raw)), tuple(raw))

    def to_bytes(self) -> bytes:
        """Write the file as bytes: the same that were read."""
        return self.header.to_bytes() + b"".join(self.raw)

    def __getitem__(self, number: int) -> str:
        return self.raw[number].split(b"\0", 1)[0].decode("latin-1").strip()

    def __len__(self) -> int:
        return len(self.raw)


def find_names(path: Path, suffix: str) -> Path | None:
    """Find the .jou or .trn of a .wtb: of the same name, or else WTH or WTHOR beside it."""
    wanted = (path.stem.lower() + suffix, "wth" + suffix, "wthor" + suffix)
    beside = {other.name.lower(): other for other in path.parent.iterdir()}
    return next((beside[name] for name in wanted if name in beside), None)


class Wthor(Format):
    """Yearly files of the WThor database."""

    name = "wthor"
    title = "WThor database"
    extensions = (".wtb",)

    def recognises(self, head: bytes) -> bool:
        """Tell by the header and the first game's first move, which must be one of four."""
        if len(head) < _HEADER.size + _GAME.itemsize:
            return False
        try:
            header = read_header(head, Problems())
        except RecordError:
            return False
        return header.games > 0 and head[_HEADER.size + 8] in (34, 43, 56, 65)

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Game]:
        """Yield the games of a stream, without names."""
        yield from _games(WthorFile.parse(stream.read(), problems), None, None, problems)

    def read_file(self, path: Path, problems: Problems) -> Iterator[Game]:
        """Yield the games of a file, with the names from the .jou and .trn beside it."""
        file = WthorFile.load(path, problems)
        players, tournaments = (_load_names(path, suffix, problems) for suffix in NAME_LENGTHS)
        yield from _games(file, players, tournaments, problems)

    def write(self, games: Iterable[Game], stream: BinaryIO) -> None:
        """Write games with numbers for names; the names themselves need write_file."""
        stream.write(_gather(games, date.today())[0].to_bytes())

    def write_file(self, games: Iterable[Game], path: Path) -> None:
        """Write a .wtb and, beside it, a .jou and a .trn of the same name."""
        file, players, tournaments = _gather(games, date.today())
        with (
            open_to_write(path.with_suffix(".jou")) as jou,
            open_to_write(path.with_suffix(".trn")) as trn,
            open_to_write(path) as wtb,
        ):
            jou.write(players.to_bytes())
            trn.write(tournaments.to_bytes())
            wtb.write(file.to_bytes())


def _load_names(path: Path, suffix: str, problems: Problems) -> WthorNames | None:
    names = find_names(path, suffix)
    if names is None:
        return None
    try:
        return WthorNames.load(names)
    except RecordError as error:
        if not problems.lenient:
            raise
        problems.found.append(error)
        return None


def _games(
    file: WthorFile, players: WthorNames | None, tournaments: WthorNames | None, problems: Problems
) -> Iterator[Game]:
    """Build Game values from a file; moves are checked for all games at once, in _core."""
    played = file.replay()
    year = str(file.header.year) if file.header.year else ""
    for index, record in enumerate(file.games):
        number = index + 1
        try:
            if not played.legal[index]:
                raise _illegal(file.squares()[index], number, problems)
            yield Game(
                moves=played.moves_of(index),
                black=_name(players, int(record["black"]), "black player", number, problems),
                white=_name(players, int(record["white"]), "white player", number, problems),
                event=_name(tournaments, int(record["tournament"]), "tournament", number, problems),
                date=year,
                result=_difference(int(record["score"])),
                tags=_tags(file.header, record),
            )
        except RecordError as error:
            problems.report(error.problem, record=number, field=error.field)


def _name(names: WthorNames | None, index: int, field: str, number: int, problems: Problems) -> str:
    if names is None:
        return ""
    if index >= len(names):
        raise problems.error(
            f"number {index}, but the file of names holds {len(names)}", record=number, field=field
        )
    return names[index]


def _illegal(squares: NDArray[np.uint8], number: int, problems: Problems) -> RecordError:
    """Say what is wrong with a game's moves."""
    moves: list[Move] = []
    for at, square in enumerate(squares.tolist(), start=1):
        if square == NO_MOVE:
            break
        if square == _NOT_A_MOVE:
            return problems.error("not a square", record=number, field=f"move {at}")
        moves.append(Move(square))
    try:
        Game.from_moves(moves)
    except IllegalMoveError as error:
        return problems.error(str(error), record=number)
    return problems.error("a move follows the end of the moves", record=number, field="moves")


def _tags(header: WthorHeader, record: np.void) -> dict[str, str]:
    """Keep the score under perfect play, if the file has it."""
    if not header.depth:
        return {}
    return {"theoretical": f"{_difference(int(record['theoretical'])):+d}"}


def _difference(black_discs: int) -> int:
    """Turn black's discs, empty squares going to the winner, into a disc difference."""
    return 2 * black_discs - 64


def _created(day: date) -> tuple[int, int, int, int]:
    return day.year // 100, day.year % 100, day.month, day.day


def _gather(games: Iterable[Game], created: date) -> tuple[WthorFile, WthorNames, WthorNames]:
    """Turn games into the three files, names numbered in the order in which they appear."""
    rows = []
    players: dict[str, int] = {}
    tournaments: dict[str, int] = {}
    years = set()
    theoretical = True
    for number, game in enumerate(games, start=1):
        if game.start != Position.start():
            raise RecordError(
                "WThor games begin at the start position", record=number, field="start"
            )
        black = players.setdefault(game.black or "?", len(players))
        white = players.setdefault(game.white or "?", len(players))
        tournament = tournaments.setdefault(game.event or "?", len(tournaments))
        if max(len(players), len(tournaments)) > 1 << 16:
            raise RecordError("a WThor file holds at most 65536 names", record=number)
        score = game.score if game.result is None else game.result
        best = int(game.tags.get("theoretical", score))
        rows.append((tournament, black, white, _discs(score), _discs(best), _move_bytes(game)))
        theoretical &= "theoretical" in game.tags
        years.add(game.date[:4])
    year = years.pop() if len(years) == 1 else ""
    header = WthorHeader(
        created=_created(created),
        games=len(rows),
        year=int(year) if year.isdecimal() else 0,
        board_size=8,
        depth=24 if theoretical and rows else 0,
    )
    try:
        return (
            WthorFile(header, np.array(rows, _GAME).reshape(len(rows))),
            WthorNames.of(players, NAME_LENGTHS[".jou"], created),
            WthorNames.of(tournaments, NAME_LENGTHS[".trn"], created),
        )
    except NotationError as error:
        raise RecordError(str(error), field="names") from None


def _discs(difference: int) -> int:
    """Turn a disc difference into black's discs, empty squares going to the winner."""
    return (max(-64, min(64, difference)) + 64) // 2


def _move_bytes(game: Game) -> list[int]:
    """Return the sixty bytes of a game's moves."""
    squares = [move for move in game.moves if move != PASS]
    return [*(int(_BYTE_OF_SQUARE[move]) for move in squares), *[0] * (60 - len(squares))]
