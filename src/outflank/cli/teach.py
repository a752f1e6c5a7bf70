"""`outflank learn patterns` and `learn imitation teach`: what a search learns, and teaches."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from outflank.cli.output import Json, console, errors, print_json
from outflank.data import extract_examples, open_examples
from outflank.data.years import parse_years
from outflank.files import check_target
from outflank.learn.imitation.teacher import TeacherConfig, gather_lessons
from outflank.learn.pattern_self_play import SelfPlayConfig
from outflank.learn.patterns import PatternsConfig, learn_patterns, write_patterns
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
    with _bar(json) as bar:
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


def teach(
    network: Annotated[
        str, typer.Argument(help="A shipped network's name, a run's folder, or a network's file.")
    ],
    out: Annotated[Path, typer.Option(help="File to write, ending in .safetensors.")],
    games: Annotated[int, typer.Option(min=1, help="How many it plays.")] = TeacherConfig.games,
    depth: Annotated[int, typer.Option(min=1, max=20, help="Of the search.")] = TeacherConfig.depth,
    solve: Annotated[
        int, typer.Option(min=0, max=24, help="Empty squares from which the solver judges.")
    ] = TeacherConfig.solve,
    evaluation: Annotated[
        str, typer.Option("--eval", help="Evaluation of the search.")
    ] = TeacherConfig.eval,
    seed: Annotated[int, typer.Option(help="Of all chance.")] = TeacherConfig.seed,
    threads: Annotated[int, typer.Option(min=0, help="0: all cores.")] = 0,
    json: Json = False,
) -> None:
    """Gather positions off the beaten track, and the moves that a search finds there.

    The network plays against itself and against simple players, from random openings. Training
    with `--set lessons=FILE` adds these positions to those of the experts' games.
    """
    config = TeacherConfig(
        games=games, depth=depth, solve=solve, eval=evaluation, seed=seed, threads=threads
    )
    check_target(out, SUFFIX)
    began = time.perf_counter()
    with _bar(json) as bar:
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


def _bar(quiet: bool) -> Progress:
    """Make a bar for work of some minutes."""
    return Progress(
        TextColumn("{task.description:<15}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
        disable=quiet,
    )
