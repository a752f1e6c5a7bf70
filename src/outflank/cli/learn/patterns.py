"""Options of `outflank learn patterns` alone, from before it had runs."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from outflank.cli.learn.command import Arguments, OlderOptions, option, show_training
from outflank.cli.output import console, print_json
from outflank.evaluations.learned import PLAYER_FILE
from outflank.files import check_target, read_bytes, write_bytes
from outflank.learn.patterns.config import PatternsConfig
from outflank.learn.patterns.learner import LEARNER
from outflank.learn.session import Ending
from outflank.nets.files import SUFFIX

COMMANDS: dict[str, Callable[..., None]] = {}

_REPORT = ("positions", "held_out", "error", "error_by_empties")
_FIELDS = {"years": "years", "passes": "passes", "self_play": "rounds"}  # by option

_OPTIONS = [
    option(
        "out",
        Annotated[
            Path | None,
            typer.Option(
                help="File to write the evaluation to, ending in .safetensors. Without --run, "
                "nothing else is kept."
            ),
        ],
        None,
    ),
    option(
        "years",
        Annotated[
            str | None, typer.Option(help="Years to learn from: 2016, 1977-2020. Default: all.")
        ],
        None,
    ),
    option(
        "passes",
        Annotated[int | None, typer.Option(min=1, max=10**6, help="Passes over all positions.")],
        None,
    ),
    option(
        "self_play",
        Annotated[
            int | None,
            typer.Option(min=0, max=10**9, help="Rounds of 10,000 games of self-play afterwards."),
        ],
        None,
    ),
]


def _apply(arguments: Arguments) -> bool:
    """Turn options into settings; without a run, train in a folder that is not kept."""
    given = [
        f"{field}={arguments[name]}"
        for name, field in _FIELDS.items()
        if arguments[name] is not None
    ]
    arguments["settings"] = [*(arguments["settings"] or []), *given]
    if arguments["out"] is None:
        return False
    check_target(arguments["out"], SUFFIX)
    if arguments["name"] or arguments["fields"]:
        return False
    _train_into_file(arguments)
    return True


def _train_into_file(arguments: Arguments) -> None:
    began, out, json = time.perf_counter(), arguments["out"], arguments["json"]
    chosen = arguments["chosen"]
    usual = LEARNER.configure(chosen) if chosen else PatternsConfig()
    config = usual.with_settings(arguments["settings"])
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        shown = {"hours": arguments["hours"], "tensorboard": arguments["tensorboard"]}
        ending = show_training(LEARNER, run, config, arguments, json=False, quiet=json, **shown)
        if not ending.finished and arguments["hours"] is None:
            raise KeyboardInterrupt
        _copy(run, out)
    seconds = time.perf_counter() - began
    report = {name: ending.metrics[name] for name in _REPORT if name in ending.metrics}
    if json:
        print_json({**report, "seconds": seconds, "file": str(out)})
        return
    console.print(f"{ending.words[0]}; {seconds:.0f} s", markup=False, highlight=False)
    console.print(str(out), markup=False, soft_wrap=True)


def _finish(arguments: Arguments, folder: Path, ending: Ending) -> None:
    if arguments["out"] is not None:
        _copy(folder, arguments["out"])


def _copy(run: Path, out: Path) -> None:
    write_bytes(out, read_bytes(run / PLAYER_FILE))


OLDER = OlderOptions(_OPTIONS, _apply, _finish)
