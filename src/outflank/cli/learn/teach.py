"""`outflank learn imitation teach`: positions off the beaten track, judged by a search."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.learn.training import minutes_bar
from outflank.cli.output import Json, console, print_json
from outflank.files import check_target
from outflank.learn.imitation.lessons import LessonsConfig, gather_lessons
from outflank.nets.files import SUFFIX


def teach(
    network: Annotated[
        str, typer.Argument(help="A shipped network's name, a run's folder, or a network's file.")
    ],
    out: Annotated[Path, typer.Option(help="File to write, ending in .safetensors.")],
    games: Annotated[int, typer.Option(min=1, help="How many it plays.")] = LessonsConfig.games,
    depth: Annotated[int, typer.Option(min=1, max=20, help="Of the search.")] = LessonsConfig.depth,
    solve: Annotated[
        int, typer.Option(min=0, max=24, help="Empty squares from which the solver judges.")
    ] = LessonsConfig.solve,
    evaluation: Annotated[
        str, typer.Option("--eval", help="Evaluation of the search.")
    ] = LessonsConfig.eval,
    seed: Annotated[int, typer.Option(help="Of all chance.")] = LessonsConfig.seed,
    threads: Annotated[int, typer.Option(min=0, help="0: all cores.")] = 0,
    json: Json = False,
) -> None:
    """Gather positions off the beaten track, and the moves that a search finds there.

    The network plays against itself and against simple players, from random openings. Training
    with `--set lessons=FILE` adds these positions to those of the experts' games.
    """
    config = LessonsConfig(
        games=games, depth=depth, solve=solve, eval=evaluation, seed=seed, threads=threads
    )
    check_target(out, SUFFIX)
    began = time.perf_counter()
    with minutes_bar(json) as bar:
        task = bar.add_task("playing", total=1.0)
        lessons = gather_lessons(
            network, config, lambda what, share: bar.update(task, description=what, completed=share)
        )
    lessons.save(out)
    seconds = time.perf_counter() - began
    if json:
        print_json({"positions": len(lessons), "seconds": seconds, "file": str(out)})
        return
    console.print(f"{len(lessons):,} positions; {seconds:.0f} s", highlight=False)
    console.print(str(out), markup=False, soft_wrap=True)
