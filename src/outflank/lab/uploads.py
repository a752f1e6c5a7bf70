"""Uploaded game records: kept in memory for a while, never written under their names."""

from __future__ import annotations

import io
import secrets
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from outflank.data.store import wthor_folder, wthor_name_file, wthor_year
from outflank.errors import DataError, NotationError, OutflankError, RecordError
from outflank.lab import answers
from outflank.lab.pasted import what_is_wrong
from outflank.othello import Game, Position
from outflank.records import FORMATS, Format, Problems
from outflank.records.format import ReadingStoppedError
from outflank.records.wthor import NAME_LENGTHS, Wthor, WthorFile, WthorNames

MOST_BYTES = 20 * 1024 * 1024
_MOST_GAMES = 20_000
_KEPT = 16
_SHOWN = 10  # problems
_MOVES_SHOWN = 8  # that a game begins with
_MOST_PROBLEMS = 1000
_MOST_SECONDS = 20.0  # to read a file


@dataclass(frozen=True)
class Upload:
    """The content of an uploaded file."""

    format: str
    games: list[Game]
    problems: list[str]


class Uploads:
    """The last uploaded files."""

    def __init__(self, wthor: Path | None) -> None:
        """Take names from the WThor files in `wthor`, or in the store if that is None."""
        self.wthor = wthor
        self._uploads: OrderedDict[str, Upload] = OrderedDict()
        self._names: OrderedDict[str, tuple[str, WthorNames]] = OrderedDict()

    def add_names(self, content: bytes, name: str) -> answers.RecordNames:
        """Read a file of names, WTH.JOU or WTH.TRN, for games that are added next."""
        suffix = Path(name).suffix.lower()
        if suffix not in NAME_LENGTHS:
            raise DataError(f"not a file of names: {name!r}; accepted are .JOU and .TRN")
        names = WthorNames.parse(content, NAME_LENGTHS[suffix], Problems(source=""))
        token = secrets.token_hex(8)
        self._names[token] = suffix, names
        while len(self._names) > _KEPT:
            self._names.popitem(last=False)
        kind: answers.NamesKind = "players" if suffix == ".jou" else "events"
        return {"token": token, "kind": kind, "names": len(names)}

    def add(self, content: bytes, name: str, names: Sequence[str] = ()) -> answers.Records:
        """Read a file, or pasted text, and list its games.

        Args:
            content: Of the file.
            name: Of the file.
            names: Tokens of files of names that came with it.
        """
        given = dict(self._names[token] for token in names if token in self._names)
        upload = read_upload(content, name, self.wthor, given)
        token = secrets.token_hex(8)
        self._uploads[token] = upload
        while len(self._uploads) > _KEPT:
            self._uploads.popitem(last=False)
        games = [_describe(number, game) for number, game in enumerate(upload.games)]
        return {
            "token": token, "format": upload.format, "games": games, "bad": upload.problems,
        }  # fmt: skip

    def game(self, token: str, number: int) -> Game:
        """Return a game of an uploaded file."""
        upload = self._uploads.get(token)
        if upload is None:
            raise DataError("that file is no longer here; load it again")
        if not 0 <= number < len(upload.games):
            raise DataError(f"there is no game {number}; the file has {len(upload.games)}")
        return upload.games[number]


def read_upload(
    content: bytes,
    name: str,
    wthor: Path | None = None,
    names: Mapping[str, WthorNames] | None = None,
) -> Upload:
    """Read games of any format, or a board, or a transcript.

    Args:
        content: Of the file.
        name: Of the file.
        wthor: Folder with files of names, for yearly WThor files; None: the store's.
        names: Names that came with the file, by .jou and .trn; they come first.
    """
    if not content.strip():
        raise DataError("there is nothing in it")
    format = _format_of(content, name)
    until = time.monotonic() + _MOST_SECONDS
    problems = Problems(source="", lenient=True, most=_MOST_PROBLEMS, until=until)
    games: list[Game] = []
    ended = []
    try:
        for game in format.read(io.BytesIO(content), problems):
            games.append(game)
            problems.check_time()
            if len(games) >= _MOST_GAMES:
                ended = [f"the first {_MOST_GAMES:,} games were read; the lab takes no more"]
                break
    except ReadingStoppedError as error:
        ended = [str(error)]
    bad = [*ended, *(str(error) for error in problems.found[: _SHOWN - len(ended)])]
    if not games:
        raise DataError(bad[0] if bad else f"no games found ({format.title})")
    if format.name == Wthor.name:
        known = _names_of(wthor) if wthor_year(name) else {}
        games = _with_names(games, content, {**known, **(names or {})})
    return Upload(format.title, games, bad)


