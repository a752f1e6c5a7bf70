"""`outflank data`: the games to learn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from outflank import data
from outflank.cli.output import Json, console, errors, print_json, print_table

app = typer.Typer(no_args_is_help=True, help="Fetch games, list them, and make training sets.")

_DATASETS = "; ".join(f"{name}: {dataset.summary}" for name, dataset in data.DATASETS.items())


@app.command()
def fetch(
    dataset: Annotated[str, typer.Argument(help=f"What to fetch ({_DATASETS}).")],
    source: Annotated[
        Path | None,
        typer.Option("--from", help="Copy the files from this folder instead of downloading them."),
    ] = None,
    years: Annotated[
        str | None, typer.Option(help="Years to fetch: 2004, 1977-2015, -2000. Default: all.")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="URL of the files. Default: their publisher's."),
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Ask the server whether it has newer files.")
    ] = False,
    json: Json = False,
) -> None:
    """Fetch data into the store.

    The store is in your user data folder, or where OUTFLANK_DATA says. An interrupted download
    continues where it stopped; files that are already there are kept.

    Examples:

        outflank data fetch wthor

        outflank data fetch wthor --years 2000-2020

        outflank data fetch wthor --from ~/othello/wthor
    """
    wanted = data.find_dataset(dataset)
    chosen = data.parse_years(years) if years else None
    with Progress(
        TextColumn("{task.description:<14}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=json,
    ) as bar:
        shown = _Shown(bar)
        if source:
            report = wanted.take(source, years=chosen, progress=shown)
        else:
            report = wanted.fetch(base_url=base_url, years=chosen, refresh=refresh, progress=shown)
    if json:
        files = [
            {"name": file.name, "outcome": file.outcome.value, "problem": file.problem}
            for file in report.files
        ]
        print_json({"folder": str(report.folder), "files": files})
    else:
        for outcome, count in Counter(file.outcome.value for file in report.files).items():
            console.print(f"{count:>4} files {outcome}")
        console.print(f"They are in {report.folder}", markup=False, soft_wrap=True)
    report.raise_failures()


@app.command("list")
def list_(json: Json = False) -> None:
    """List the data in the store."""
    files = data.list_store()
    if json:
        print_json(
            [
                {
                    "dataset": file.dataset,
                    "path": str(file.path),
                    "bytes": file.bytes,
                    "year": file.year,
                    "games": file.games,
                    "problem": file.problem,
                }
                for file in files
            ]
        )
        return
    if not files:
        console.print("The store is empty. Fetch games with: outflank data fetch wthor")
        return
    rows = []
    for file in files:
        count = "" if file.games is None else f"{file.games:,}"
        rows.append((file.dataset, file.path.name, count, f"{file.bytes:,}", file.problem or ""))
    print_table(("dataset", "file", "games", "bytes", "problem"), rows, right=(2, 3), prose=(4,))
    for dataset in dict.fromkeys(file.dataset for file in files):
        part = [file for file in files if file.dataset == dataset]
        games = sum(file.games or 0 for file in part)
        what = f"{games:,} games" if games else f"{len(part)} files"
        console.print(f"{dataset}: {what} in {part[0].path.parent}", markup=False, soft_wrap=True)


@app.command()
def extract(
    wthor: Annotated[
        Path | None, typer.Option(help="Folder of WThor files. Default: the store's.")
    ] = None,
    years: Annotated[
        str | None, typer.Option(help="Years to use: 2004, 1977-2015, -2000. Default: all.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the training sets. Default: in the store.")
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Make them again even if they exist.")
    ] = False,
    json: Json = False,
) -> None:
    """Make training sets from WThor games: Original, Unique, Original-S, Unique-S.

    Each move of each game is an example. Unique has no duplicates; S adds all mirror images. Sets
    that were made from the same files are reused.

    Examples:

        outflank data extract --years 1977-2015

        outflank data extract --wthor ~/othello/wthor --out sets --json
    """
    chosen = data.parse_years(years) if years else None
    with Progress(
        TextColumn("{task.description:<22}"),
        BarColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    ) as bar:
        task = bar.add_task("starting", total=data.EXTRACTION_STEPS)

        def step(text: str, done: int) -> None:
            bar.update(task, description=text, completed=done)

        made = data.extract_examples(wthor=wthor, years=chosen, out=out, refresh=refresh, step=step)
    if made.damage:
        errors.print(f"made again, because of {made.damage}", markup=False, soft_wrap=True)
    if made.manifest.illegal:
        errors.print(f"games cut short by an illegal move: {made.manifest.illegal}")
    if json:
        print_json(_facts(made))
    else:
        _show_sets(made)


def _facts(made: data.Extraction) -> dict[str, object]:
    """Return the JSON answer about training sets."""
    manifest = made.manifest
    return {
        "games": manifest.games,
        "original": manifest.examples["original"],
        "unique": manifest.examples["unique"],
        "original_s": manifest.examples["original-s"],
        "unique_s": manifest.examples["unique-s"],
        "ceiling_original": manifest.ceilings["original"],
        "ceiling_unique": manifest.ceilings["unique"],
        "seen": manifest.seen,
        "illegal": manifest.illegal,
        "years": list(manifest.years),
        "folder": str(made.folder),
        "reused": made.reused,
        "damage": made.damage,
        "seconds": round(made.seconds, 3),
    }


def _show_sets(made: data.Extraction) -> None:
    manifest = made.manifest
    table = Table("set", "examples", "ceiling")
    for column in (1, 2):
        table.columns[column].justify = "right"
    for name in data.SETS:
        ceiling = f"{manifest.ceilings[name]:.2%}" if name in manifest.ceilings else ""
        table.add_row(name, f"{manifest.examples[name]:,}", ceiling)
    console.print(table)
    console.print(f"{manifest.games:,} games of {data.describe_years(manifest.years)}")
    console.print("The ceiling is the accuracy of a perfect predictor.")
    if manifest.seen:
        of_sets = {"unique": "of unique", "unique-s": "of unique-s (a held-out twentieth)"}
        shares = [
            f"{share:.1%} {of_sets.get(name, f'if split by {name}')}"
            for name, share in manifest.seen.items()
        ]
        console.print(
            f"Boards of a held-out quarter that are also in training: {', '.join(shares)}."
        )
    how = "They existed already, in" if made.reused else f"Made in {made.seconds:.1f} s, in"
    console.print(f"{how} {made.folder}", markup=False, soft_wrap=True)


class _Shown(data.Progress):
    """Shows the progress of a fetch: one bar over all files, named after the current one."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar
        self.task = bar.add_task("connecting", total=None)

    def begin(self, names: Sequence[str]) -> None:
        self.bar.update(self.task, total=len(names))

    def received(self, name: str, size: int, total: int | None) -> None:
        self.bar.update(self.task, description=name)

    def retrying(self, name: str, reason: str, seconds: float) -> None:
        self.bar.console.print(f"{name}: {reason}; trying again in {seconds:.0f} s")

    def finished(self, result: data.FileResult) -> None:
        self.bar.update(self.task, advance=1, description=result.name)
