"""`outflank learn imitation test`: how well a network predicts moves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from outflank.cli.options import finite
from outflank.cli.output import Json, console, errors, print_json
from outflank.data.years import parse_years
from outflank.figures import check_figure
from outflank.learn.imitation import (
    EVERYTHING,
    SETS_OF_TESTS,
    HeldOut,
    Measures,
    draw_measures,
    hold_out,
    measure,
    seconds_per_position,
    training_of,
    why_not_held_out,
)
from outflank.models import load_networks
from outflank.nets.network import symmetrised
from outflank.numbers import SEEDS
from outflank.studies import Estimate

_BATCHES = (256, 1)


def measure_network(
    model: Annotated[
        str,
        typer.Argument(
            help="A shipped network's name, a run's folder, or a network's file; join "
            "several with + to average them."
        ),
    ],
    wthor: Annotated[
        Path | None, typer.Option(help="Folder of WThor files. Default: the store's.")
    ] = None,
    years: Annotated[
        str | None, typer.Option(help="Years to test with: 2016, 2016-2020. Default: all.")
    ] = None,
    split: Annotated[
        str,
        typer.Option(
            help=f"Which examples: {EVERYTHING}, or held-out ones: {', '.join(SETS_OF_TESTS)}."
        ),
    ] = EVERYTHING,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=SEEDS.greatest,
            help="Seed of the split. Default: that of the network's training.",
        ),
    ] = None,
    held_out: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            callback=finite,
            help="Share held out. Default: 0.25, or 0.05 of unique-s.",
            show_default=False,
        ),
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option(help="Draw accuracy by move and calibration; needs the extra train."),
    ] = None,
    examples: Annotated[
        int, typer.Option(min=0, max=10**10, help="Test with this many, chosen at random; 0: all.")
    ] = 0,
    symmetric: Annotated[
        bool, typer.Option("--symmetric", help="Average over all eight mirror images.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure how well a network predicts moves that were played.

    Without --split, every move of every game in the years counts. With it, only the examples held
    out from a network trained on the same games; see docs/studies.md. The probabilities of several
    networks, or of mirror images, are averaged.

    Examples:

        outflank learn imitation test imitation-fast --years 2021-2024

        outflank learn imitation test runs/conv8bn --years 1977-2015 --split unseen --json

        outflank learn imitation test imitation-0ply+imitation-conv --symmetric --years 2021-2024
    """
    chosen = parse_years(years) if years else None
    if figure is not None:
        check_figure(figure)
    network = load_networks(model)
    if symmetric:
        network = symmetrised(network)
    trained = training_of(network.card)
    if seed is None:
        seed = trained.split_seed if trained else 1
    with Progress(
        TextColumn("{task.description:<22}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=json or not errors.is_terminal,
    ) as bar:
        task = bar.add_task("reading the games", total=None)
        exam = hold_out(
            split,
            wthor=wthor,
            years=chosen,
            seed=seed,
            share=held_out,
            trained=trained,
            at_most=examples,
            step=lambda text, _: bar.update(task, description=text),
        )
        bar.update(task, description="testing", total=len(exam.examples))
        found = measure(
            network, exam.examples, advanced=lambda done: bar.update(task, completed=done)
        )
    times = {batch: seconds_per_position(network, batch) for batch in _BATCHES}
    warning = why_not_held_out(exam, network.card)
    if json:
        answer = {"model": model, "symmetric": symmetric, "network": network.name}
        answer |= found.to_json()
        answer |= {"set": exam.name, "meaning": exam.meaning, "years": exam.years}
        answer |= {"seed": exam.seed, "held_out": exam.share, "warning": warning or None}
        answer["seconds_per_position"] = {str(batch): took for batch, took in times.items()}
        print_json(answer)
    else:
        _print(f"{model}, over mirror images" if symmetric else model, exam, found, times)
        if warning:
            errors.print(f"Note: {warning}.")
    if figure is not None:
        draw_measures(figure, found, network.name)


def _print(name: str, exam: HeldOut, found: Measures, times: dict[int, float]) -> None:
    table = Table("measure", "", show_header=False)
    table.columns[1].justify = "right"
    table.add_row("examples", f"{found.examples:,}")
    margin = Estimate.of_share(found.accuracy, found.examples).margin
    table.add_row("accuracy", f"{found.accuracy:.2%} ±{margin:.2f}%")
    for k in (2, 3, 5):
        table.add_row(f"among the {k} highest", f"{found.top[k]:.2%}")
    table.add_row("from the fifth move on", f"{found.from_fifth[1]:.2%}")
    table.add_row("highest is legal", f"{found.legal:.3%}")
    table.add_row("calibration error", f"{found.calibration_error:.2%}")
    if found.value_error is not None:
        table.add_row("squared error of the value", f"{found.value_error:.4f}")
    for batch, took in times.items():
        table.add_row(f"time per position, {batch} at once", f"{1e6 * took:.1f} µs")
    console.print(f"{name}: {exam.meaning} ({exam.years})", markup=False)
    console.print(table)
    console.print(f"{found.ties[0].upper()}{found.ties[1:]}.")
