"""Where work is done: on this machine, or on a Ray cluster.

The choice is made once, by `--cluster`, by a `using` block or by the environment; whatever spreads
work then asks `start` for workers and need not know.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from outflank import _core
from outflank.cluster.cluster import Cluster, ClusterError, Task, Value, Work
from outflank.cluster.inline import Inline
from outflank.cluster.local import LocalProcesses

LOCAL, RAY, RAY_ADDRESS = "local", "ray", "ray://"
SETTING = "OUTFLANK_CLUSTER"  # a variable of the environment, which processes of the lab inherit

_chosen: ContextVar[str | None] = ContextVar("cluster", default=None)


def check(where: str) -> str:
    """Return the name of a cluster if it is one; nothing is connected yet."""
    if where in (LOCAL, RAY):
        return where
    host, colon, port = where.removeprefix(RAY_ADDRESS).rpartition(":")
    if where.startswith(RAY_ADDRESS) and colon and host and port.isdecimal() and int(port) < 65536:
        return where
    raise ClusterError(f"no such cluster: {where!r}; local, ray and ray://HOST:PORT are accepted")


def chosen() -> str:
    """Return where work is done: as the innermost `using` says, else OUTFLANK_CLUSTER, else local.

    >>> chosen()
    'local'
    """
    return _chosen.get() or check(os.environ.get(SETTING) or LOCAL)


@contextmanager
def using(where: str | None) -> Iterator[None]:
    """Do the work of this block somewhere.

    Args:
        where: `local`, `ray` (the cluster of this machine, or one that is started here), or
            `ray://HOST:PORT`; None changes nothing.
    """
    before = _chosen.set(_chosen.get() if where is None else check(where))
    try:
        yield
    finally:
        _chosen.reset(before)


def is_remote() -> bool:
    """Return whether workers may be on machines that do not have this one's files."""
    return chosen() != LOCAL


def count_workers(asked: int | None = None, usual: int | None = None, *, cores: int = 1) -> int:
    """Return how many workers to start.

    Args:
        asked: The user's number; None leaves it to the cluster: as many as a Ray cluster has room
            for.
        usual: The number on this machine if none is asked for; None: one for each core.
        cores: Of each worker.
    """
    if asked is not None:
        return asked
    if is_remote():
        from outflank.cluster.ray_connection import connect, count_cores

        connect(chosen())
        return max(1, count_cores() // cores)
    return usual or _core.available_threads()


def threads_of_each(workers: int, asked: int = 0) -> int:
    """Return how many threads a worker should use.

    Args:
        workers: How many there are.
        asked: Threads of a worker that is alone on this machine; 0: all cores.
    """
    return asked if workers == 1 and not is_remote() else 1


def start(
    work: Work[Task, Value],
    workers: int | None = 1,
    where: str | None = None,
    *,
    cores: int = 1,
) -> Cluster[Task, Value]:
    """Return a cluster of workers: this process alone, processes of their own, or Ray's.

    Args:
        work: What they do.
        workers: How many; None: as many as there are cores.
        where: See `using`; None: where the choice is.
        cores: Of each worker; a Ray cluster keeps them free for it.
    """
    with using(where):
        if is_remote():
            from outflank.cluster.ray_actors import RayActors
            from outflank.cluster.ray_connection import connect

            connect(chosen())
            return RayActors(work, count_workers(workers, cores=cores), cores)
        count = count_workers(workers)
    return Inline(work) if count == 1 else LocalProcesses(work, count)
