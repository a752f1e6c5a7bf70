"""`outflank learn coevolution`: networks that evolve by playing each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.output import console
from outflank.cli.training import configure, print_end, print_fields, run_folder, watching
from outflank.learn import Run, train
from outflank.learn.coevolution import LEVELS, PRESETS, CoevolutionConfig, Crew, Evolution


def coevolution(
    name: Annotated[str, typer.Option("--run", help="Name of the run: its folder.")] = "",
    chosen: Annotated[
        str, typer.Option("--preset", help=f"Configuration to begin with: {', '.join(PRESETS)}.")
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the configuration."),
    ] = None,
    fields: Annotated[
        bool, typer.Option("--fields", help="Show the fields and their values, and end.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run from its last checkpoint.")
    ] = False,
    hours: Annotated[
        float | None, typer.Option(min=0.0, help="Stop after so many hours; --resume goes on.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes that play; the result is the same for any.")
    ] = 2,
    runs: Annotated[Path, typer.Option(help="Folder of all runs.")] = Path("runs"),
    json: Annotated[bool, typer.Option("--json", help="Print progress as JSON lines.")] = False,
) -> None:
    """Let evaluation functions evolve by playing each other (paper 4).

    After each generation observers that do not evolve measure the parents; evolution never sees
    their results. A run may be interrupted at any time; --resume goes on as if nothing had
    happened.

    Examples:

        outflank learn coevolution --preset smoke --run first

        outflank learn coevolution --preset paper --run evolved

        outflank learn coevolution --preset paper --set seed=2 --set deepest=8 --run second
    """
    if fields:
        print_fields(configure(PRESETS, CoevolutionConfig, chosen, settings), json)
        return
    folder = run_folder(runs, name)
    config = configure(PRESETS, CoevolutionConfig, chosen, settings, folder if resume else None)
    with (
        Run.resume(folder) if resume else Run.create(folder, config.to_json()) as run,
        Crew(config, workers) as crew,
        watching(not json, json) as watch,
    ):
        evolution = Evolution(config, crew, folder)
        finished = train(run, evolution, hours=hours, watch=watch)
        last = (run.metrics() or [{}])[-1]
    print_end(folder, evolution, finished, last, json)
    if not json:
        for observer, rungs in last.get("climbed", {}).items():
            counts = [
                f"{sum(min(rung, len(LEVELS) - 1) == number for rung in rungs)} {level}"
                for number, level in enumerate(LEVELS)
            ]
            console.print(f"against {observer}: {', '.join(counts)}", highlight=False)
        console.print(str(folder), markup=False, soft_wrap=True)
