"""`outflank study`: reproduces the papers' tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from outflank.cli.output import Json, console, errors, print_json
from outflank.cli.spreading import OnCluster
from outflank.errors import DataError
from outflank.numbers import PROCESSES
from outflank.studies import (
    SCALES,
    Claim,
    Column,
    Result,
    Row,
    StudyListener,
    Workbench,
    draw,
    find_result,
    find_study,
    rejudge,
    studies,
    study_rows,
    why_stale,
)

app = typer.Typer(no_args_is_help=True, help="Reproduce the papers' tables and figures.")

Scale = Annotated[str, typer.Option(help=f"Size of the study: {', '.join(SCALES)}.")]
Out = Annotated[Path, typer.Option(help="Folder of the studies' results.")]
Figure = Annotated[
    Path | None,
    typer.Option(help="Draw the figure into a .png, .svg or .pdf file; needs the extra train."),
]


@app.command("list")
def list_(out: Out = Path("studies"), json: Json = False) -> None:
    """List the studies and the scales that have results, yours or shipped."""
    rows = study_rows(out)
    if json:
        print_json([asdict(row) for row in rows])
        return
    table = Table("study", "paper", "what it is", "results")
    for row in rows:
        table.add_row(row.name, str(row.paper or "-"), row.title, ", ".join(row.results))
    console.print(table)


@app.command()
def run(
    name: Annotated[str, typer.Argument(help="Name of the study; see outflank study list.")],
    scale: Scale = "smoke",
    out: Out = Path("studies"),
    wthor: Annotated[
        Path | None, typer.Option(help="Folder of WThor files. Default: the store's.")
    ] = None,
    years: Annotated[str, typer.Option(help="Years of the games: 1977-2015. Default: all.")] = "",
    openings: Annotated[
        str | None, typer.Option(help="File of openings. Default: random openings.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=PROCESSES.greatest,
            help="Workers for evolution and for players that search.",
        ),
    ] = None,
    cluster: OnCluster = None,
    figure: Figure = None,
    json: Json = False,
) -> None:
    """Run a study: train what it needs, measure, play, and show its table.

    It may be interrupted at any time; run the same command again to continue. Networks,
    measurements and games are kept in the folder, where other studies use them too. To name the
    folder of the league's players: outflank --league DIR study run ...

    Examples:

        outflank study run imitation-table-2 --scale smoke

        outflank study run imitation-table-9 --scale laptop --openings openings.txt
    """
    chosen = find_study(name)
    _check_scale(scale)
    with _listener(json) as listener:
        bench = Workbench(
            out, wthor=wthor, years=years, openings=openings, workers=workers, listener=listener
        )
        try:
            result = chosen.run(scale, bench)
        except KeyboardInterrupt:
            errors.print(
                "\nEverything made so far is kept; run the same command again to continue."
            )
            raise
    _show(result, figure, json)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Name of the study; see outflank study list.")],
    scale: Annotated[
        str, typer.Option(help=f"{', '.join(SCALES)}. Default: the largest that has a result.")
    ] = "",
    out: Out = Path("studies"),
    figure: Figure = None,
    json: Json = False,
) -> None:
    """Show the stored result of a study, yours or the shipped one.

    Examples:

        outflank study show imitation-figure-4 --scale laptop --figure accuracy.png
    """
    study = find_study(name).name
    if scale:
        _check_scale(scale)
    asked = [scale] if scale else SCALES[::-1]
    path = next(filter(None, (find_result(out, study, one) for one in asked)), None)
    if path is None:
        command = f"outflank study run {study} --scale {scale or SCALES[0]}"
        raise DataError(f"{out}: no result of {study}; make one with: {command}")
    _show(Result.load(path), figure, json)


@app.command()
def judge(
    name: Annotated[
        str, typer.Argument(help="Name of the study; see outflank study list. Default: all.")
    ] = "",
    out: Out = Path("studies"),
    json: Json = False,
) -> None:
    """Judge the papers' claims anew, from the rows of stored results, and store the verdicts.

    Nothing is trained, measured or played. Useful when a new version judges differently.

    Examples:

        outflank study judge imitation-table-5
    """
    chosen = [find_study(name)] if name else list(studies().values())
    changed = [one for study in chosen for one in rejudge(study, out)]
    if json:
        print_json([asdict(one) for one in changed])
        return
    for one in changed:
        console.print(f"{one.study} ({one.scale}): {one.text}", markup=False)
        console.print(f"{_verdict(one.before)} -> {_verdict(one.after)}", style="bold")
    if not changed:
        console.print("No verdict changed.")


def _verdict(stored: str) -> str:
    """Return a verdict as readers see it."""
    return "inconclusive" if stored == Claim.OPEN else stored or "not judged"


def _check_scale(scale: str) -> None:
    if scale not in SCALES:
        raise DataError(f"no such scale: {scale!r}; scales are {', '.join(SCALES)}")


def _show(result: Result, figure: Path | None, json: bool) -> None:
    if figure is not None:
        draw(result, figure)
    if json:
        print_json({**result.to_json(), "stale": why_stale(result)})
        return
    console.print(f"{result.title} ({result.scale})", style="bold", markup=False)
    if stale := why_stale(result):
        console.print(stale, style="yellow", markup=False)
    console.print(result_table(result))
    for claim in result.claims:
        console.print(f"The paper: {claim.text}.", markup=False)
        console.print(f"{claim.headline}: {claim.reason}.", markup=False, style="bold")
    for note in result.notes:
        console.print(f"* {note}", markup=False)


def result_table(result: Result) -> Table:
    """Make the table of a result: ours with the 95% interval, the paper's in brackets."""
    table = Table("")
    for column in result.columns:
        unit = f" [{column.unit}]" if column.unit else ""
        title = f"{column.title}{unit}".replace("[", r"\[")
        table.add_column(title, justify="right", overflow="fold")
    for row in result.rows:
        table.add_row(row.label, *[_cell(column, row) for column in result.columns])
    return table


def _cell(column: Column, row: Row) -> str:
    ours, papers = row.values.get(column.name), row.paper.get(column.name)
    interval = row.intervals.get(column.name)
    text = "" if ours is None else f"{ours:,.{column.digits}f}"
    if ours is not None and interval is not None:
        text += f" {_margin(ours, interval, column.digits)}"
    return text if papers is None else f"{text} ({papers:,.{column.digits}f})".strip()


def _margin(value: float, interval: Sequence[float], digits: int) -> str:
    """Return the interval of a figure: ± a margin if it is symmetric, else both ends."""
    below, above = (f"{abs(value - end):.{digits}f}" for end in interval)
    if below == above:
        return f"±{below}"
    return f"[{interval[0]:,.{digits}f}, {interval[1]:,.{digits}f}]"


class _BarListener(StudyListener):
    """Shows what is done now, with the remaining time."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar
        self.task = bar.add_task("", total=None)

    def began(self, what: str, total: float) -> None:
        self.bar.reset(self.task, description=what, total=total or None)

    def advanced(self, done: float) -> None:
        self.bar.update(self.task, completed=done)


@contextmanager
def _listener(json: bool) -> Iterator[StudyListener]:
    if json or not errors.is_terminal:
        yield StudyListener()
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=errors, transient=True) as bar:
        yield _BarListener(bar)
