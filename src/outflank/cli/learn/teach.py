"""`outflank learn imitation teach`: positions off the beaten track, judged by a search."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.learn.training import minutes_bar
from outflank.cli.output import Json, console, print_json
from outflank.cli.spreading import OnCluster
from outflank.files import check_target
from outflank.learn.imitation.lessons import LessonsConfig, gather_lessons
from outflank.nets.files import SUFFIX
from outflank.numbers import GAMES, PROCESSES, SEEDS, THREADS


def teach(
    network: Annotated[
        str, typer.Argument(help="A shipped network's name, a run's folder, or a network's file.")
    ],
    out: Annotated[Path, typer.Option(help="File to write, ending in .safetensors.")],
    games: Annotated[
        int, typer.Option(min=1, max=GAMES.greatest, help="Games to play.")
    ] = LessonsConfig.games,
    depth: Annotated[
        int, typer.Option(min=1, max=20, help="Depth of the search.")
    ] = LessonsConfig.depth,
    solve: Annotated[
        int, typer.Option(min=0, max=24, help="Solve exactly from this many empty squares on.")
    ] = LessonsConfig.solve,
    evaluation: Annotated[
        str, typer.Option("--eval", help="Evaluation of the search.")
    ] = LessonsConfig.eval,
    seed: Annotated[
        int, typer.Option(min=0, max=SEEDS.greatest, help="Seed of all randomness.")
    ] = LessonsConfig.seed,
    threads: Annotated[
        int, typer.Option(min=0, max=THREADS.greatest, help="Of one worker; 0: all cores.")
    ] = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=PROCESSES.greatest,
            help="Workers that judge. Default: 1, or every core of a Ray cluster.",
        ),
    ] = None,
    cluster: OnCluster = None,
    json: Json = False,
) -> None:
    """Collect lessons: positions that experts rarely reach, with the moves a search prefers.

    The network plays itself and simple players, from random openings. Training with
    `--set lessons=FILE` adds these positions to those of the expert games.
    """
    config = LessonsConfig(
        games=games, depth=depth, solve=solve, eval=evaluation, seed=seed, threads=threads
    )
    check_target(out, SUFFIX)
    began = time.perf_counter()
    with minutes_bar(json) as bar:
        task = bar.add_task("playing", total=1.0)
        lessons = gather_lessons(
            network,
            config,
            lambda what, share: bar.update(task, description=what, completed=share),
            workers=workers,
        )
    lessons.save(out)
    seconds = time.perf_counter() - began
    if json:
        print_json({"positions": len(lessons), "seconds": seconds, "file": str(out)})
        return
    console.print(f"{len(lessons):,} positions; {seconds:.0f} s", highlight=False)
    console.print(str(out), markup=False, soft_wrap=True)
