"""A worker of a Ray cluster: an actor with a copy of the work."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from outflank import _core
from outflank.cluster.guardian import guard_this_process
from outflank.cluster.sharing import Held, Shared
from outflank.cluster.worker import Copy
from outflank.files import Luggage


class Place(NamedTuple):
    """Where a worker is."""

    node: str  # Ray's number of the node
    address: str
    process: int


class Answer(NamedTuple):
    """What a worker answers to a task: the copy's answer, and how long that took."""

    content: bytes
    seconds: float


class InObjectStore(Shared[Held]):
    """A handle of a value in Ray's object store, which has one copy for all workers of a node."""

    def __init__(self, reference: Any) -> None:
        self._reference = reference

    @property
    def value(self) -> Held:
        """The value; its arrays are read-only."""
        import ray

        found: Held = ray.get(self._reference)
        return found


@dataclass(frozen=True)
class Equipment:
    """What a worker starts with; the large parts are references to Ray's object store.

    Attributes:
        work: The pickled work.
        luggage: Files that the work needs.
        variables: Of the environment.
        cores: What `threads=0` means there: the actor's part of the node.
    """

    work: Any
    luggage: Any
    variables: Mapping[str, str]
    cores: int


class RayWorker:
    """What the actor's process runs."""

    def __init__(self) -> None:
        self._copy: Copy | None = None

    def begin(self, equipment: Equipment) -> Place:
        """Get ready for tasks, and return where this worker is."""
        import ray

        if self._copy is None:
            _core.limit_threads(equipment.cores)
            os.environ.update(equipment.variables)
            luggage: Luggage = ray.get(equipment.luggage)
            luggage.unpack(guard_this_process())
            self._copy = Copy(ray.get(equipment.work))
        node = ray.get_runtime_context().get_node_id()
        return Place(node, ray.util.get_node_ip_address(), os.getpid())

    def do(self, task: Any) -> Answer:
        """Do a task."""
        assert self._copy is not None  # noqa: S101  # tasks come after the beginning
        began = time.perf_counter()
        content = self._copy.answer(lambda: task)
        return Answer(content, time.perf_counter() - began)

    def close(self) -> None:
        """End what the work keeps running; there will be no more tasks."""
        if self._copy is not None:
            self._copy.close()