def _names_of(wthor: Path | None) -> dict[str, WthorNames]:
    """Read the files of names that this machine has, by .jou and .trn."""
    try:
        folder = wthor_folder(wthor)
        found = [wthor_name_file(folder, file) for file in ("WTH.JOU", "WTH.TRN")]
        return {path.suffix.lower(): WthorNames.load(path) for path in found if path}
    except OutflankError:
        return {}


def _with_names(games: list[Game], content: bytes, names: Mapping[str, WthorNames]) -> list[Game]:
    """Name players and events by their numbers in the records."""
    if not names:
        return games
    file = WthorFile.parse(content, Problems(lenient=True))
    records = file.games[file.replay().legal]  # the others were left out

    def name(suffix: str, number: int, before: str) -> str:
        known = names.get(suffix, ())
        return known[number] if number < len(known) else before

    return [
        replace(
            game,
            black=name(".jou", int(record["black"]), game.black),
            white=name(".jou", int(record["white"]), game.white),
            event=name(".trn", int(record["tournament"]), game.event),
        )
        for game, record in zip(games, records, strict=False)
    ]


def _format_of(content: bytes, name: str) -> Format:
    """Find the format by the extension if it is known, otherwise by the content."""
    ending = "." + name.rsplit(".", 1)[-1].lower() if "." in name else ""
    if ending != ".txt":
        for format in FORMATS.values():
            if ending in format.extensions:
                return format
    head = content[:4096]
    for format in FORMATS.values():
        if format.recognises(head):
            return format
    titles = ", ".join(format.title for format in FORMATS.values())
    raise RecordError(what_is_wrong(content) or f"not a game record: tried {titles}")


def write_game(game: Game, format: Format) -> bytes:
    """Write a game as a file; a format without moves gets its last position."""
    if format.name == Wthor.name:
        game = replace(
            game,
            black=_short(game.black, ".jou"),
            white=_short(game.white, ".jou"),
            event=_short(game.event, ".trn"),
        )
    written = io.BytesIO()
    try:
        try:
            format.write([game], written)
        except RecordError as error:
            if error.field != "moves" or not game.moves:
                raise
            written = io.BytesIO()
            format.write([Game(game.position)], written)
    except RecordError as error:
        raise DataError(f"{format.title}: {error.problem}; choose another format") from None
    return written.getvalue()


def _short(name: str, suffix: str) -> str:
    """Make a name fit into a WThor file: short, in Latin letters."""
    letters = "".join(
        letter if ord(letter) < 256 else unicodedata.normalize("NFKD", letter) for letter in name
    )
    text = letters.replace("\0", "").encode("latin-1", "ignore").decode("latin-1")
    return text[: NAME_LENGTHS[suffix] - 1].strip()


def read_start(start: str | None, moves: str) -> Game:
    """Make a game from a board (default: the usual start) and a transcript."""
    try:
        position = Position.from_string(start) if start else Position.start()
    except ValueError as error:
        raise NotationError(f"start: {error}") from None
    return Game.from_transcript(moves, position)


def _describe(number: int, game: Game) -> answers.RecordRow:
    score = game.result
    if score is None and game.is_over:
        score = game.score
    return {
        "number": number,
        "black": game.black,
        "white": game.white,
        "event": game.event,
        "date": game.date,
        "score": score,
        "plies": len(game.moves),
        "begins": game.transcript[: 2 * _MOVES_SHOWN],
    }
