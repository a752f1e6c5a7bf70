"""A cluster of Ray actors, on this machine or on many."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import ActorDiedError, RayError, RayTaskError

from outflank.cluster.cluster import (
    Cluster,
    ClusterError,
    Task,
    TaskOutcome,
    Value,
    Work,
    WorkerDiedError,
)
from outflank.cluster.ray_worker import Answer, Equipment, InObjectStore, Place, RayWorker
from outflank.cluster.sharing import Held, Shared
from outflank.cluster.worker import RemoteError, outcome_of
from outflank.data.league import LEAGUE_FOLDER, league_folder
from outflank.files import Luggage, noting_files

_log = logging.getLogger(__name__)

_ATTEMPTS = 2
_SECONDS_TO_END = 5.0
_SECONDS_TO_ANSWER = 1.0  # for the answers that a worker gave before it died
_SECONDS_TO_WAIT = 20.0  # for the first worker, before the user hears that none is free
_MOST_IN_FLIGHT = 16  # tasks of one worker
_ROUND_TRIP = 0.1  # seconds of work that a worker should have at hand, generously
_MEMORY = 0.3  # weight of the newest task in the running mean of seconds


@dataclass
class _Job:
    index: int
    task: Any
    deaths: list[Place] = field(default_factory=list)  # of workers that were doing it


class _Worker:
    """An actor, and the tasks that it has, the one in hand first."""

    def __init__(self, actor: Any, equipment: Equipment) -> None:
        self.actor, self.equipment = actor, equipment
        self.jobs: dict[Any, _Job] = {}  # by Ray's references to their answers
        self.place: Place | None = None
        self.ready: Any = None  # a reference to its place, while it starts
        self.expect(again=False)

    def expect(self, *, again: bool) -> None:
        """Wait until it has started; if it starts again, Ray asks it until it has."""
        begin = self.actor.begin.options(max_task_retries=-1 if again else 0)
        self.ready = begin.remote(self.equipment)

    def begin(self, job: _Job) -> None:
        self.jobs[self.actor.do.remote(job.task)] = job


class RayActors(Cluster[Task, Value]):
    """Actors that are started when there is a task for them, each with a copy of the work.

    Ray starts an actor again whose process or node died. The task that it was doing is tried once
    more; those that waited behind it are not blamed and go to any worker, and so is a task whose
    node died. The connection must be there (outflank.cluster.ray_connection).

    Args:
        work: What they do.
        count: Most actors. Those that the cluster has no room for start when it has.
        cores: Of each actor.
    """

    def __init__(self, work: Work[Task, Value], count: int, cores: int = 1) -> None:
        if count < 1:
            raise ValueError("a cluster has at least one worker")
        self.workers = count
        with noting_files() as found:
            work.prepare()
        luggage, folder = Luggage.pack(found), str(league_folder().absolute())
        league = any(path.startswith(folder) for path in luggage.files)
        self._equipment = Equipment(
            ray.put(ray.cloudpickle.dumps(work)),
            ray.put(luggage),
            {LEAGUE_FOLDER: folder} if league else {},
            cores,
        )
        # Ray's own retries would also blame the tasks behind the one that killed its worker.
        kind = ray.remote(
            num_cpus=cores, max_restarts=-1, max_task_retries=0, scheduling_strategy="SPREAD"
        )
        self._kind = kind(RayWorker)
        self._workers: list[_Worker] = []
        self._seconds = math.inf  # of a task, on average

    def share(self, value: Held) -> Shared[Held]:
        """Return a handle; the value goes to a node's object store once, for all its workers."""
        return InObjectStore(ray.put(value))

    def map(self, tasks: Iterable[Task]) -> Iterator[TaskOutcome[Value]]:
        """Do every task and yield the outcomes as they come."""
        numbered, waiting = enumerate(tasks), deque[_Job]()
        try:
            while True:
                self._deal(numbered, waiting)
                if not waiting and not any(worker.jobs for worker in self._workers):
                    return
                for worker, reference in self._news():
                    if reference == worker.ready:
                        self._welcome(worker)
                    elif reference in worker.jobs:  # else its worker died with an earlier one
                        yield from self._collect(worker, reference, waiting)
        finally:
            for worker in [worker for worker in self._workers if worker.jobs]:
                self._remove(worker)

    @property
    def _in_flight(self) -> int:
        """Tasks that a worker should have: more of short ones, so that it never waits for one.

        A long task waits here instead, for whoever is free first.
        """
        if self._seconds >= 10 * _ROUND_TRIP:
            return 1
        return min(_MOST_IN_FLIGHT, 1 + math.ceil(_ROUND_TRIP / max(self._seconds, 1e-4)))

    def _deal(self, numbered: Iterator[tuple[int, Task]], waiting: deque[_Job]) -> None:
        """Give tasks to workers that have room, and start workers, while there are tasks."""
        starting = sum(worker.ready is not None for worker in self._workers)
        started = [worker for worker in self._workers if worker.ready is None]
        room = sum(max(0, self._in_flight - len(worker.jobs)) for worker in started)
        wanted = room + starting + self.workers - len(self._workers)
        while len(waiting) < wanted and (entry := next(numbered, None)) is not None:
            waiting.append(_Job(*entry))
        while waiting and started:
            worker = min(started, key=lambda one: len(one.jobs))
            if len(worker.jobs) >= self._in_flight:
                break
            worker.begin(waiting.popleft())
        while len(waiting) > starting and len(self._workers) < self.workers:
            self._workers.append(_Worker(self._kind.remote(), self._equipment))
            starting += 1

    def _news(self) -> list[tuple[_Worker, Any]]:
        """Wait until a worker has answered, started or died; return who, and the reference."""
        owners = {worker.ready: worker for worker in self._workers if worker.ready is not None}
        owners |= {reference: worker for worker in self._workers for reference in worker.jobs}
        timeout = None if any(worker.jobs for worker in self._workers) else _SECONDS_TO_WAIT
        done, others = ray.wait(list(owners), timeout=timeout)
        if not done:
            free = ray.available_resources().get("CPU", 0)
            _log.warning("no worker has started yet: %g cores of the cluster are free", free)
        elif others:  # what else is there, without waiting
            done += ray.wait(others, num_returns=len(others), timeout=0)[0]
        return [(owners[reference], reference) for reference in done]

    def _welcome(self, worker: _Worker) -> None:
        """Take up a worker that has started."""
        try:
            worker.place = ray.get(worker.ready)
            worker.ready = None
        except (ActorDiedError, RayTaskError) as error:
            self._remove(worker)
            if not self._workers:
                raise ClusterError(f"no worker could start: {_reason(error)}") from None
        except RayError:
            worker.expect(again=True)

    def _collect(
        self, worker: _Worker, reference: Any, waiting: deque[_Job]
    ) -> Iterator[TaskOutcome[Value]]:
        """Take a worker's answer; if it died, those that it gave before, and share its tasks."""
        try:
            yield self._take(worker, reference)
            return
        except RayError as error:
            reason = _reason(error)
        references = list(worker.jobs)
        answered, _ = ray.wait(
            references, num_returns=len(references), timeout=_SECONDS_TO_ANSWER, fetch_local=False
        )
        left = []
        for other in references:
            try:
                if other != reference and other in answered:
                    yield self._take(worker, other)
                    continue
            except RayError:
                pass
            left.append(worker.jobs.pop(other))
        place, worker.place = worker.place, None
        worker.expect(again=True)
        assert place is not None  # noqa: S101  # only started workers have tasks
        _log.warning("a worker on %s died; its task is done again (%s)", place.address, reason)
        blamed = left[0]
        blamed.deaths.append(place)
        if _blames(blamed.deaths) < _ATTEMPTS:
            waiting.extendleft(reversed(left))
            return
        waiting.extendleft(reversed(left[1:]))
        problem = f"the worker process on {place.address} died, twice on one task: {reason}"
        yield TaskOutcome(blamed.index, error=WorkerDiedError(problem))

    def _take(self, worker: _Worker, reference: Any) -> TaskOutcome[Value]:
        """Return the outcome of an answer; the error of a worker that died is raised."""
        try:
            answer: Answer = ray.get(reference)
        except RayTaskError as error:  # the task did not even arrive
            job = worker.jobs.pop(reference)
            return TaskOutcome(job.index, error=RemoteError(_reason(error)))
        job = worker.jobs.pop(reference)
        known = math.isfinite(self._seconds)
        before = self._seconds if known else answer.seconds
        self._seconds = before + _MEMORY * (answer.seconds - before)
        return outcome_of(job.index, answer.content)

    def _remove(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        ray.kill(worker.actor)

    def close(self) -> None:
        """Let the workers end; kill those that do not end soon."""
        ends = [worker.actor.close.remote() for worker in self._workers if worker.ready is None]
        if ends:
            ray.wait(ends, num_returns=len(ends), timeout=_SECONDS_TO_END)
        self.kill()

    def kill(self) -> None:
        """End all workers at once."""
        for worker in list(self._workers):
            self._remove(worker)


def _blames(deaths: list[Place]) -> int:
    """Count the deaths that were not those of a whole node."""
    alive = {node["NodeID"] for node in ray.nodes() if node["Alive"]}
    return sum(place.node in alive for place in deaths)


def _reason(error: Exception) -> str:
    """Return what Ray says of an error, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if isinstance(error, RayTaskError) else lines[0])[:300] if lines else ""
