"""A run is a folder: its configuration, metrics, checkpoints and log.

    runs/NAME/
      config.json           what was asked for; never changes
      metrics.jsonl         a line for each measurement, in the order of steps
      log.txt               what happened when
      checkpoints/step-N/   all that training needs to go on from step N
      lock                  held by the process that trains

A process may be killed at any moment. A checkpoint appears under its name when it is complete;
when the run is resumed, measurements after its step are cut off, since they will be made again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any

from outflank.errors import DataError, FileError
from outflank.files import read_bytes, write_bytes
from outflank.locks import LockedError, take_lock

CONFIG, METRICS, LOG, LOCK, CHECKPOINTS = (
    "config.json", "metrics.jsonl", "log.txt", "lock", "checkpoints"
)  # fmt: skip
RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")  # what a run may be called
_FACTS = "checkpoint.json"
_KEPT = 2  # checkpoints, besides the best
_STEP = re.compile(r"step-([0-9]+)")


@dataclass(frozen=True)
class Checkpoint:
    """A moment of training that can be gone back to."""

    folder: Path
    step: int
    score: float | None  # by which the best is kept: higher is better; None if not measured


class Run:
    """A run's folder. `create` and `resume` lock it and may write; `open` only reads.

    Use it as a context manager: leaving the block gives the lock back.
    """

    def __init__(self, folder: Path, config: Mapping[str, Any], lock: int | None = None) -> None:
        self.folder = folder
        self.config = dict(config)
        self._lock = lock

    @classmethod
    def create(cls, folder: Path, config: Mapping[str, Any]) -> Run:
        """Begin a new run; a folder that has one already is an error."""
        try:
            (folder / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(folder, "make the folder", error) from error
        lock = _take_lock(folder)
        try:
            if (folder / CONFIG).exists():
                raise FileError(folder, "begin a run", "there is one already; --resume goes on")
            write_bytes(folder / CONFIG, json.dumps(dict(config), indent=2).encode() + b"\n")
        except BaseException:
            os.close(lock)
            raise
        run = cls(folder, config, lock)
        run.log("begun")
        return run

    @classmethod
    def open(cls, folder: Path) -> Run:
        """Look at a run, which another process may be training."""
        return cls(folder, _read_config(folder))

    @classmethod
    def resume(cls, folder: Path) -> Run:
        """Go on with a run from its last checkpoint, or from the start if it has none."""
        config = _read_config(folder)
        lock = _take_lock(folder)
        run = cls(folder, config, lock)
        try:
            for part in (folder / CHECKPOINTS).glob(".*"):  # left by a process that was killed
                shutil.rmtree(part)
            last = run.last_checkpoint()
            run._cut_metrics(last.step if last else -1)
            run.log(f"resumed at step {last.step if last else 0}")
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
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

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
                values = json.loads(line)
                if not isinstance(values["step"], int):
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
            if matched := _STEP.fullmatch(folder.name):
                facts = _read_json(folder / _FACTS)
                found.append(Checkpoint(folder, int(matched[1]), facts.get("score")))
        return sorted(found, key=lambda checkpoint: checkpoint.step)

    def last_checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint to go on from."""
        return max(self.checkpoints(), key=lambda one: one.step, default=None)

    def best_checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint of the highest score, the earlier among equals."""
        return _best(self.checkpoints())

    def save_checkpoint(
        self, step: int, save: Callable[[Path], None], *, score: float | None = None
    ) -> Checkpoint:
        """Let `save` write a step's checkpoint into a folder, and remove old ones.

        Kept are the last two and the best.
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
                os.fsync(stream.fileno())  # a checkpoint must not be there without its metrics
        except OSError as error:
            raise FileError(path, "write", error) from error


def _best(checkpoints: list[Checkpoint]) -> Checkpoint | None:
    measured = [one for one in checkpoints if one.score is not None]
    return max(measured, key=lambda one: (one.score, -one.step), default=None)


def _read_config(folder: Path) -> dict[str, Any]:
    if not (folder / CONFIG).is_file():
        raise DataError(f"{folder}: no run is there (it has no {CONFIG})")
    return _read_json(folder / CONFIG)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_bytes(path))
    except ValueError as error:
        raise DataError(f"{path}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise DataError(f"{path}: holds a {type(content).__name__}, not an object")
    return content


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
