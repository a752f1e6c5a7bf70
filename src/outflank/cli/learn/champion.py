"""Commands of `outflank learn champion` alone."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.learn.command import Arguments, OlderOptions, option
from outflank.cli.options import finite
from outflank.cli.output import Json, console, print_json
from outflank.errors import FileError
from outflank.files import check_target
from outflank.nets.files import SUFFIX
from outflank.numbers import SEEDS

_WHOLE_RUN = "laptop"  # preset
_SHOWN_STAGE = 37  # discs from which the stage whose errors are printed begins


def calibrate(
    evaluation: Annotated[Path, typer.Argument(help="File of the evaluation, or a run's folder.")],
    out: Annotated[
        Path | None,
        typer.Option(help="File to write, ending in .safetensors. Default: the evaluation's own."),
    ] = None,
    positions: Annotated[
        int,
        typer.Option(
            min=10, max=10**6, help="Positions for each stage and number of empty squares."
        ),
    ] = 100,
    depth: Annotated[int, typer.Option(min=4, max=16, help="The deepest search measured.")] = 9,
    solve_from: Annotated[
        int, typer.Option(min=12, max=24, help="Most empty squares of positions to solve.")
    ] = 18,
    seed: Annotated[
        int, typer.Option(min=0, max=SEEDS.greatest, help="Of the choice of positions.")
    ] = 1,
    json: Json = False,
) -> None:
    """Measure how well shallow searches predict deep ones, and keep it with the weights.

    Players that search with the evaluation then leave out what is almost certain (probcut).
    """
    from outflank.evaluations.champion import (
        PROBCUT,
        champion_facts,
        load_champion,
        save_champion,
    )
    from outflank.evaluations.learned import find_player_file
    from outflank.learn.champion.calibration import CalibrationConfig, calibrate
    from outflank.nets.files import load_tensors

    path = find_player_file(str(evaluation))
    target = out or path
    check_target(target, SUFFIX)
    config = CalibrationConfig(positions, depth, solve_from, seed)
    say = (lambda text: None) if json else (lambda text: console.print(text, markup=False))
    measured = calibrate(load_champion(path), config, say)
    tensors, _ = load_tensors(path, kind="champion")
    facts = {**champion_facts(path), **measured}
    save_champion(target, tensors["weights"], facts)
    if json:
        print_json({"file": str(target), **measured})
        return
    for title, entries in measured.items():
        errors = ", ".join(
            f"{one['depth']:.0f}: {one['error'] / 128:.1f}"
            for one in entries
            if one["from_discs"] == (_SHOWN_STAGE if title == PROBCUT else one["to_discs"])
        )
        console.print(f"{title}: errors in discs by depth: {errors}", markup=False)
    console.print(str(target), markup=False, soft_wrap=True)


def book(
    evaluation: Annotated[Path, typer.Argument(help="File of the evaluation, or a run's folder.")],
    out: Annotated[
        Path | None,
        typer.Option(
            help="The book's file, ending in .safetensors; an existing one grows further. "
            "Default: beside the evaluation, where players look for it."
        ),
    ] = None,
    positions: Annotated[
        int, typer.Option(min=1, max=10**6, help="Positions to grow to; 50,000 are about 1 MB.")
    ] = 2000,
    depth: Annotated[
        int, typer.Option(min=1, max=30, help="Of the search that values each position.")
    ] = 14,
    price: Annotated[
        float,
        typer.Option(
            min=0.01, max=64.0, callback=finite, help="Discs a ply costs; more: a broader book."
        ),
    ] = 1.0,
    json: Json = False,
) -> None:
    """Grow an opening book with the evaluation's own search. Ctrl-C stops; the file is kept.

    Example:

        outflank learn champion book runs/champion --positions 20000
    """
    from outflank.evaluations.learned import find_player_file
    from outflank.learn.champion.book import BookConfig, grow_book
    from outflank.players.book import book_file

    path = find_player_file(str(evaluation))
    if not path.is_file():
        raise FileError(path, "read", "no such file")
    target = out or book_file(path)
    check_target(target, SUFFIX)
    say = (lambda text: None) if json else (lambda text: console.print(text, markup=False))
    made = grow_book(path, target, BookConfig(positions, depth, price), say)
    facts = {"positions": len(made), "expanded": len(made.expanded)}
    if json:
        print_json({"file": str(target), **facts, "bytes": target.stat().st_size})
        return
    console.print(str(target), markup=False, soft_wrap=True)


class Source(str, Enum):
    """What learning begins with; the values of the field `source`."""

    ZERO = "zero"
    WTHOR = "wthor"


def _apply(arguments: Arguments) -> bool:
    """Turn --from into a setting, and make the preset of whole runs the default."""
    source = arguments.pop("source")
    if source is not None:
        arguments["settings"] = [*(arguments["settings"] or []), f"source={source.value}"]
        if not arguments["resume"]:
            arguments["chosen"] = arguments["chosen"] or _WHOLE_RUN
    return False


OLDER = OlderOptions(
    parameters=(
        option(
            "source",
            Annotated[
                Source | None,
                typer.Option(
                    "--from",
                    help="Begin with no evaluation (zero) or with expert games (wthor); "
                    "short for --set source=.",
                ),
            ],
            None,
        ),
    ),
    apply=_apply,
    finish=lambda arguments, folder, ending: None,
)
COMMANDS: dict[str, Callable[..., None]] = {"calibrate": calibrate, "book": book}
