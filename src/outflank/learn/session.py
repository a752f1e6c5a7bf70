"""One training session of a run, started by the command or for the lab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outflank import cluster
from outflank.errors import DataError
from outflank.learn.layout import CONFIG, TENSORBOARD, read_config
from outflank.learn.learner import CLUSTER, Learner, Options, TrainingContext, no_report
from outflank.learn.run import Run, refuse_a_second
from outflank.learn.settings import Settings
from outflank.learn.team import Team
from outflank.learn.tensorboard import EventFiles
from outflank.learn.training import TrainingObserver, train


@dataclass(frozen=True)
class Ending:
    """How a session ended.

    Attributes:
        finished: Whether the whole training is done, not only this session.
        step: How many steps are done.
        steps: Of the whole training.
        metrics: The last measurement; empty if there was none.
        words: The learner's closing lines for people.
    """

    finished: bool
    step: int
    steps: int
    metrics: Mapping[str, Any]
    words: Sequence[str]


def train_run(
    learner: Learner,
    folder: Path,
    config: Settings | None = None,
    *,
    options: Options | None = None,
    hours: float | None = None,
    tensorboard: bool = False,
    team: Team | None = None,
    observers: Sequence[TrainingObserver] = (),
    report: Callable[[str], None] = no_report,
) -> Ending:
    """Train a run until it is finished or interrupted, or until the time limit.

    A new run appears when its trainer is ready; an earlier error leaves nothing behind.

    Args:
        learner: The learner that trains it.
        folder: Of the run.
        config: Of a new run; None resumes the run in the folder.
        options: Values of the learner's options; others are ignored.
        hours: Time limit of this session; None for no limit.
        tensorboard: Write event files even if the configuration does not ask for them.
        team: The processes that train together, if there are several.
        observers: Called as training proceeds.
        report: Takes a line about what is being prepared, for people.
    """
    team = team or Team()
    resumed = config is None
    if config is None:
        name, fields = read_config(folder)
        if name and name != learner.name:
            raise DataError(f"{folder}: is a run of {name}, not of {learner.name}")
        config = learner.config.from_json(fields, str(folder / CONFIG))
    elif team.leads:
        refuse_a_second(folder)
    chosen = learner.chosen_options(options or {})
    context = TrainingContext(folder, chosen, team, report)
    with ExitStack() as stack:
        stack.enter_context(cluster.using(chosen.get(CLUSTER.name)))
        everyone = list(observers)
        if team.leads and (tensorboard or config.tensorboard):
            everyone.append(stack.enter_context(EventFiles(folder / TENSORBOARD)))
        if resumed:  # locked first, so that the run's status says what goes wrong
            run = stack.enter_context(_open(folder, None, learner, team))
            trainer = stack.enter_context(learner.trainer(config, context))
        else:
            trainer = stack.enter_context(learner.trainer(config, context))
            run = stack.enter_context(_open(folder, config, learner, team))
        finished = train(run, trainer, team=team, hours=hours, observers=everyone)
        metrics = (run.metrics() or [{}])[-1]
        words = learner.closing(run) if team.leads else []
        return Ending(finished, trainer.step, trainer.steps, metrics, words)


def _open(folder: Path, config: Settings | None, learner: Learner, team: Team) -> Run:
    """Let the leader create or lock the run; the others open it for reading."""
    if not team.leads:
        team.share(0)  # the leader has made it
        return Run.open(folder)
    if config is None:
        run = Run.resume(folder)
    else:
        run = Run.create(folder, config.to_json(), learner=learner.name)
    team.share(0)
    return run
