"""Game records that people bring: kept in memory for a while, never as files of their names."""

from __future__ import annotations

import io
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from outflank.errors import DataError, NotationError, RecordError
from outflank.othello import Game, Position
from outflank.records import FORMATS, Format, Problems

MOST_BYTES = 20 * 1024 * 1024
_MOST_GAMES = 20_000
_KEPT = 16
_SHOWN = 10  # problems


@dataclass(frozen=True)
class Upload:
    """What a file held."""

    format: str
    games: list[Game]
    problems: list[str]


class Uploads:
    """The last files that were brought."""

    def __init__(self) -> None:
        self._uploads: OrderedDict[str, Upload] = OrderedDict()

    def add(self, content: bytes, name: str) -> dict[str, Any]:
        """Read a file, or pasted text; tell what games are in it."""
        upload = read_upload(content, name)
        token = secrets.token_hex(8)
        self._uploads[token] = upload
        while len(self._uploads) > _KEPT:
            self._uploads.popitem(last=False)
        games = [_describe(number, game) for number, game in enumerate(upload.games)]
        return {
            "token": token, "format": upload.format, "games": games, "bad": upload.problems,
        }  # fmt: skip

    def game(self, token: str, number: int) -> Game:
        """Return a game of a file that was brought before."""
        upload = self._uploads.get(token)
        if upload is None:
            raise DataError("that file is not here any more; load it again")
        if not 0 <= number < len(upload.games):
            raise DataError(f"there is no game {number}; the file has {len(upload.games)}")
        return upload.games[number]


def read_upload(content: bytes, name: str) -> Upload:
    """Read games of any format, or a board, or a transcript."""
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
    return Upload(format.title, games, bad)


def _format_of(content: bytes, name: str) -> Format:
    """By the ending of the name if it is a known one, or else by the content."""
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


def read_start(start: str | None, moves: str) -> Game:
    """Make a game of a board (the usual start without one) and a transcript."""
    try:
        position = Position.from_string(start) if start else Position.start()
    except ValueError as error:
        raise NotationError(f"start: {error}") from None
    return Game.from_transcript(moves, position)


def _describe(number: int, game: Game) -> dict[str, Any]:
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
