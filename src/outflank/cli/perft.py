"""`outflank perft`."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.table import Table

from outflank.cli.output import Json, console, print_json
from outflank.othello import Position


def perft(
    depth: Annotated[int, typer.Argument(min=0, max=20, help="Length of the sequences, in plies.")],
    position: Annotated[
        str | None,
        typer.Option(help="Board string to start from: 64 squares and the side to move."),
    ] = None,
    divide: Annotated[bool, typer.Option(help="Count for each first move.")] = False,
    json: Json = False,
) -> None:
    """Count move sequences: the usual check of a move generator.

    A pass counts as a ply, and a finished game as one leaf.

    Examples:

        outflank perft 9

        outflank perft 6 --divide
    """
    start = Position.from_string(position) if position else Position.start()
    began = time.perf_counter()
    parts = {}
    if divide and depth > 0:
        parts = {move.name: start.play(move).perft(depth - 1) for move in start.legal_moves}
        nodes = sum(parts.values()) if parts else start.perft(depth)
    else:
        nodes = start.perft(depth)
    seconds = time.perf_counter() - began
    if json:
        answer = {"depth": depth, "nodes": nodes, "seconds": seconds}
        print_json({**answer, "moves": parts} if divide else answer)
        return
    if parts:
        table = Table("move", "nodes")
        table.columns[1].justify = "right"
        for move, count in parts.items():
            table.add_row(move, f"{count:,}")
        console.print(table)
    console.print(
        f"perft({depth}) = [bold]{nodes:,}[/] in {seconds:.3f} s"
        f" ({nodes / max(seconds, 1e-9) / 1e6:,.0f} million nodes/s)"
    )
