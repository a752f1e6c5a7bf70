"""What all commands that train have in common: configurations, runs, and how it is shown."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from outflank.cli.output import console, errors, print_json
from outflank.errors import DataError
from outflank.learn import Run, Settings, Trainer, Watch
from outflank.learn.run import RUN_NAME
from outflank.learn.settings import Preset, find_preset

_Config = TypeVar("_Config", bound=Settings)

# Options that all these commands have.
RunName = Annotated[str, typer.Option("--run", help="Name of the run: its folder.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the configuration."),
]
ShowFields = Annotated[
    bool,
    typer.Option(
        "--fields", help="Show a preset's fields, or without --preset the presets, and end."
    ),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with a run from its last checkpoint.")
]
Hours = Annotated[
    float | None, typer.Option(min=0.0, help="Stop after so many hours; --resume goes on.")
]
Runs = Annotated[Path, typer.Option(help="Folder of all runs.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print progress as JSON lines.")]

_SECONDS_BETWEEN_LINES = 5.0


def run_folder(runs: Path, name: str) -> Path:
    """Return the folder of a run of this name."""
    if not RUN_NAME.fullmatch(name):
        accepted = "accepted are letters, digits and . _ + -"
        raise DataError(f"--run {name!r}: {accepted}" if name else "which run? --run NAME")
    return runs / name


def configure(
    presets: Mapping[str, Preset],
    kind: type[_Config],
    chosen: str,
    settings: Sequence[str] | None,
    resumed: Path | None = None,
) -> _Config:
    """Return the configuration that is asked for, or that of a run that is resumed.

    What is asked for beside a resumed run must not differ from it.
    """
    if resumed is None:
        if not chosen:
            raise DataError(f"which configuration? --preset {' or '.join(presets)}")
        return find_preset(presets, chosen, kind).with_settings(settings or [])
    config = kind.from_json(Run.open(resumed).config, str(resumed / "config.json"))
    asked = find_preset(presets, chosen, kind) if chosen else config
    wanted = asked.with_settings(settings or []).to_json()
    for field, value in config.to_json().items():
        if wanted[field] != value:
            raise DataError(
                f"{resumed}: was begun with {field}={value}, not {wanted[field]}; "
                "a run keeps its configuration: begin another"
            )
    return config


def print_fields(
    presets: Mapping[str, Preset],
    kind: type[Settings],
    chosen: str,
    settings: Sequence[str] | None,
    json: bool,
) -> None:
    """Show the fields of a configuration with their values and what they are.

    If none is chosen, show which there are.
    """
    if not chosen:
        if json:
            print_json({name: preset.text for name, preset in presets.items()})
            return
        table = Table("preset", "what it is")
        for name, preset in presets.items():
            table.add_row(name, preset.text)
        console.print(table)
        return
    config = configure(presets, kind, chosen, settings)
    if json:
        print_json(config.to_json())
        return
    table = Table("field", "value", "what it is")
    for field in dataclasses.fields(config):
        table.add_row(field.name, _in_words(getattr(config, field.name)), field.metadata["text"])
    console.print(table)


def _in_words(value: object) -> str:
    """Return a field's value as --set takes it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def print_end(
    folder: Path, trainer: Trainer, finished: bool, last: Mapping[str, Any], json: bool
) -> None:
    """Say how training ended; `last` is the last measurement."""
    if json:
        event = "finished" if finished else "stopped"
        answer = {"event": event, "run": str(folder), "step": trainer.step, "steps": trainer.steps}
        print_json({**answer, "metrics": last})
    elif not finished:
        step, steps = trainer.step, trainer.steps
        errors.print(f"Stopped at step {step:,} of {steps:,}; --resume goes on from there.")


class _JsonWatch(Watch):
    """Prints a line for each measurement, and some between them."""

    def __init__(self) -> None:
        self.steps = 1
        self.start = 0
        self.began_at = self.printed = time.monotonic()

    def began(self, step: int, steps: int) -> None:
        self.start, self.steps = step, steps
        self.began_at = time.monotonic()
        print_json({"event": "began", "step": step, "steps": steps})

    def advanced(self, step: int, means: Mapping[str, float], seconds: float) -> None:
        now = time.monotonic()
        if now - self.printed < _SECONDS_BETWEEN_LINES:
            return
        self.printed = now
        left = (now - self.began_at) / (step - self.start) * (self.steps - step)
        line = {"event": "progress", "step": step, "steps": self.steps, **means}
        print_json({**line, "seconds": round(seconds, 1), "remaining": round(left, 1)})

    def measured(self, step: int, metrics: Mapping[str, Any]) -> None:
        print_json({"event": "metrics", **metrics})


class _BarWatch(Watch):
    """Shows a bar with the remaining time and the last figures."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar
        self.task = bar.add_task("", total=0, figures="", visible=False)
        self.held_out = ""

    def began(self, step: int, steps: int) -> None:
        self.bar.reset(self.task, total=steps, completed=step, visible=True)

    def advanced(self, step: int, means: Mapping[str, float], seconds: float) -> None:
        text = "".join(f"  {name} {value:.3f}" for name, value in means.items())
        self.bar.update(self.task, completed=step, figures=text + self.held_out)

    def measured(self, step: int, metrics: Mapping[str, Any]) -> None:
        if "held_out_accuracy" in metrics:
            self.held_out = f"  held out {metrics['held_out_accuracy']:.3f}"


@contextmanager
def watching(shown: bool, lines: bool) -> Iterator[Watch]:
    """Show training as a bar, or as lines of JSON, or not at all."""
    if lines:
        yield _JsonWatch()
    elif not shown or not errors.is_terminal:
        yield Watch()
    else:
        columns = (
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}{task.fields[figures]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=errors, transient=True) as bar:
            yield _BarWatch(bar)


def minutes_bar(quiet: bool) -> Progress:
    """Make a bar for work of some minutes."""
    return Progress(
        TextColumn("{task.description:<15}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=quiet,
    )
