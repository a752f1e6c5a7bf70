"""A run is a folder that survives anything: see outflank.learn.layout for what is in it.

A process may be killed at any moment. A checkpoint appears under its name when it is complete;
when the run is resumed, measurements after its step are cut off, since they will be made again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any

from outflank.errors import DataError, FileError, OutflankError
from outflank.files import read_bytes, remove_parts, write_bytes
from outflank.learn.layout import (
    CHECKPOINTS,
    CONFIG,
    LEARNER,
    LOCK,
    LOG,
    METRICS,
    is_run,
    parse_json,
    read_config,
    read_json,
)
from outflank.learn.status import Status, read_status, write_status
from outflank.locks import LockedError, take_lock
from outflank.numbers import is_whole_number

_FACTS = "checkpoint.json"
_KEPT = 2  # checkpoints, besides the best
_STEP = re.compile(r"step-([0-9]+)")


@dataclass(frozen=True)
class Checkpoint:
    """A saved state of training."""

    folder: Path
    step: int
    score: float | None  # by which the best is kept: higher is better; None if not measured


class Run:
    """A run's folder. `create` and `resume` lock it and may write; `open` only reads.

    Use it as a context manager: leaving the block notes how it ended and gives the lock back.
    """

    def __init__(
        self,
        folder: Path,
        config: Mapping[str, Any],
        lock: int | None = None,
        *,
        learner: str = "",
    ) -> None:
        self.folder = folder
        self.config = dict(config)
        self.learner = learner  # its name; empty for a run made before version 0.2
        self._lock = lock
        self._status = Status("running")

    @classmethod
    def create(cls, folder: Path, config: Mapping[str, Any], *, learner: str = "") -> Run:
        """Create a new run; a folder that already has one is an error.

        Args:
            folder: Of the run.
            config: Everything that decides its result.
            learner: Name of the learner.
        """
        try:
            (folder / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(folder, "make the folder", error) from error
        lock = _take_lock(folder)
        try:
            refuse_a_second(folder)
            run = cls(folder, config, lock, learner=learner)
            run.report(state="running")  # a folder with a config.json is a run, and has a status
            run.log("begun")
            whole = {LEARNER: learner, **config} if learner else dict(config)
            write_bytes(folder / CONFIG, json.dumps(whole, indent=2).encode() + b"\n")
        except BaseException:
            os.close(lock)
            raise
        return run

    @classmethod
    def open(cls, folder: Path) -> Run:
        """Open a run for reading; another process may be training it."""
        learner, config = read_config(folder)
        return cls(folder, config, learner=learner)

    @classmethod
    def resume(cls, folder: Path) -> Run:
        """Resume a run from its last checkpoint, or from the start if it has none."""
        learner, config = read_config(folder)
        lock = _take_lock(folder)
        run = cls(folder, config, lock, learner=learner)
        try:
            _remove_leftovers(folder)
            last = run.last_checkpoint()
            run._cut_metrics(last.step if last else -1)
            run.log(f"resumed at step {last.step if last else 0}")
            with suppress(DataError):  # a damaged status is written again
                run._status = read_status(folder)
            run.report(state="running", why="", step=last.step if last else 0, remaining=None)
        except OSError as error:
            os.close(lock)
            raise FileError(folder, "resume", error) from error
        except BaseException:
            os.close(lock)
            raise
        return run

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._lock is None:
            return
        try:
            if error is None:
                if self._status.state == "running":
                    self.report(state="paused")
            else:
                with suppress(OutflankError):  # the error that is on its way says more
                    self._note_error(error)
        finally:
            os.close(self._lock)
            self._lock = None

    def _note_error(self, error: BaseException) -> None:
        if isinstance(error, Exception):
            words = str(error) if isinstance(error, OutflankError) else repr(error)
            self.log(f"failed: {words}")
            self.report(state="failed", why=" ".join(words.split()))
        else:  # KeyboardInterrupt, SystemExit
            self.report(state="paused", why="interrupted before it could write a checkpoint")

    def report(self, *, lasting: bool = True, **changes: Any) -> None:
        """Note what the run is doing now, in status.json.

        Args:
            lasting: Whether the note must survive a power cut.
            changes: Fields of Status that changed.
        """
        if self._lock is None:
            raise OutflankError(f"{self.folder}: only the process that trains a run reports on it")
        self._status = replace(self._status, **{"pid": os.getpid(), **changes})
        if self._status.state != "running":
            self._status = replace(self._status, remaining=None)
        write_status(self.folder, self._status, lasting=lasting)

    def add_metrics(self, step: int, values: Mapping[str, Any]) -> None:
        """Append a measurement."""
        line = json.dumps({"step": step, **values})
        self._append(METRICS, line)

    def metrics(self) -> list[dict[str, Any]]:
        """Return all measurements so far; a line that is only half written does not count."""
        path = self.folder / METRICS
        lines = read_bytes(path).split(b"\n")[:-1] if path.exists() else []
        found = []
        for number, line in enumerate(lines, 1):
            try:
                values = parse_json(line)
                if not is_whole_number(values["step"]):
                    raise TypeError
            except (ValueError, KeyError, TypeError):
                raise DataError(f"{path}: line {number} is no measurement") from None
            found.append(values)
        return found

    def log(self, text: str) -> None:
        """Append a line, with the time, to the log."""
        now = datetime.now(timezone.utc).isoformat(sep=" ", timespec="seconds")
        self._append(LOG, f"{now} {text}")

    def checkpoints(self) -> list[Checkpoint]:
        """Return all checkpoints in the order of their steps."""
        found = []
        for folder in (self.folder / CHECKPOINTS).glob("step-*"):
            matched = _STEP.fullmatch(folder.name)
            if matched and (folder / _FACTS).is_file():  # others are no checkpoints of ours
                found.append(Checkpoint(folder, int(matched[1]), _score(folder / _FACTS)))
        return sorted(found, key=lambda checkpoint: checkpoint.step)

    def last_checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint to resume from."""
        return max(self.checkpoints(), key=lambda one: one.step, default=None)

    def best_checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint of the highest score, the earlier among equals."""
        return _best(self.checkpoints())

    def save_checkpoint(
        self, step: int, save: Callable[[Path], None], *, score: float | None = None
    ) -> Checkpoint:
        """Let `save` write a step's checkpoint into a folder, and remove old ones.

        The last two and the best are kept.
        """
        folder = self.folder / CHECKPOINTS
        part, whole = folder / f".step-{step}", folder / f"step-{step:09d}"
        try:
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            save(part)
            write_bytes(part / _FACTS, json.dumps({"step": step, "score": score}).encode())
            _sync(part)
            if whole.exists():  # stopped twice at one step: the content is the same
                shutil.rmtree(whole)
            part.rename(whole)
            _sync(folder)
            self._remove_old()
        except OSError as error:
            raise FileError(whole, "write", error) from error
        return Checkpoint(whole, step, score)

    def _remove_old(self) -> None:
        every = self.checkpoints()
        best = _best(every)
        for old in every[:-_KEPT]:
            if old != best:
                # Renamed first: a folder that is half removed must not look like a checkpoint.
                doomed = old.folder.with_name(f".old-{old.folder.name}")
                old.folder.rename(doomed)
                shutil.rmtree(doomed)

    def _cut_metrics(self, step: int) -> None:
        kept = [values for values in self.metrics() if values["step"] <= step]
        content = "".join(json.dumps(values) + "\n" for values in kept)
        write_bytes(self.folder / METRICS, content.encode())

    def _append(self, name: str, line: str) -> None:
        path = self.folder / name
        try:
            with path.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")
                stream.flush()
                os.fsync(stream.fileno())  # no checkpoint must exist without its metrics
        except OSError as error:
            raise FileError(path, "write", error) from error


def _score(path: Path) -> float | None:
    """Return the score that a checkpoint's facts hold."""
    score = read_json(path).get("score")
    if score is not None and (isinstance(score, bool) or not isinstance(score, (int, float))):
        raise DataError(f"{path}: score: {score!r}; accepted is a number")
    return score


def _remove_leftovers(folder: Path) -> None:
    """Remove what a killed process left half written; the run must be locked."""
    remove_parts(folder)
    for part in (folder / CHECKPOINTS).glob(".*"):
        if part.is_dir() and not part.is_symlink():
            shutil.rmtree(part)
        else:
            part.unlink()


def _best(checkpoints: list[Checkpoint]) -> Checkpoint | None:
    measured = [one for one in checkpoints if one.score is not None]
    return max(measured, key=lambda one: (one.score, -one.step), default=None)


def refuse_a_second(folder: Path) -> None:
    """Raise FileError if there is a run in a folder already."""
    if is_run(folder):
        raise FileError(folder, "begin a run", "there is one already", remedy="resume")


def _take_lock(folder: Path) -> int:
    """Lock a run's folder until the returned file is closed, also by the process's death."""
    try:
        return take_lock(folder / LOCK)
    except LockedError:
        raise FileError(folder, "train", "another process is training this run") from None


def _sync(folder: Path) -> None:
    """Make the names in a folder survive a power cut."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
