"""`outflank records`: files of games."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from outflank import records
from outflank.cli.output import Json, console, errors, print_json, print_table
from outflank.errors import FileError, OutflankError
from outflank.othello import Game
from outflank.records.check import FileReport, check_file
from outflank.records.format import Problems

app = typer.Typer(no_args_is_help=True, help="Inspect, check and convert files of games.")

_FORMATS = ", ".join(records.FORMATS)

Files = Annotated[list[Path], typer.Argument(help="Files of games, of any known format.")]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format", help=f"Format of the files. Default: recognized by content ({_FORMATS})."
    ),
]
Lenient = Annotated[bool, typer.Option("--lenient", help="Skip bad games and count them.")]


@app.command()
def info(files: Files, format: FormatName = None, json: Json = False) -> None:
    """Summarize files of games.

    Example: outflank records info WTH_2004.wtb games.ggf
    """
    reports = _check_all(files, format)
    if json:
        print_json([_info(report) for report in reports])
    else:
        heads = ("file", "format", "games", "unfinished", "players", "events", "dates")
        print_table(heads, [_row(report) for report in reports], right=(2, 3, 4, 5))
    _stop_if_bad(reports)


@app.command()
def check(
    files: Files,
    format: FormatName = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Exit with 0 even if there are bad games.")
    ] = False,
    json: Json = False,
) -> None:
    """Replay every game and report everything that is wrong.

    Exits with 2 if a game or a file cannot be read. A recorded score that differs from the board
    is reported too, but is no error: most such games were broken off.

    Example: outflank records check ../wthor/*.wtb
    """
    reports = _check_all(files, format)
    games = sum(report.games for report in reports)
    bad = sum(max(1, len(report.errors)) if report.errors else 0 for report in reports)
    differences = [(report, entry) for report in reports for entry in report.score_differences]
    if json:
        print_json(
            {
                "files": len(reports),
                "games": games,
                "bad": bad,
                "errors": [str(error) for report in reports for error in report.errors],
                "unfinished": sum(report.unfinished for report in reports),
                "score_differs": [
                    {
                        "file": str(report.path),
                        "game": entry.record,
                        "recorded": entry.recorded,
                        "on_board": entry.on_board,
                        "unfinished": entry.unfinished,
                    }
                    for report, entry in differences
                ],
            }
        )
    else:
        for report, entry in differences:
            why = "the moves break off" if entry.unfinished else "the game is complete"
            console.print(
                f"{report.path}: game {entry.record}: recorded score {entry.recorded:+d},"
                f" on the board {entry.on_board:+d} ({why})",
                markup=False,
                soft_wrap=True,
            )
        summary = f"{len(reports):,} files, [bold]{games:,}[/] games, {bad:,} bad"
        if games:
            summary += (
                f"; the recorded score agrees in {1 - len(differences) / games:.2%}"
                f" ({len(differences):,} differ,"
                f" {sum(entry.unfinished for _, entry in differences):,} of them broken off)"
            )
        console.print(summary)
    _stop_if_bad(reports, code=0 if lenient else 2)


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="File of games to read.")],
    target: Annotated[Path, typer.Argument(help="File to write; its extension gives the format.")],
    format: FormatName = None,
    to: Annotated[str | None, typer.Option(help=f"Format to write: {_FORMATS}.")] = None,
    lenient: Lenient = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    json: Json = False,
) -> None:
    """Convert a file of games to another format.

    Example: outflank records convert WTH_2004.wtb games-2004.ggf
    """
    if target.exists() and not force:
        raise FileError(target, "write", "the file exists; --force replaces it")
    problems = Problems(str(source), lenient=lenient)
    read = records.read(
        source, format=records.format_named(format) if format else None, problems=problems
    )
    count = 0

    def counted() -> Iterator[Game]:
        nonlocal count
        for game in read:
            count += 1
            yield game

    records.write(target, counted(), format=records.format_named(to) if to else None)
    for error in problems.found:
        errors.print(f"skipped: {error}")
    if json:
        print_json(
            {
                "games": count,
                "skipped": len(problems.found),
                "errors": list(map(str, problems.found)),
            }
        )
    else:
        skipped = f", {len(problems.found):,} bad games skipped" if problems.found else ""
        console.print(f"{target}: {count:,} games written{skipped}", markup=False)


def _check_all(files: list[Path], format: str | None) -> list[FileReport]:
    known = records.format_named(format) if format else None
    return [check_file(path, known) for path in files]


def _info(report: FileReport) -> dict[str, object]:
    return {
        "file": str(report.path),
        "format": report.format.name if report.format else None,
        "games": report.games,
        "unfinished": report.unfinished,
        "players": len(report.players),
        "events": len(report.events),
        "dates": sorted(report.dates),
        "errors": [str(error) for error in report.errors],
    }


def _row(report: FileReport) -> tuple[str, ...]:
    dates = sorted(report.dates)
    return (
        report.path.name,
        report.format.title if report.format else "?",
        f"{report.games:,}",
        f"{report.unfinished:,}",
        f"{len(report.players):,}",
        f"{len(report.events):,}",
        dates[0] if len(dates) == 1 else f"{dates[0]} - {dates[-1]}" if dates else "",
    )


def _stop_if_bad(reports: list[FileReport], code: int = 2) -> None:
    """Print each error on a line of its own; exit if there was one."""
    found: list[OutflankError] = [error for report in reports for error in report.errors]
    for error in found:
        errors.print(f"outflank: {error}", style="bold red")
    if found and code:
        sys.exit(code)
