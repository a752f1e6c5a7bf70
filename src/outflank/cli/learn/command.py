"""The command of a learner, made from its entry in the registry."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from outflank.cli.learn.training import (
    Changes,
    EventFiles,
    Hours,
    JsonLines,
    Resume,
    RunName,
    Runs,
    ShowFields,
    configure,
    displaying,
    print_end,
    print_fields,
    run_folder,
)
from outflank.learn import join_team
from outflank.learn.learner import Learner, Option
from outflank.learn.session import Ending, train_run
from outflank.learn.team import Team

Arguments = dict[str, Any]

_MOST = 10**9  # of a number that a learner asks for


@dataclass(frozen=True)
class OlderOptions:
    """Options of a learner's command that are older than the registry, or short for settings.

    Attributes:
        parameters: The options.
        apply: Takes all arguments, may change them, and returns whether it did all the work.
        finish: Called with the arguments and the run's folder when training has ended.
    """

    parameters: Sequence[inspect.Parameter]
    apply: Callable[[Arguments], bool]
    finish: Callable[[Arguments, Path, Ending], None]


def make_command(learner: Learner, older: OlderOptions | None = None) -> Callable[..., None]:
    """Return a function whose signature has the options of a learner, as typer reads them."""

    def command(context: typer.Context, **arguments: Any) -> None:
        if context.invoked_subcommand is None:
            _train(learner, arguments, older)

    parameters = [
        inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context),
        option("name", RunName, ""),
        option("chosen", _preset_option(learner), ""),
        option("settings", Changes, None),
        option("fields", ShowFields, False),
        option("resume", Resume, False),
        option("hours", Hours, None),
        option("tensorboard", EventFiles, False),
        *(_own_option(one) for one in learner.all_options),
        *(older.parameters if older else ()),
        option("runs", Runs, Path("runs")),
        option("json", JsonLines, False),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__name__ = learner.name
    command.__doc__ = f"{learner.title}.\n{learner.about}"
    return command


def option(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    """Make an option for typer: a parameter with a default."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def _preset_option(learner: Learner) -> Any:
    text = f"Configuration to start from: {', '.join(learner.presets)}."
    return Annotated[str, typer.Option("--preset", help=text)]


def _own_option(own: Option) -> inspect.Parameter:
    kind = own.kind if own.default is not None else own.kind | None
    most = None if own.least is None else _MOST
    shown = typer.Option(f"--{own.name.replace('_', '-')}", min=own.least, max=most, help=own.help)
    return option(own.name, Annotated[kind, shown], own.default)


def _train(learner: Learner, arguments: Arguments, older: OlderOptions | None) -> None:
    if older and older.apply(arguments):
        return
    chosen, settings, json = arguments["chosen"], arguments["settings"] or [], arguments["json"]
    if arguments["fields"]:
        print_fields(learner, chosen, settings, json)
        return
    folder = run_folder(arguments["runs"], arguments["name"])
    resume = arguments["resume"]
    config = configure(learner, chosen, settings, folder if resume else None)
    team = join_team()
    try:
        ending = show_training(
            learner,
            folder,
            None if resume else config,
            arguments,
            team=team,
            hours=arguments["hours"],
            tensorboard=arguments["tensorboard"],
            json=json,
        )
    finally:
        team.leave()
    if team.leads:
        print_end(folder, ending, json)
    if older and team.leads:
        older.finish(arguments, folder, ending)


def show_training(
    learner: Learner,
    folder: Path,
    config: Any,
    options: Mapping[str, Any],
    *,
    team: Team | None = None,
    json: bool,
    quiet: bool = False,
    **session: Any,
) -> Ending:
    """Train a run and show its progress; no trainer is left when this returns.

    Args:
        learner: The learner that trains it.
        folder: Of the run.
        config: Of a new run; None resumes the run in the folder.
        options: Values of the learner's options.
        team: The processes that train together; the leader shows the progress.
        json: Whether to print lines of JSON instead of a bar.
        quiet: Whether to show nothing.
        session: Further arguments of train_run.
    """
    team = team or Team()
    with displaying(team.leads and not (json or quiet), team.leads and json) as display:
        return train_run(
            learner, folder, config, options=options, team=team, observers=[display],
            report=display.report, **session,
        )  # fmt: skip
