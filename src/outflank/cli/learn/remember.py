"""`outflank learn imitation remember`: adds a memory to a network."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.options import finite
from outflank.cli.output import Json, console, errors, print_json
from outflank.errors import DataError
from outflank.files import check_target
from outflank.learn.imitation.remembering import AT_LEAST, DOUBT, remember
from outflank.models import find_network_file
from outflank.nets.files import SUFFIX
from outflank.nets.line import LinePolicy, is_line


def remember_positions(
    network: Annotated[
        str, typer.Argument(help="A shipped network's name, a run's folder, or a network's file.")
    ],
    out: Annotated[Path, typer.Option(help="File to write, ending in .safetensors.")],
    wthor: Annotated[
        Path | None,
        typer.Option(help="Folder of the WThor files it was trained on.", show_default=False),
    ] = None,
    at_least: Annotated[
        int,
        typer.Option(
            min=1, max=10**9, help="Remember positions that occurred at least this often."
        ),
    ] = AT_LEAST,
    doubt: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1e9,
            callback=finite,
            help="The memory's weight is n / (n + doubt) for a position that occurred n times.",
        ),
    ] = DOUBT,
    json: Json = False,
) -> None:
    """Add a memory to a line network: what was played in positions frequent in its training.

    Only training examples are remembered, so held-out games still test the network.

    Example:

        outflank learn imitation remember runs/line --out line.safetensors
    """
    check_target(out, SUFFIX)
    path = find_network_file(network)
    if not is_line(path):
        raise DataError(f"{network}: not a line network; only line networks can have a memory")
    with nullcontext() if json else errors.status("Reading the games"):
        made = remember(LinePolicy.load(path), wthor=wthor, at_least=at_least, doubt=doubt)
    made.save(out)
    facts = made.card.training["memory"]
    if json:
        print_json({"file": str(out), **facts})
        return
    console.print(f"{facts['positions']:,} positions remembered.", highlight=False)
    console.print(str(out), markup=False, soft_wrap=True)
