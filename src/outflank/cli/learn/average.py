"""`outflank learn imitation average`: averages the weights of networks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.output import Json, console, print_json
from outflank.errors import DataError
from outflank.files import check_target
from outflank.models import find_network_file
from outflank.nets.files import SUFFIX
from outflank.nets.line import LinePolicy, average, is_line
from outflank.numbers import number


def average_networks(
    networks: Annotated[
        list[str],
        typer.Argument(metavar="NETWORK[=SHARE]...", help="Names, runs' folders or files."),
    ],
    out: Annotated[Path, typer.Option(help="File to write, ending in .safetensors.")],
    json: Json = False,
) -> None:
    """Average the weights of line networks.

    The networks must descend from each other: each continues the training of another. Without
    shares all count alike; shares need not add up to one.

    Example:

        outflank learn imitation average runs/third=0.7 runs/second=0.3 --out mean.safetensors
    """
    check_target(out, SUFFIX)
    parts = []
    for text in networks:
        name, equals, share = text.rpartition("=")
        name, share = (name, share) if equals else (text, "1")
        try:
            weight = number(share)
        except ValueError:
            raise DataError(f"{text}: the share {share!r} is not a number") from None
        path = find_network_file(name)
        if not is_line(path):
            raise DataError(f"{name}: not a line network; only line networks can be averaged")
        network = LinePolicy.load(path)
        network.card = replace(network.card, name=network.card.name or name)
        parts.append((network, weight))
    made = average(parts)
    made.save(out)
    answer = {"file": str(out), "networks": made.card.training["mean of"]}
    if json:
        print_json(answer)
    else:
        console.print(str(out), markup=False, soft_wrap=True)
