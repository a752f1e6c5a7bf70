"""`outflank learn`: training, in runs that can be interrupted and resumed."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from outflank.cli import imitation_test, teach
from outflank.cli.output import console, errors, print_json
from outflank.errors import DataError
from outflank.learn import Run, join_team
from outflank.learn.imitation import (
    PRESETS,
    ImitationConfig,
    Material,
    Watch,
    find_trainer,
    gather_material,
    make_trainer,
    preset,
    train,
)
from outflank.models import find_network_file

if TYPE_CHECKING:
    from outflank.learn import Team

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_SECONDS_BETWEEN_LINES = 5.0

app = typer.Typer(no_args_is_help=True, help="Train networks.")
_imitation = typer.Typer(no_args_is_help=True)
app.add_typer(_imitation, name="imitation")
_imitation.command("test")(imitation_test.measure_network)
_imitation.command("teach")(teach.teach)
app.command("patterns")(teach.patterns)


@_imitation.callback(invoke_without_command=True)
def imitation(
    context: typer.Context,
    name: Annotated[str, typer.Option("--run", help="Name of the run: its folder.")] = "",
    chosen: Annotated[
        str, typer.Option("--preset", help=f"Configuration to begin with: {', '.join(PRESETS)}.")
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the configuration."),
    ] = None,
    fields: Annotated[
        bool, typer.Option("--fields", help="Show the fields and their values, and end.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run from its last checkpoint.")
    ] = False,
    hours: Annotated[
        float | None, typer.Option(min=0.0, help="Stop after so many hours; --resume goes on.")
    ] = None,
    wthor: Annotated[
        Path | None, typer.Option(help="Folder of WThor files. Without: the store's.")
    ] = None,
    runs: Annotated[Path, typer.Option(help="Folder of all runs.")] = Path("runs"),
    json: Annotated[bool, typer.Option("--json", help="Print progress as JSON lines.")] = False,
) -> None:
    """Learn to predict the moves of experts (paper 1).

    A run may be interrupted at any time, also by a power cut; --resume goes on from its last
    checkpoint as if nothing had happened. On several GPUs, torchrun starts it (see the examples).

    Examples:

        outflank learn imitation --preset smoke --run first

        outflank learn imitation --preset paper --set network=conv8-bn --run conv8bn --hours 10

        outflank learn imitation --run conv8bn --resume

        torchrun --standalone --nproc-per-node 2 -m -- outflank learn imitation --run a --resume
    """
    if context.invoked_subcommand is not None:
        return
    if fields:
        _print_fields(_asked(chosen, settings), json)
        return
    if not _NAME.fullmatch(name):
        accepted = "accepted are letters, digits and . _ + -"
        raise DataError(f"--run {name!r}: {accepted}" if name else "which run? --run NAME")
    folder = runs / name
    config = _resumed(folder, chosen, settings) if resume else _asked(chosen, settings)
    find_trainer(config.network)  # what is missing is said before the games are read
    team = join_team()
    try:
        shown = not json and team.leads
        material = _gather(config, wthor, shown)
        trainer = make_trainer(config, material, team)
        with (
            _open_run(folder, config, resume, team) as run,
            _watch(shown, json and team.leads) as w,
        ):
            finished = train(run, trainer, config, team=team, hours=hours, watch=w)
            last = (run.metrics() or [{}])[-1]
    finally:
        team.leave()
    if team.leads:
        _print_end(folder, finished, trainer.step, trainer.steps, last, json)


def _asked(chosen: str, settings: list[str] | None) -> ImitationConfig:
    if not chosen:
        raise DataError(f"which configuration? --preset {' or '.join(PRESETS)}")
    return preset(chosen).with_settings(settings or [])


def _resumed(folder: Path, chosen: str, settings: list[str] | None) -> ImitationConfig:
    """Return a run's configuration; what is asked for beside it must not differ."""
    config = ImitationConfig.from_json(Run.open(folder).config, str(folder / "config.json"))
    asked = preset(chosen) if chosen else config
    asked = asked.with_settings(settings or [])
    wanted = asked.to_json()
    for field, value in config.to_json().items():
        if wanted[field] != value:
            raise DataError(
                f"{folder}: was begun with {field}={value}, not {wanted[field]}; "
                "a run keeps its configuration: begin another"
            )
    return config


def _open_run(folder: Path, config: ImitationConfig, resume: bool, team: Team) -> Run:
    """Let the leader make or lock the run; the others look at it."""
    if not team.leads:
        team.share(0)  # the leader has made it
        return Run.open(folder)
    run = Run.resume(folder) if resume else Run.create(folder, config.to_json())
    team.share(0)
    return run


def _gather(config: ImitationConfig, wthor: Path | None, shown: bool) -> Material:
    if not shown or not errors.is_terminal:
        return gather_material(config, wthor=wthor)
    with errors.status("looking for the games") as status:
        return gather_material(
            config, wthor=wthor, step=lambda text, done: status.update(f"games: {text}")
        )


def _print_fields(config: ImitationConfig, json: bool) -> None:
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


def _print_end(
    folder: Path, finished: bool, step: int, steps: int, last: Mapping[str, Any], json: bool
) -> None:
    if json:
        event = "finished" if finished else "stopped"
        answer = {"event": event, "run": str(folder), "step": step, "steps": steps}
        print_json({**answer, "metrics": last})
        return
    if not finished:
        errors.print(f"Stopped at step {step:,} of {steps:,}; --resume goes on from there.")
    accuracy = last.get("held_out_accuracy")
    if accuracy is not None:
        console.print(f"held-out accuracy {100 * accuracy:.1f}%", highlight=False)
    console.print(str(find_network_file(str(folder))), markup=False, soft_wrap=True)


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
def _watch(shown: bool, lines: bool) -> Iterator[Watch]:
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
