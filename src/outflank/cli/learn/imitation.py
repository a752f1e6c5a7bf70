"""`outflank learn imitation`: networks that learn to predict the moves of experts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outflank.cli.learn.average import average_networks
from outflank.cli.learn.imitation_test import measure_network
from outflank.cli.learn.remember import remember_positions
from outflank.cli.learn.teach import teach
from outflank.cli.learn.training import (
    Changes,
    Hours,
    JsonLines,
    Resume,
    RunName,
    Runs,
    ShowFields,
    configure,
    print_end,
    print_fields,
    run_folder,
    watching,
)
from outflank.cli.output import console, errors
from outflank.learn import Run, join_team, train
from outflank.learn.imitation import (
    PRESETS,
    SCORE,
    ImitationConfig,
    Material,
    find_trainer,
    gather_material,
    make_trainer,
)
from outflank.models import find_network_file

if TYPE_CHECKING:
    from outflank.learn import Team

app = typer.Typer(no_args_is_help=True)
app.command("test")(measure_network)
app.command("teach")(teach)
app.command("average")(average_networks)
app.command("remember")(remember_positions)


@app.callback(invoke_without_command=True)
def imitation(
    context: typer.Context,
    name: RunName = "",
    chosen: Annotated[
        str, typer.Option("--preset", help=f"Configuration to begin with: {', '.join(PRESETS)}.")
    ] = "",
    settings: Changes = None,
    fields: ShowFields = False,
    resume: Resume = False,
    hours: Hours = None,
    wthor: Annotated[
        Path | None, typer.Option(help="Folder of WThor files. Without: the store's.")
    ] = None,
    runs: Runs = Path("runs"),
    json: JsonLines = False,
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
        print_fields(PRESETS, ImitationConfig, chosen, settings, json)
        return
    folder = run_folder(runs, name)
    config = configure(PRESETS, ImitationConfig, chosen, settings, folder if resume else None)
    find_trainer(config.network)  # what is missing is said before the games are read
    team = join_team()
    try:
        _train(config, folder, team, wthor=wthor, resume=resume, hours=hours, json=json)
    finally:
        team.leave()


def _train(
    config: ImitationConfig,
    folder: Path,
    team: Team,
    *,
    wthor: Path | None,
    resume: bool,
    hours: float | None,
    json: bool,
) -> None:
    """Train, and let the leader say how it ended; no trainer is left when the team parts."""
    shown = not json and team.leads
    trainer = make_trainer(config, _gather(config, wthor, shown), team)
    with (
        _open_run(folder, config, resume, team) as run,
        watching(shown, json and team.leads) as watch,
    ):
        finished = train(run, trainer, team=team, hours=hours, watch=watch)
        last, best = (run.metrics() or [{}])[-1], run.best_checkpoint()
    if not team.leads:
        return
    print_end(folder, trainer, finished, last, json)
    if json:
        return
    if SCORE in last:
        console.print(f"held-out accuracy {100 * last[SCORE]:.1f}%", highlight=False)
    console.print(str(find_network_file(str(folder))), markup=False, soft_wrap=True)
    if best is not None and best.score is not None and best.step < trainer.step:
        where = f"{best.folder} was better: {100 * best.score:.1f}% at step {best.step:,}"
        console.print(where, markup=False, soft_wrap=True, highlight=False)


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
