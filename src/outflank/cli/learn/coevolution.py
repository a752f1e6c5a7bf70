"""Commands of `outflank learn coevolution` alone: look into a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from outflank.cli.output import Json, console, print_json
from outflank.errors import DataError
from outflank.learn import Run
from outflank.learn.coevolution import CoevolutionConfig, Rival, ancestors, network_of_run
from outflank.learn.coevolution.drawing import draw_lineage, draw_run
from outflank.learn.coevolution.play import game_of
from outflank.othello.statistics import statistics_of

RunFolder = Annotated[Path, typer.Argument(help="Folder of the run.")]
Rank = Annotated[
    int, typer.Option(min=1, max=10_000, help="Rank among the parents; 1 has the most points.")
]


def export(
    run: RunFolder,
    out: Annotated[Path, typer.Option(help="File to write, ending in .safetensors.")],
    generation: Annotated[
        int | None,
        typer.Option(min=0, max=10**9, help="An archived generation. Default: the last."),
    ] = None,
    rank: Rank = 1,
    json: Json = False,
) -> None:
    """Export a network of a run, to play as evolved:FILE or alphabeta:eval=FILE."""
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


def draw(
    run: RunFolder,
    out: Annotated[Path, typer.Option(help="File to write: .png, .svg or .pdf.")],
) -> None:
    """Draw a run: levels, wins and points by generation (Chong et al., 2005, Figs. 3 to 6)."""
    opened = Run.open(run)
    metrics = opened.metrics()
    if not metrics or "climbed" not in metrics[-1]:
        raise DataError(f"{run}: has no measurements by observers")
    draw_run(out, metrics, run.name)
    console.print(str(out), markup=False, soft_wrap=True)


def lineage(
    run: RunFolder,
    rank: Rank = 1,
    evaluation: Annotated[
        str, typer.Option("--eval", help="Evaluation of the opponent, which plays white.")
    ] = "discs",
    depth: Annotated[int, typer.Option(min=1, max=10, help="Search depth of the opponent.")] = 4,
    every: Annotated[
        int, typer.Option(min=1, max=10**9, help="Generations between the ancestors shown.")
    ] = 50,
    figure: Annotated[
        Path | None, typer.Option(help="Also draw it into a .png, .svg or .pdf file.")
    ] = None,
    json: Json = False,
) -> None:
    """Trace one of the last parents back to the first generation.

    Each ancestor plays black against the opponent. The table shows the result, both sides' discs
    and legal moves after 40 moves, and the corners at the end.
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


COMMANDS: dict[str, Callable[..., None]] = {"export": export, "draw": draw, "lineage": lineage}
