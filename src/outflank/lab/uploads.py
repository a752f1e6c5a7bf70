"""Uploaded game records: kept in memory for a while, never written under their names."""

from __future__ import annotations

import io
import secrets
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path

from outflank.data.store import wthor_folder, wthor_name_file, wthor_year
from outflank.errors import DataError, NotationError, OutflankError, RecordError
from outflank.lab import answers
from outflank.othello import Game, Position
from outflank.records import FORMATS, Format, Problems
from outflank.records.wthor import NAME_LENGTHS, Wthor, WthorFile, WthorNames

MOST_BYTES = 20 * 1024 * 1024
_MOST_GAMES = 20_000
_KEPT = 16
_SHOWN = 10  # problems


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

    def add(self, content: bytes, name: str) -> answers.Records:
        """Read a file, or pasted text, and list its games."""
        upload = read_upload(content, name, self.wthor)
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


def read_upload(content: bytes, name: str, wthor: Path | None = None) -> Upload:
    """Read games of any format, or a board, or a transcript.

    Games of a yearly WThor file get the names of the folder `wthor`, if they are there.
    """
    if not content.strip():
        raise DataError("there is nothing in it")
    format = _format_of(content, name)
    problems = Problems(source="", lenient=True)
    games: list[Game] = []
    for game in format.read(io.BytesIO(content), problems):
        games.append(game)
        if len(games) >= _MOST_GAMES:
            break
    bad = [str(error) for error in problems.found[:_SHOWN]]
    if not games:
        raise DataError(bad[0] if bad else f"no games found ({format.title})")
    if format.name == Wthor.name and wthor_year(name):
        games = _with_names(games, content, wthor)
    return Upload(format.title, games, bad)


def _with_names(games: list[Game], content: bytes, wthor: Path | None) -> list[Game]:
    """Name players and events by the files of names on this machine."""
    try:
        folder = wthor_folder(wthor)
        found = [wthor_name_file(folder, file) for file in ("WTH.JOU", "WTH.TRN")]
        players, events = (WthorNames.load(path) if path else () for path in found)
    except OutflankError:
        return games
    file = WthorFile.parse(content, Problems(lenient=True))
    records = file.games[file.replay().legal]  # the others were left out

    def name(names: WthorNames | tuple[()], number: int) -> str:
        return names[number] if number < len(names) else ""

    return [
        replace(
            game,
            black=name(players, int(record["black"])),
            white=name(players, int(record["white"])),
            event=name(events, int(record["tournament"])),
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
    raise RecordError(f"not a game record: tried {titles}")


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
    }
