"""The same work on many tasks: in this process, on this machine's processes, or on Ray's."""

from __future__ import annotations

from outflank.cluster.choice import (
    SETTING,
    chosen,
    count_workers,
    is_remote,
    start,
    threads_of_each,
    using,
)
from outflank.cluster.cluster import Cluster, ClusterError, TaskOutcome, Work, WorkerDiedError
from outflank.cluster.inline import Inline
from outflank.cluster.local import LocalProcesses
from outflank.cluster.sharing import Shared

__all__ = [
    "SETTING",
    "Cluster",
    "ClusterError",
    "Inline",
    "LocalProcesses",
    "Shared",
    "TaskOutcome",
    "Work",
    "WorkerDiedError",
    "chosen",
    "count_workers",
    "is_remote",
    "start",
    "threads_of_each",
    "using",
]
