"""Where the command prints, and how: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text


class SafeConsole(Console):
    """Prints no control characters but its own.

    Names and comments of records come from anywhere; an escape sequence in them could recolour,
    rename or command the terminal. They are shown as symbols instead.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments of something to print."""
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield Segment(segment.text.translate(_SHOWN), segment.style)


# How control characters are shown: C0 by the symbols made for it, others by their numbers.
_SHOWN = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"}
_SHOWN |= {0x7F: "\u2421"} | {code: f"<{code:02x}>" for code in range(0x80, 0xA0)}
# Bytes of file names that are no text are surrogates, which cannot be printed.
_SURROGATES = range(0xD800, 0xE000)
_SHOWN |= {code: f"<{code & 0xFF:02x}>" for code in _SURROGATES}
_IN_JSON = {code: f"\\u{code:04x}" for code in (0x7F, *range(0x80, 0xA0), *_SURROGATES)}

console = SafeConsole(highlight=False, emoji=False)
errors = SafeConsole(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]

_PROSE = 16  # columns that prose needs


def print_json(answer: Any) -> None:
    """Print an answer for a program: JSON on standard output, not reduced to ASCII."""
    print(as_json(answer))


def as_json(answer: Any) -> str:
    """Write JSON in one line that holds no control characters."""
    return json.dumps(answer, ensure_ascii=False).translate(_IN_JSON)


def print_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Collection[int] = (),
    prose: Collection[int] = (),
) -> None:
    """Print a table without cutting anything off, however narrow the terminal is.

    It has a frame if the terminal is wide enough. If the columns do not fit side by side, each
    row becomes a list under its first cell.

    Args:
        heads: Titles of the columns.
        rows: Cells of each row.
        right: Columns to align on the right, by number.
        prose: Columns whose words may wrap, by number; all others stay on one line.
    """
    widths = [_width([head, *cells]) for head, *cells in zip(heads, *rows, strict=True)]
    needed = sum(min(width, _PROSE) if i in prose else width for i, width in enumerate(widths))
    if needed + len(heads) - 1 > console.width:
        _print_lists(heads, rows)
        return
    if needed + 3 * len(heads) + 1 <= console.width:
        table = Table()
    else:
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column, head in enumerate(heads):
        table.add_column(
            Text(head),
            justify="right" if column in right else "left",
            overflow="fold",
            no_wrap=column not in prose,
        )
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _width(cells: Sequence[str]) -> int:
    return max(cell_len(line) for cell in cells for line in cell.split("\n"))


def _print_lists(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    for first, *others in rows:
        console.print(Text(first), style="bold", soft_wrap=True)
        for head, cell in zip(heads[1:], others, strict=True):
            if cell:
                line = f"{head}: {cell}" if head else cell
                console.print(Padding(Text(line.replace("\n", " ")), (0, 0, 0, 2)))
