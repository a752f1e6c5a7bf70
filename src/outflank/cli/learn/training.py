"""What all training commands share: configurations, runs, and the display of progress."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from outflank.cli.options import finite
from outflank.cli.output import console, errors, print_json
from outflank.errors import DataError
from outflank.learn.layout import CONFIG, RUN_NAME, read_config
from outflank.learn.learner import Learner
from outflank.learn.session import Ending
from outflank.learn.settings import Settings, find_preset
from outflank.learn.training import TrainingObserver

# Options of all these commands.
RunName = Annotated[str, typer.Option("--run", help="Name of the run and its folder.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the configuration."),
]
ShowFields = Annotated[
    bool,
    typer.Option(
        "--fields", help="List the fields of --preset, or all presets without one, and exit."
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a run from its last checkpoint.")]
Hours = Annotated[
    float | None,
    typer.Option(
        min=0.0, max=1e6, callback=finite, help="Stop after this many hours; --resume continues."
    ),
]
Runs = Annotated[Path, typer.Option(help="Folder of the runs.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Print progress as JSON lines.")]
EventFiles = Annotated[
    bool, typer.Option("--tensorboard", help="Write TensorBoard event files into the run's folder.")
]

_SECONDS_BETWEEN_LINES = 5.0


def run_folder(runs: Path, name: str) -> Path:
    """Return the folder of a run."""
    if not RUN_NAME.fullmatch(name):
        accepted = "accepted are letters, digits and . _ + -"
        raise DataError(f"--run {name!r}: {accepted}" if name else "which run? --run NAME")
    return runs / name


def configure(
    learner: Learner, chosen: str, settings: Sequence[str], resumed: Path | None = None
) -> Settings:
    """Return the configuration of a new run, or of a run to resume.

    A preset or settings given for a resumed run must agree with it.

    Args:
        learner: The learner to configure.
        chosen: The name of a preset, or empty.
        settings: Changes, each "field=value".
        resumed: The folder of the run to resume, if any.
    """
    if resumed is None:
        if not chosen:
            raise DataError(f"which configuration? --preset {' or '.join(learner.presets)}")
        return learner.configure(chosen, settings)
    name, fields = read_config(resumed)
    if name and name != learner.name:
        raise DataError(f"{resumed}: is a run of {name}: outflank learn {name} --resume")
    config = learner.config.from_json(fields, str(resumed / CONFIG))
    asked = find_preset(learner.presets, chosen, learner.config) if chosen else config
    wanted = asked.with_settings(settings).to_json()
    for field, value in config.to_json().items():
        if wanted[field] != value:
            raise DataError(
                f"{resumed}: was begun with {field}={value}, not {wanted[field]}; "
                "a run keeps its configuration, so start another"
            )
    return config


def print_fields(learner: Learner, chosen: str, settings: Sequence[str], json: bool) -> None:
    """List the fields of a configuration; without a preset, list the presets."""
    if not chosen:
        if json:
            print_json({name: preset.text for name, preset in learner.presets.items()})
            return
        table = Table("preset", "what it is")
        for name, preset in learner.presets.items():
            table.add_row(name, preset.text)
        console.print(table)
        return
    config = configure(learner, chosen, settings)
    if json:
        print_json(config.to_json())
        return
    table = Table("field", "value", "what it is")
    for field in config.fields():
        table.add_row(field.name, _in_words(getattr(config, field.name)), field.metadata["text"])
    console.print(table)


def _in_words(value: object) -> str:
    """Return a field's value as --set takes it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def print_end(folder: Path, ending: Ending, json: bool) -> None:
    """Print how training ended."""
    if json:
        event = "finished" if ending.finished else "stopped"
        answer = {"event": event, "run": str(folder), "step": ending.step, "steps": ending.steps}
        print_json({**answer, "metrics": ending.metrics})
        return
    if not ending.finished:
        errors.print(
            f"Stopped at step {ending.step:,} of {ending.steps:,}; --resume continues from there."
        )
    for line in ending.words:
        console.print(line, markup=False, soft_wrap=True, highlight=False)


class Display(TrainingObserver):
    """Shows the progress of training; this one shows nothing."""

    def report(self, text: str) -> None:
        """Show what is being prepared before training begins."""

    def close(self) -> None:
        """Stop showing."""


class _JsonLines(Display):
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


class _Bar(Display):
    """Shows what is being prepared, then a bar with the remaining time and the last figures."""

    def __init__(self) -> None:
        self.preparing = errors.status("")
        self.bar = Progress(
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}{task.fields[figures]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=errors,
            transient=True,
        )
        self.task = self.bar.add_task("", total=0, figures="")
        self.held_out = ""

    def report(self, text: str) -> None:
        self.preparing.update(text)
        self.preparing.start()

    def began(self, step: int, steps: int) -> None:
        self.preparing.stop()
        self.bar.reset(self.task, total=steps, completed=step)
        self.bar.start()

    def advanced(self, step: int, means: Mapping[str, float], seconds: float) -> None:
        text = "".join(f"  {name} {value:.3f}" for name, value in means.items())
        self.bar.update(self.task, completed=step, figures=text + self.held_out)

    def measured(self, step: int, metrics: Mapping[str, Any]) -> None:
        if "held_out_accuracy" in metrics:
            self.held_out = f"  held out {metrics['held_out_accuracy']:.3f}"

    def close(self) -> None:
        self.preparing.stop()
        self.bar.stop()


@contextmanager
def displaying(shown: bool, lines: bool) -> Iterator[Display]:
    """Show training as a bar, or as lines of JSON, or not at all."""
    if lines:
        display: Display = _JsonLines()
    else:
        display = _Bar() if shown and errors.is_terminal else Display()
    try:
        yield display
    finally:
        display.close()


def minutes_bar(quiet: bool) -> Progress:
    """Make a bar for work that takes minutes."""
    return Progress(
        TextColumn("{task.description:<15}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=quiet,
    )
