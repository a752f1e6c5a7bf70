"""Where the command prints, and how: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

console = Console(highlight=False, emoji=False)
errors = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]

_PROSE = 16  # columns that prose needs


def print_json(answer: Any) -> None:
    """Print an answer for a program: JSON on standard output, not reduced to ASCII."""
    print(json.dumps(answer, ensure_ascii=False))


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
