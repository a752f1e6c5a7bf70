"""What a run is doing, as data: status.json in its folder.

The process that trains writes it at every change of state, and about once a second between. A
process that was killed leaves "running" behind, but no lock: such a run is reported as paused,
since it can be resumed from its last checkpoint.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import typing
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Literal

from outflank.errors import DataError, FileError
from outflank.files import write_bytes
from outflank.learn.layout import CHECKPOINTS, LOCK, LOG, STATUS, read_json
from outflank.locks import is_locked
from outflank.numbers import is_number, is_whole_number

State = Literal["running", "paused", "stopped", "finished", "failed"]
STATES: tuple[State, ...] = typing.get_args(State)
KILLED = "its process ended unexpectedly; resume to continue from the last checkpoint"
BY_HAND = "stopped by hand"

_LONGEST_LINE = 4096
_STEP = re.compile(r"step-([0-9]+)")


# What each field may be, besides the state, and whether it may be none.
_KINDS: dict[str, tuple[Callable[[object], bool], bool]] = {
    "why": (lambda value: isinstance(value, str), False),
    "step": (is_whole_number, False),
    "steps": (is_whole_number, True),
    "seconds": (is_number, True),
    "remaining": (is_number, True),
    "pid": (is_whole_number, True),
    "changed": (lambda value: isinstance(value, str), False),
}


@dataclass(frozen=True)
class Status:
    """The state and progress of a run.

    Attributes:
        state: running; paused (can be resumed); stopped (the user called it done; it can still be
            resumed); finished; failed.
        why: The reason for being paused, stopped or failed, in one line.
        step: How many steps are done.
        steps: Of the whole training; None before it is known.
        seconds: Of training so far, over all sessions of the run.
        remaining: Estimated seconds left, while it runs.
        pid: The process that trains, or trained last.
        changed: When this was written, in UTC.
    """

    state: State
    why: str = ""
    step: int = 0
    steps: int | None = None
    seconds: float | None = None
    remaining: float | None = None
    pid: int | None = None
    changed: str = ""


def write_status(folder: Path, status: Status, *, lasting: bool = True) -> None:
    """Write a run's status whole.

    Args:
        folder: Of the run.
        status: What to write; the time is added.
        lasting: Whether it must survive a power cut, which takes longer.
    """
    now = datetime.now(timezone.utc).isoformat(sep=" ", timespec="seconds")
    content = json.dumps(dataclasses.asdict(dataclasses.replace(status, changed=now))).encode()
    path = folder / STATUS
    if lasting:
        write_bytes(path, content + b"\n")
        return
    part = folder / f".{STATUS}.part"  # the lock keeps other writers away
    try:
        part.write_bytes(content + b"\n")
        part.replace(path)
    except OSError as error:
        raise FileError(path, "write", error) from error


def read_status(folder: Path) -> Status:
    """Return the status of a run, even if its process was killed."""
    path = folder / STATUS
    status = _parse(path) if path.is_file() else _status_before_0_2(folder)
    if is_training(folder):
        return dataclasses.replace(status, state="running")
    status = dataclasses.replace(status, remaining=None)
    if status.state == "running":
        return dataclasses.replace(status, state="paused", why=KILLED)
    return status


def stop_by_hand(folder: Path) -> None:
    """Mark a paused run as stopped."""
    status = read_status(folder)
    if status.state == "paused":
        write_status(folder, dataclasses.replace(status, state="stopped", why=BY_HAND))


def is_training(folder: Path) -> bool:
    """Return whether a process holds a run's lock, without trying to take it.

    Only Linux reports who holds a lock; elsewhere runs of other processes never count as training.
    """
    return is_locked(folder / LOCK)


def _parse(path: Path) -> Status:
    content = read_json(path)
    known = {field.name for field in dataclasses.fields(Status)}
    fields: dict[str, Any] = {name: fact for name, fact in content.items() if name in known}
    if fields.get("state") not in STATES:
        raise DataError(f"{path}: state: {fields.get('state')!r}; accepted is {', '.join(STATES)}")
    for name, (fits, optional) in _KINDS.items():
        value = fields.get(name)
        if name in fields and not (fits(value) or (value is None and optional)):
            raise DataError(f"{path}: {name}: {fields[name]!r} is not accepted")
    return Status(**fields)


def _status_before_0_2(folder: Path) -> Status:
    """Return the status of a run made before version 0.2, which has no status.json.

    Its state is the last line of its log, its step that of the last checkpoint.
    """
    last = _last_line(folder / LOG)
    steps = [_STEP.fullmatch(path.name) for path in (folder / CHECKPOINTS).glob("step-*")]
    step = max((int(matched[1]) for matched in steps if matched), default=0)
    if " finished " in f"{last} ":
        return Status("finished", step=step, steps=step)
    if last.endswith(BY_HAND):
        return Status("stopped", BY_HAND, step=step)
    return Status("paused", step=step)


def _last_line(path: Path) -> str:
    """Return the last line of a file, however long the file is; empty if there is none."""
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - _LONGEST_LINE))
            lines = stream.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""
