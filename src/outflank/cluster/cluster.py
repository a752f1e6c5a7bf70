"""The interfaces of work and of clusters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from outflank.cluster.sharing import Held, Shared
from outflank.errors import OutflankError

Task = TypeVar("Task")
Value = TypeVar("Value")
_Self = TypeVar("_Self", bound="Cluster[Any, Any]")


class WorkerDiedError(OutflankError):
    """Two workers died on the same task."""


class ClusterError(OutflankError):
    """A cluster that is not there, or cannot do this work: says what is wrong with it."""


class Work(ABC, Generic[Task, Value]):
    """Something that is done for many tasks.

    Every worker keeps its own copy from task to task, so that what is costly to make (a player, a
    network) is made once. The value of a task must depend on the task alone, not on earlier tasks;
    then it does not depend on the number of workers either. Work, tasks and values are pickled.
    """

    def prepare(self) -> None:
        """Load once what `do` loads by a user's names: files go along with the work.

        Called in the main process before the work goes to other machines, which do not have its
        files. What is kept in the work goes along, too.
        """

    @abstractmethod
    def do(self, task: Task) -> Value:
        """Do one task."""

    def close(self) -> None:
        """End what this copy keeps running; it gets no more tasks."""


@dataclass(frozen=True)
class TaskOutcome(Generic[Value]):
    """The outcome of a task: its value, or the error that it raised."""

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

    Use it in a `with` statement: it ends with the block, after the running tasks, or at once if the
    block raised.

    Attributes:
        workers: How many tasks can be done at once.
    """

    workers: int = 1

    def share(self, value: Held) -> Shared[Held]:
        """Return a handle for many tasks to hold, so that the value goes to each worker once.

        Workers forget the value when the handle is gone here.
        """
        return Shared(value)

    @abstractmethod
    def map(self, tasks: Iterable[Task]) -> Iterator[TaskOutcome[Value]]:
        """Do every task, and yield the outcomes as they come, in any order.

        Tasks are drawn when a worker is free. If a task raises, the error is its outcome, and the
        others continue.
        """

    @abstractmethod
    def close(self) -> None:
        """End all workers."""

    def kill(self) -> None:
        """End all workers at once, whatever they are doing."""
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
