"""`outflank learn patterns`: an evaluation for alpha-beta, from games and from its own."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.learn.training import minutes_bar
from outflank.cli.output import Json, console, print_json
from outflank.data import extract_examples, open_examples
from outflank.data.years import parse_years
from outflank.files import check_target
from outflank.learn.patterns import (
    PatternsConfig,
    SelfPlayConfig,
    learn_patterns,
    write_patterns,
)
from outflank.nets.files import SUFFIX


def patterns(
    out: Annotated[Path, typer.Option(help="File to write, ending in .safetensors.")],
    wthor: Annotated[
        Path | None, typer.Option(help="Folder of WThor files. Without: the store's.")
    ] = None,
    years: Annotated[
        str | None, typer.Option(help="Years to learn from: 2016, 1977-2020. Without: all.")
    ] = None,
    passes: Annotated[int, typer.Option(min=1, help="Over all positions.")] = 60,
    self_play: Annotated[
        int, typer.Option(min=0, help="Rounds of 10,000 games against itself that follow.")
    ] = 0,
    json: Json = False,
) -> None:
    """Learn an evaluation for alpha-beta: weights of lines, corners and edges at each stage.

    Examples:

        outflank learn patterns --out mine.safetensors --self-play 200

        outflank match alphabeta:eval=mine.safetensors,depth=5 alphabeta:eval=iago,depth=5
    """
    check_target(out, SUFFIX)
    began = time.perf_counter()
    config = PatternsConfig(passes=passes, self_play=SelfPlayConfig(rounds=self_play))
    made = extract_examples(wthor=wthor, years=parse_years(years) if years else None)
    with minutes_bar(json) as bar:
        task = bar.add_task("fitting", total=self_play or None)
        weights, report = learn_patterns(
            open_examples(made.folder, "original"),
            config,
            lambda number, error: bar.update(
                task, description=f"playing ({error**0.5:.2f})", completed=number
            ),
        )
    write_patterns(out, weights, config, report, made.manifest.years)
    seconds = time.perf_counter() - began
    if json:
        print_json({**dataclasses.asdict(report), "seconds": seconds, "file": str(out)})
        return
    console.print(
        f"{report.positions:,} positions; error {report.error:.2f} discs on {report.held_out:,} "
        f"held-out ones; {seconds:.0f} s",
        highlight=False,
    )
    console.print(str(out), markup=False, soft_wrap=True)
