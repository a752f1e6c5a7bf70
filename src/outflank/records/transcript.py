"""Transcripts: one game a line, as a word of moves ("f5d6c3d3c4...")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from outflank.errors import IllegalMoveError, NotationError, RecordError
from outflank.othello import Game, Position
from outflank.othello.game import parse_transcript
from outflank.records.format import Format, Problems
from outflank.records.lines import content_lines, first_line


class Transcript(Format):
    """Moves as text, one game a line; # begins a comment line."""

    name = "transcript"
    title = "Transcript"
    extensions = (".txt", ".transcript")

    def recognises(self, head: bytes) -> bool:
        """Tell by the first line: moves, and at least one."""
        try:
            return bool(parse_transcript(first_line(head)))
        except NotationError:
            return False

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Game]:
        """Yield a game for each line that is not empty and not a comment."""
        for number, (_, line) in enumerate(content_lines(stream), start=1):
            try:
                yield Game.from_transcript(line)
            except (NotationError, IllegalMoveError) as error:
                problems.report(str(error), record=number)

    def write(self, games: Iterable[Game], stream: BinaryIO) -> None:
        """Write a line for each game; it must begin at the start position and have moves."""
        for number, game in enumerate(games, start=1):
            if game.start != Position.start():
                raise RecordError(
                    "a transcript begins at the start position", record=number, field="start"
                )
            if not game.transcript:
                raise RecordError("a transcript needs moves", record=number, field="moves")
            stream.write(f"{game.transcript}\n".encode())
