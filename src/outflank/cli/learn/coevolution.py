"""`outflank learn coevolution`: networks that evolve by playing each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from outflank.cli.learn.training import (
    Changes,
    Hours,
    JsonLines,
    Resume,
    RunName,
    Runs,
    ShowFields,
    configure,
    print_end,
    print_fields,
    run_folder,
    watching,
)
from outflank.cli.output import Json, console, print_json
from outflank.errors import DataError
from outflank.learn import Run, train
from outflank.learn.coevolution import (
    LEVELS,
    PRESETS,
    CoevolutionConfig,
    Crew,
    Evolution,
    Rival,
    ancestors,
    level,
    network_of_run,
)
from outflank.learn.coevolution.drawing import draw_lineage, draw_run
from outflank.learn.coevolution.play import game_of
from outflank.othello.statistics import statistics_of

app = typer.Typer(no_args_is_help=True)

RunFolder = Annotated[Path, typer.Argument(help="Folder of the run.")]
Rank = Annotated[int, typer.Option(min=1, help="Among the parents: 1 has the most points.")]


@app.callback(invoke_without_command=True)
def coevolution(
    context: typer.Context,
    name: RunName = "",
    chosen: Annotated[
        str, typer.Option("--preset", help=f"Configuration to begin with: {', '.join(PRESETS)}.")
    ] = "",
    settings: Changes = None,
    fields: ShowFields = False,
    resume: Resume = False,
    hours: Hours = None,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes that play; the result is the same for any.")
    ] = 2,
    runs: Runs = Path("runs"),
    json: JsonLines = False,
) -> None:
    """Let evaluation functions evolve by playing each other (paper 4).

    After each generation observers that do not evolve measure the parents; evolution never sees
    their results. A run may be interrupted at any time; --resume goes on as if nothing had
    happened.

    Examples:

        outflank learn coevolution --preset smoke --run first

        outflank learn coevolution --preset paper --run evolved

        outflank learn coevolution draw runs/evolved --out evolved.png

        outflank learn coevolution export runs/evolved --out mine.safetensors

        outflank match evolved:mine.safetensors alphabeta:eval=discs,depth=4
    """
    if context.invoked_subcommand is not None:
        return
    if fields:
        print_fields(PRESETS, CoevolutionConfig, chosen, settings, json)
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
    if json:
        return
    for observer, rungs in last.get("climbed", {}).items():
        levels = [level(rung) for rung in rungs]
        counts = [f"{levels.count(name)} {name}" for name in LEVELS if name in levels]
        console.print(f"against {observer}: {', '.join(counts)}", highlight=False)
    console.print(str(folder), markup=False, soft_wrap=True)


@app.command()
def export(
    run: RunFolder,
    out: Annotated[Path, typer.Option(help="File to write, ending in .safetensors.")],
    generation: Annotated[
        int | None, typer.Option(min=0, help="An archived one. Without: the last.")
    ] = None,
    rank: Rank = 1,
    json: Json = False,
) -> None:
    """Take a network out of a run, to play with: evolved:FILE, or alphabeta:eval=FILE."""
    network = network_of_run(run, generation=generation, rank=rank)
    network.save(out)
    if json:
        print_json({"file": str(out), **network.facts})
    else:
        past = network.facts
        console.print(
            f"{out}: rank {rank} of generation {past['generation']}, born in {past['born']}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )


@app.command()
def draw(
    run: RunFolder,
    out: Annotated[Path, typer.Option(help="File to write: .png, .svg or .pdf.")],
) -> None:
    """Draw how a run went: levels, wins and points by generation (paper 4, Figs. 3 to 6)."""
    opened = Run.open(run)
    metrics = opened.metrics()
    if not metrics or "climbed" not in metrics[-1]:
        raise DataError(f"{run}: nothing was observed there")
    draw_run(out, metrics, run.name)
    console.print(str(out), markup=False, soft_wrap=True)


@app.command()
def lineage(
    run: RunFolder,
    rank: Rank = 1,
    evaluation: Annotated[
        str, typer.Option("--eval", help="Evaluation of the opponent, who is white.")
    ] = "discs",
    depth: Annotated[int, typer.Option(min=1, max=10, help="Of the opponent.")] = 4,
    every: Annotated[int, typer.Option(min=1, help="Generations from one to the next.")] = 50,
    figure: Annotated[
        Path | None, typer.Option(help="Draw it, too: a .png, .svg or .pdf file.")
    ] = None,
    json: Json = False,
) -> None:
    """Follow one of the last parents back to the first generation.

    Each ancestor plays black against the opponent; shown are the result and, after 40 moves, how
    many discs and possible moves the two had, and the corners at the end.
    """
    config = CoevolutionConfig.from_json(Run.open(run).config, str(run))
    rows = []
    for one in ancestors(run, rank=rank, every=every):
        game = game_of(config, one.weights, Rival(evaluation, depth))
        rows.append(
            {
                "generation": one.generation,
                "number": one.number,
                "born": one.born,
                "rank": one.rank,
                **statistics_of(game).summary(),
                "game": game.transcript,
            }
        )
    if figure is not None:
        draw_lineage(figure, rows, f"{run.name}, rank {rank}, against {evaluation} at {depth}")
    if json:
        print_json(rows)
        return
    table = Table("generation", "born in", "rank", "score", "discs", "moves", "corners")
    for column in table.columns:
        column.justify = "right"
    for row in rows:
        pairs = (f"{row[name][0]} : {row[name][1]}" for name in ("discs", "mobility", "corners"))
        plain = (str(row[name]) for name in ("generation", "born", "rank"))
        table.add_row(*plain, f"{row['score']:+}", *pairs)
    console.print(table)
