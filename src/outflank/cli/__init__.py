"""The `outflank` command. Thin: it parses, calls a room, prints."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from outflank import __version__, _core
from outflank.cli import (
    arena,
    bench,
    course,
    data,
    engines,
    lab,
    learn,
    models,
    perft,
    play,
    players,
    records,
    show,
    study,
    thinking,
)
from outflank.cli.output import errors
from outflank.data.league import LEAGUE_FOLDER
from outflank.errors import OutflankError

app = typer.Typer(
    name="outflank",
    help="Outflank: a laboratory in which a computer learns to play Othello.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

# A board string may begin with a dash, which must not make it an option.
_BOARDS = {"ignore_unknown_options": True}

# What the parser says of a line that it cannot read; typer gives it no public name.
_UsageError: Any = typer.BadParameter.__base__

app.command("lab")(lab.lab)
app.command("play")(play.play)
app.command("show", context_settings=_BOARDS)(show.show)
app.command("course", context_settings=_BOARDS)(course.course)
app.command("move", context_settings=_BOARDS)(thinking.move)
app.command("solve", context_settings=_BOARDS)(thinking.solve)
app.command("analyze", context_settings=_BOARDS)(thinking.analyze)
app.command("players")(players.players)
app.command("models")(models.models)
app.command("match")(arena.match)
app.command("tournament")(arena.tournament)
app.command("ratings")(arena.ratings)
app.command("gtp")(engines.gtp)
app.command("nboard")(engines.nboard)
app.command("perft")(perft.perft)
app.add_typer(records.app, name="records")
app.add_typer(data.app, name="data")
app.add_typer(learn.app, name="learn")
app.add_typer(study.app, name="study")
app.command("bench")(bench.bench)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"outflank {__version__} ({_core.build()})")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    league: Annotated[
        Path | None,
        typer.Option(help="Folder of the league's .player files, if they are not in the store."),
    ] = None,
) -> None:
    if league is not None:
        os.environ[LEAGUE_FOLDER] = str(league.absolute())  # workers inherit it


def main() -> None:
    """Run the command; what a user can mend becomes one line and exit code 2."""
    try:
        sys.exit(app(prog_name="outflank", standalone_mode=False))
    except OutflankError as error:
        errors.print(f"outflank: {error}", style="bold red")
        sys.exit(2)
    except _UsageError as error:
        _print_usage_error(error)
        sys.exit(error.exit_code)
    except typer.Abort:
        errors.print("Aborted.")
        sys.exit(1)
    except KeyboardInterrupt:
        errors.print("\nInterrupted.")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of a pipe left (outflank ... | head). Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _print_usage_error(error: Any) -> None:
    """Say in one line what is wrong; nothing, if the help was shown because nothing was asked."""
    problem = " ".join(error.format_message().split()).rstrip(".")
    if problem:
        command = error.ctx.command_path if error.ctx else "outflank"
        errors.print(
            f"outflank: {problem[0].lower()}{problem[1:]}; {command} -h explains", style="bold red"
        )
