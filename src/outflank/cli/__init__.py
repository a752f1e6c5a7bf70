"""The `outflank` command. Thin: it parses, calls a room, prints."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer

from outflank.cli.lazy import Command, LazyGroup
from outflank.errors import OutflankError

COMMANDS = (
    Command(
        "lab", "lab:lab", "Open the lab: play, review, watch, learn and compare in a web page."
    ),
    Command("play", "play:play", "Play a game in the terminal."),
    Command("show", "show:show", "Show a position or a game.", boards=True),
    Command(
        "course",
        "course:course",
        "Show each side's discs, legal moves and corners after every move of a game.",
        boards=True,
    ),
    Command("move", "thinking:move", "Ask a player for its move in a position.", boards=True),
    Command(
        "solve",
        "thinking:solve",
        "Solve positions exactly: the final score under perfect play, and the best move.",
        boards=True,
    ),
    Command(
        "analyze",
        "thinking:analyze",
        "Review a game: the value of every move, the best move, and what was given away.",
        boards=True,
    ),
    Command(
        "players",
        "players:players",
        "List the kinds of players with their options, and the evaluations they can search with.",
    ),
    Command(
        "models",
        "models:models",
        "List the shipped networks, or show the card of one.",
    ),
    Command("match", "arena:match", "Play a match between two players; results are from A's view."),
    Command(
        "sprt", "sprt:sprt", "Test whether A is better than B: a sequential probability ratio test."
    ),
    Command("tournament", "arena:tournament", "Play a tournament and rate the players."),
    Command(
        "ratings",
        "arena:ratings",
        "Show the ladder: Elo ratings of all players, from all stored games.",
    ),
    Command(
        "gtp",
        "engines:gtp",
        "Play as an engine that speaks GTP, version 2, on standard input and output.",
    ),
    Command(
        "nboard",
        "engines:nboard",
        "Play as an engine that speaks NBoard's protocol, version 2, on standard input and output.",
    ),
    Command(
        "perft",
        "perft:perft",
        "Count move sequences: the usual check of a move generator.",
    ),
    Command(
        "bench",
        "bench:bench",
        "Measure this machine: perft, random playouts, batches of legal moves.",
    ),
    Command("records", "records:app", "Inspect, check and convert files of games."),
    Command("data", "data:app", "Fetch games, list them, and make training sets."),
    Command("learn", "learn:app", "Train players."),
    Command("study", "study:app", "Reproduce the papers' tables and figures."),
)


class _Outflank(LazyGroup):
    table = COMMANDS


app = typer.Typer(
    name="outflank",
    cls=_Outflank,
    help="Outflank: a laboratory in which a computer learns to play Othello.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

_INTERRUPTED = 128 + signal.SIGINT  # as a shell says it
_TERMINATED = 128 + signal.SIGTERM

# What the parser raises for a line that it cannot read; typer gives it no public name.
_UsageError: Any = typer.BadParameter.__base__


def _print_version(wanted: bool) -> None:
    if wanted:
        from outflank import __version__, _core

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
        typer.Option(help="Folder of the Othello League's .player files. Default: the store's."),
    ] = None,
) -> None:
    if league is not None:
        from outflank.data.league import LEAGUE_FOLDER

        os.environ[LEAGUE_FOLDER] = str(league.absolute())  # workers inherit it


def main() -> None:
    """Run the command; errors that a user can fix become one line and exit code 2."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        code = app(prog_name="outflank", standalone_mode=False)
        sys.stdout.flush()  # a full disk is an error like others, not a traceback at exit
        _end(code)
    except OutflankError as error:
        from outflank.cli.hints import with_hint

        _say(f"outflank: {with_hint(error)}", "bold red")
        _end(2)
    except _UsageError as error:
        _print_usage_error(error)
        _end(error.exit_code)
    except SystemExit as end:
        _end(end.code)
    except typer.Abort:
        _say("Aborted.")
        _end(1)
    except KeyboardInterrupt:
        _say("\nInterrupted.")
        _end(_INTERRUPTED)
    except BrokenPipeError:  # the reader of a pipe left (outflank ... | head)
        _forget_output()
        _end(1)
    except OSError as error:
        _forget_output()
        place = f"{error.filename}: " if error.filename else ""
        _say(f"outflank: {place}{error.strerror or error}", "bold red")
        _end(2)
    except MemoryError:
        _say("outflank: there is not enough memory for this", "bold red")
        _end(2)
    except Exception as error:
        if _was_interrupted(error):
            _end(_INTERRUPTED)
        raise


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt caused an error: creating a class during an import wraps it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _terminate(number: int, frame: FrameType | None) -> None:
    """End as on Ctrl-C: engines and workers are ended, and nothing is left half written."""
    raise SystemExit(_TERMINATED)


def _end(code: int | str | None) -> NoReturn:
    """Exit, also if compiled code is at work in another thread."""
    if code in (_INTERRUPTED, _TERMINATED) and (core := sys.modules.get("outflank._core")):
        core.end_calls()
    sys.exit(code)


def _forget_output() -> None:
    """Throw away what cannot be written any more; Python would complain of it at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_usage_error(error: Any) -> None:
    """Print what is wrong in one line; nothing if the help was shown for want of arguments."""
    problem = " ".join(error.format_message().split()).rstrip(".")
    if problem:
        command = error.ctx.command_path if error.ctx else "outflank"
        _say(f"outflank: {problem[0].lower()}{problem[1:]}; {command} -h explains", "bold red")


def _say(text: str, style: str | None = None) -> None:
    from outflank.cli.output import errors

    errors.print(text, style=style)
