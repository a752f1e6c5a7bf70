"""The same work on many tasks: in this process, or on this machine's processes."""

from __future__ import annotations

from outflank.cluster.cluster import Cluster, Task, TaskOutcome, Value, Work, WorkerDiedError
from outflank.cluster.inline import Inline
from outflank.cluster.local import LocalProcesses

__all__ = [
    "Cluster",
    "Inline",
    "LocalProcesses",
    "TaskOutcome",
    "Work",
    "WorkerDiedError",
    "start",
]


def start(work: Work[Task, Value], workers: int = 1) -> Cluster[Task, Value]:
    """Return a cluster of workers: this process alone, or processes of their own."""
    return Inline(work) if workers == 1 else LocalProcesses(work, workers)
