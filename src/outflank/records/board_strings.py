"""Board strings: one position a line, as Edax and the openings files of papers write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from outflank.errors import NotationError, RecordError
from outflank.othello import Game, Position
from outflank.records.format import Format, Problems
from outflank.records.lines import content_lines, first_line


class BoardStrings(Format):
    """Positions of 64 symbols and the side to move; a game without moves for each."""

    name = "boards"
    title = "Board strings"
    extensions = (".boards", ".edax", ".pos")

    def recognises(self, head: bytes) -> bool:
        """Tell by the first line: a board and nothing behind it."""
        line = first_line(head)
        try:
            Position.from_string(line)
        except NotationError:
            return False
        return ";" not in line

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Game]:
        """Yield a game that starts at the position of each line."""
        for number, (_, line) in enumerate(content_lines(stream), start=1):
            try:
                yield Game(Position.from_string(line), tags={"style": style_of(line)})
            except NotationError as error:
                problems.report(str(error), record=number, field="board")

    def write(self, games: Iterable[Game], stream: BinaryIO) -> None:
        """Write the start position of each game, which must have no moves."""
        for number, game in enumerate(games, start=1):
            refuse_moves(game, number, self.title)
            style = game.tags.get("style", "edax")
            stream.write(f"{game.start.to_string(style)}\n".encode())


def style_of(line: str) -> str:
    """Tell in which style of outflank.othello.notation a board is written."""
    if "." in line:
        return "openings"
    return "ggf" if "*" in line else "edax"


def refuse_moves(game: Game, number: int, title: str) -> None:
    """Raise RecordError if a game has moves, which files of positions cannot hold."""
    if game.moves:
        raise RecordError(f"{title} are positions and hold no moves", record=number, field="moves")
