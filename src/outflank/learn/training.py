"""The loop around every trainer: measurements, checkpoints, time limits, interruptions."""

from __future__ import annotations

import json
import math
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from outflank.errors import DataError
from outflank.files import write_bytes
from outflank.learn.layout import read_json
from outflank.learn.run import Run
from outflank.learn.team import Team
from outflank.numbers import is_number

_CLOCK = "clock.json"
_SECONDS_BETWEEN_LOOKS = 0.5  # how long a stop or a bar has to wait
_SECONDS_BETWEEN_REPORTS = 1.0
_SECONDS_TO_WAIT = 0.7  # for the end of a step after an interrupt
_LONG_STEP = 1.0  # seconds of a step for whose end nobody waits
_SECONDS_TO_LOSE = 60.0  # of training, at most, when a long step is interrupted


class Trainer(Protocol):
    """Something in training.

    The same configuration gives the same results, in however many calls the steps are asked for,
    and whether or not it was saved and loaded between them.
    """

    step: int  # how many were done
    steps: int  # of the whole training
    score: str  # the measurement by which the best checkpoint is kept, if there is one

    @property
    def pace(self) -> tuple[int, int]:
        """Return how many steps there are between measurements, and between checkpoints."""

    def train_until(self, step: int) -> Mapping[str, float]:
        """Train until `step`; return the means (loss, ...) since the last `measure`."""

    def measure(self) -> Mapping[str, Any]:
        """Return a line for the metrics, and begin new means."""

    def save(self, folder: Path) -> None:
        """Write everything needed to resume into an empty folder."""

    def load(self, folder: Path) -> None:
        """Restore what was saved."""

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the learned player, with its card."""


class TrainingObserver:
    """Called as training proceeds; this one does nothing."""

    def began(self, step: int, steps: int) -> None:
        """Training starts or resumes at a step."""

    def advanced(self, step: int, means: Mapping[str, float], seconds: float) -> None:
        """`step` steps are done, after `seconds` of training in all."""

    def measured(self, step: int, metrics: Mapping[str, Any]) -> None:
        """A line was added to the metrics."""

    def interrupted(self) -> None:
        """An interrupt came during the last steps; training finished all the same."""


class _Everyone(TrainingObserver):
    """Calls several observers."""

    def __init__(self, observers: Sequence[TrainingObserver]) -> None:
        self.observers = observers

    def began(self, step: int, steps: int) -> None:
        for one in self.observers:
            one.began(step, steps)

    def advanced(self, step: int, means: Mapping[str, float], seconds: float) -> None:
        for one in self.observers:
            one.advanced(step, means, seconds)

    def measured(self, step: int, metrics: Mapping[str, Any]) -> None:
        for one in self.observers:
            one.measured(step, metrics)

    def interrupted(self) -> None:
        for one in self.observers:
            one.interrupted()


class _Stop:
    """Whether the user wants training to stop.

    Training then stops after its step, with a checkpoint. It stops at once on a second interrupt,
    and also on the first if the step takes longer than people wait and little is lost with it.
    """

    wanted = False
    saved = 0.0  # when the last checkpoint was written, on the monotonic clock
    took = math.inf  # seconds that the last step took; the first is not known yet

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGALRM:
            lost = time.monotonic() - self.saved
            if self.took > _LONG_STEP and lost < _SECONDS_TO_LOSE:
                raise KeyboardInterrupt
        elif self.wanted:
            raise KeyboardInterrupt
        else:
            self.wanted = True
            signal.setitimer(signal.ITIMER_REAL, _SECONDS_TO_WAIT)

    def is_between_steps(self) -> None:
        """Stop waiting: what is written now is written whole."""
        if self.wanted:
            signal.setitimer(signal.ITIMER_REAL, 0)


def train(
    run: Run,
    trainer: Trainer,
    *,
    team: Team | None = None,
    hours: float | None = None,
    observers: Sequence[TrainingObserver] = (),
) -> bool:
    """Train from the run's last checkpoint to the end; return whether training finished.

    It stops early, with a checkpoint, at the time limit or when interrupted. Either way the current
    network is written into the run's folder.

    Args:
        run: Created or resumed by this process.
        trainer: Of the run's configuration.
        team: The processes that train together; only the leader decides and writes.
        hours: Time limit of this call; None for no limit.
        observers: Called as training proceeds.
    """
    team, observer = team or Team(), _Everyone(observers)
    measure_every, save_every = trainer.pace
    began = time.monotonic()
    last = run.last_checkpoint()
    before = 0.0
    if last is not None:
        trainer.load(last.folder)
        before = _seconds_before(last.folder / _CLOCK)
    observer.began(trainer.step, trainer.steps)
    recorder = _Recorder(run, trainer, team, before)
    why = ""
    with _interrupts() as stop:
        stop.saved = time.monotonic()
        per_look = 1
        while trainer.step < trainer.steps:
            looked = time.monotonic()
            if stop.wanted:
                why = "interrupted"
            elif hours is not None and looked - began >= 3600 * hours:
                why = f"reached the time limit of {hours:g} hours"
            due = min(
                _next(trainer.step, measure_every),
                _next(trainer.step, save_every),
                trainer.steps,
                trainer.step + per_look,
            )
            target = team.share(trainer.step if why else due)
            if target == trainer.step:
                break
            done = target - trainer.step
            means = trainer.train_until(target)
            _check(means, target)
            took = time.monotonic() - looked
            stop.took = took / done
            per_look = max(1, int(_SECONDS_BETWEEN_LOOKS * done / max(took, 1e-6)))
            recorder.advance()
            observer.advanced(target, means, recorder.seconds)
            stop.is_between_steps()
            ends = target == trainer.steps
            if ends or target % measure_every == 0:
                metrics = recorder.measure()
                observer.measured(target, metrics)
            if ends or target % save_every == 0:
                recorder.save()
                stop.saved = time.monotonic()
    finished = trainer.step == trainer.steps
    recorder.finish(finished, why)
    if finished and stop.wanted:
        observer.interrupted()
    return finished


def _check(means: Mapping[str, float], step: int) -> None:
    """Stop a training that cannot recover; its last checkpoint is still good."""
    for name, mean in means.items():
        if not math.isfinite(mean):
            raise DataError(f"step {step}: {name} is no longer a number; try a lower learning rate")


class _Recorder:
    """Writes into the run's folder, if this process leads."""

    def __init__(self, run: Run, trainer: Trainer, team: Team, before: float) -> None:
        self.run = run
        self.trainer = trainer
        self.team = team
        self.began = time.monotonic() - before
        lines = run.metrics()
        self.last: Mapping[str, Any] = lines[-1] if lines else {}
        self.start, self.started = trainer.step, time.monotonic()
        self.reported = self.started
        if team.leads:
            run.report(state="running", why="", **self._progress())

    def _progress(self) -> dict[str, Any]:
        step, steps = self.trainer.step, self.trainer.steps
        done, took = step - self.start, time.monotonic() - self.started
        return {
            "step": step,
            "steps": steps,
            "seconds": round(self.seconds, 1),
            "remaining": round(took / done * (steps - step), 1) if done else None,
        }

    def advance(self) -> None:
        """Report the progress, but not more often than is useful."""
        now = time.monotonic()
        if self.team.leads and now - self.reported >= _SECONDS_BETWEEN_REPORTS:
            self.reported = now
            self.run.report(lasting=False, **self._progress())

    @property
    def seconds(self) -> float:
        """How long the run was trained, over all its sessions."""
        return time.monotonic() - self.began

    def measure(self) -> Mapping[str, Any]:
        values = self.trainer.measure()
        self.last = {"step": self.trainer.step, **values, "seconds": round(self.seconds, 1)}
        if self.team.leads:
            self.run.add_metrics(self.trainer.step, self.last)
        return self.last

    def save(self) -> None:
        if not self.team.leads:
            return
        step = self.trainer.step
        # A checkpoint between two measurements has no score of its own.
        score = self.last.get(self.trainer.score) if self.last.get("step") == step else None
        self.run.save_checkpoint(step, self._write, score=score)
        self.trainer.export(self.run.folder, self.last)  # so that the newest can be played with
        self.run.report(lasting=False, **self._progress())

    def _write(self, folder: Path) -> None:
        self.trainer.save(folder)
        write_bytes(folder / _CLOCK, json.dumps({"seconds": self.seconds}).encode())

    def finish(self, finished: bool, why: str) -> None:
        """Leave a checkpoint and the current network; `why` is the reason for stopping early."""
        if not self.team.leads:
            return
        last = self.run.last_checkpoint()
        if last is None or last.step != self.trainer.step:
            self.save()
        else:
            self.trainer.export(self.run.folder, self.last)
        self.run.log(f"{'finished' if finished else 'stopped'} at step {self.trainer.step}")
        state = "finished" if finished else "paused"
        self.run.report(state=state, why="" if finished else why, **self._progress())


def _seconds_before(path: Path) -> float:
    """Return how long a run was trained before its checkpoint."""
    seconds = read_json(path).get("seconds")
    if not is_number(seconds) or seconds < 0:
        raise DataError(f"{path}: seconds: {seconds!r}; accepted is a number from 0 up")
    return float(seconds)


def _next(step: int, every: int) -> int:
    """Return the next multiple of a number of steps."""
    return (step // every + 1) * every


@contextmanager
def _interrupts() -> Iterator[_Stop]:
    """Make interrupts (Ctrl-C, or a request to end) wait for the end of a step."""
    stop = _Stop()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    try:
        before = [signal.signal(number, stop) for number in numbers]
    except ValueError:  # not the main thread: interrupts do not come here
        yield stop
        return
    try:
        yield stop
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
