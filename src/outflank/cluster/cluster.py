"""What work is, and what a cluster of workers does with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from outflank.errors import OutflankError

Task = TypeVar("Task")
Value = TypeVar("Value")
_Self = TypeVar("_Self", bound="Cluster[Any, Any]")


class WorkerDiedError(OutflankError):
    """A worker ended in the middle of a task, and so did the one that tried it again."""


class Work(ABC, Generic[Task, Value]):
    """Something that is done for many tasks.

    Every worker has a copy of its own and keeps it from task to task, so that what is costly to
    make (a player, a network) is made once. The value of a task must depend on the task alone,
    not on what was done before: then it does not depend on the number of workers either.
    Work, tasks and values are pickled.
    """

    @abstractmethod
    def do(self, task: Task) -> Value:
        """Do one task."""

    def close(self) -> None:
        """End what this copy keeps running; it does no further task."""


@dataclass(frozen=True)
class TaskOutcome(Generic[Value]):
    """What became of one task: its value, or the error that it raised."""

    index: int  # of the task, from 0, in the order in which tasks were given
    result: Value | None = None
    error: BaseException | None = None

    @property
    def value(self) -> Value:
        """The task's value; its error is raised instead if it has one."""
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]  # without an error there is a result


class Cluster(ABC, Generic[Task, Value]):
    """Workers that share the tasks of one kind of work.

    Used in a `with` statement, it ends with it: after the tasks in hand when all went well, at
    once when the block raised.
    """

    @abstractmethod
    def map(self, tasks: Iterable[Task]) -> Iterator[TaskOutcome[Value]]:
        """Do every task, and yield the outcomes as they come, in any order.

        Tasks are drawn when a worker is free to do them. A task that raises has its error as its
        outcome, and the others go on.
        """

    @abstractmethod
    def close(self) -> None:
        """End all workers."""

    def kill(self) -> None:
        """End all workers at once, whatever they do."""
        self.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.kill()
