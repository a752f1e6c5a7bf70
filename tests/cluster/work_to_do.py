"""Work for tests: worker processes import it by this module's name."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from outflank import _core
from outflank.cluster import Shared, Work
from outflank.errors import RecordError
from outflank.files import located, needed, read_bytes


class Counting(Work[int, tuple[int, int, int]]):
    """Gives (square of the task, how many tasks this copy did before, its process)."""

    def __init__(self) -> None:
        self.done = 0

    def do(self, task: int) -> tuple[int, int, int]:
        self.done += 1
        return task * task, self.done - 1, os.getpid()


class UnsendableError(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


class Failing(Work[str, str]):
    """Fails in the way that the task names."""

    def do(self, task: str) -> str:
        if task == "record":
            raise RecordError("it is bad", source="file", record=3)
        if task == "unsendable":
            raise UnsendableError(1, 2)
        if task == "value":
            return lambda: None  # type: ignore[return-value]  # what cannot be pickled
        return task


class Dying(Work[Path, int]):
    """Kills its process as long as there are lives in the task's file."""

    def do(self, task: Path) -> int:
        lives = int(task.read_text())
        if lives:
            task.write_text(str(lives - 1))
            os.kill(os.getpid(), signal.SIGKILL)
        return lives


class Sleeping(Work[Path | None, None]):
    """Starts a process that sleeps, writes both numbers to the task's file, and sleeps too."""

    def do(self, task: Path | None) -> None:
        if task is None:
            return
        sleeper = subprocess.Popen(["sleep", "600"])
        task.with_suffix(".part").write_text(f"{os.getpid()} {sleeper.pid}")
        task.with_suffix(".part").rename(task)
        time.sleep(600)


class Closing(Work[Path, None]):
    """Leaves a note when it is closed."""

    def __init__(self, note: Path) -> None:
        self.note = note

    def do(self, task: Path) -> None:
        pass

    def close(self) -> None:
        self.note.write_text("closed")


class Heavy:
    """A value that counts in a file how often it is packed, to be sent somewhere."""

    def __init__(self, packed: Path, number: int) -> None:
        self.packed, self.number = packed, number

    def __reduce__(self) -> tuple[object, ...]:
        before = int(self.packed.read_text()) if self.packed.exists() else 0
        self.packed.write_text(str(before + 1))
        return Heavy, (self.packed, self.number)


class Adding(Work[tuple[Shared[Heavy], int], int]):
    """Adds the number of the task to that of a shared value."""

    def do(self, task: tuple[Shared[Heavy], int]) -> int:
        shared, number = task
        return shared.value.number + number


class Threads(Work[int, int]):
    """Gives what this process takes for all cores."""

    def do(self, task: int) -> int:
        return _core.available_threads()


class Reading(Work[str, bytes]):
    """Reads a file by a user's name for it; `names` are those that are known beforehand."""

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        self.names = names

    def prepare(self) -> None:
        for name in self.names:
            needed(located(name))

    def do(self, task: str) -> bytes:
        return read_bytes(located(task))
