"""A cluster of one worker: this process itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from outflank.cluster.cluster import Cluster, Task, TaskOutcome, Value, Work


class Inline(Cluster[Task, Value]):
    """Does the tasks here, one after the other."""

    def __init__(self, work: Work[Task, Value]) -> None:
        self._work = work

    def map(self, tasks: Iterable[Task]) -> Iterator[TaskOutcome[Value]]:
        """Do every task and yield the outcomes in their order."""
        for index, task in enumerate(tasks):
            try:
                outcome = TaskOutcome(index, self._work.do(task))
            except Exception as error:  # whatever it is, it is the task's outcome
                outcome = TaskOutcome(index, error=error)
            yield outcome

    def close(self) -> None:
        """End what the work keeps running."""
        self._work.close()
