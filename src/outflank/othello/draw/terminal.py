"""Boards in a terminal, with Rich: in colour where there is colour, readable where there is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions
from rich.text import Text

from outflank.othello.draw import text

if TYPE_CHECKING:
    from outflank.othello.moves import Move
    from outflank.othello.position import Position


@dataclass(frozen=True)
class Palette:
    """Rich styles of the board; discs are drawn on `ground`, or on `last` for the last move."""

    ground: str
    last: str
    black: str
    white: str
    legal: str


_FULL = Palette("on #1d7a4f", "on #34a873", "bold #000000", "bold #ffffff", "#b8ecd0")
_SIXTEEN = Palette("on green", "on cyan", "black", "bold bright_white", "bright_white")


@dataclass(frozen=True)
class BoardPicture:
    """A board that Rich can print, 26 columns by 10 lines.

    The last move's square is lighter; legal moves carry a dot, or up to three characters of
    text from `labels` (square -> text). Without colour the discs differ by shape.
    """

    position: Position
    last: Move | None = None
    legal: bool = True
    labels: Mapping[int, str] = field(default_factory=dict)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        if console.color_system is None or console.no_color:
            ascii_only = not console.encoding.lower().startswith("utf")
            yield Text(text.draw(self.position, unicode=not ascii_only, legal=self.legal))
        else:
            yield self._coloured(_SIXTEEN if console.color_system == "standard" else _FULL)

    def _coloured(self, palette: Palette) -> Text:
        moves = self.position.legal_squares if self.legal else 0
        picture = Text("  ", no_wrap=True)
        picture.append("".join(f" {column} " for column in "abcdefgh"), "dim")
        for row in range(8):
            picture.append(f"\n{row + 1} ", "dim")
            for square in range(8 * row, 8 * row + 8):
                ground = palette.last if square == self.last else palette.ground
                symbol, style = self._square(square, moves, palette)
                picture.append(symbol, f"{style} {ground}")
        picture.append("\n" + text.state(self.position))
        return picture

    def _square(self, square: int, moves: int, palette: Palette) -> tuple[str, str]:
        if self.position.black >> square & 1:
            return " ● ", palette.black
        if self.position.white >> square & 1:
            return " ● ", palette.white
        if square in self.labels:
            return f"{self.labels[square][:3]:^3}", palette.legal
        return (" · " if moves >> square & 1 else "   "), palette.legal
