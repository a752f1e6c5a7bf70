"""A cluster of this machine's processes."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from outflank.cluster.cluster import Cluster, Task, TaskOutcome, Value, Work, WorkerDiedError
from outflank.cluster.sharing import Held, Parcel, Shared, Shares
from outflank.cluster.worker import STOP, outcome_of, serve

# A forked process would inherit threads' locks in whatever state they are.
_SPAWN = multiprocessing.get_context("spawn")

_ATTEMPTS = 2
_SECONDS_TO_END = 5.0


@dataclass
class _Job:
    index: int
    task: bytes
    shared: list[Shared[Any]]
    attempts: int = 0


class _Worker:
    """A process, the pipe to it, and what it is doing."""

    def __init__(self, work: bytes) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(
            target=serve, args=(theirs, work), name="outflank worker", daemon=True
        )
        with _interrupts_waiting():
            self.process.start()
        theirs.close()  # otherwise its death would not end the pipe
        self.job: _Job | None = None
        self.shared: set[int] = set()  # numbers of the shared values that it has

    def begin(self, job: _Job, parcel: Parcel) -> None:
        self.job = job
        job.attempts += 1
        with suppress(BrokenPipeError, ConnectionResetError):  # it is dead: seen when waiting
            self.pipe.send_bytes(pickle.dumps(parcel))

    def answer(self) -> bytes | None:
        """Return the answer that has come, or None if the process died."""
        try:
            return self.pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def stop(self) -> None:
        """Let an idle process end by itself."""
        with suppress(OSError):
            self.pipe.send_bytes(STOP)

    def has_ended(self, within: float = 0.0) -> bool:
        """Return whether the process has ended, after waiting some seconds for it."""
        return bool(wait([self.process.sentinel], within))

    def kill(self) -> None:
        """End the process, and what it started, at once; it is not used again."""
        # Until its exit code is collected, a dead process keeps its number.
        with suppress(ProcessLookupError):
            if (pid := self.process.pid) is not None and os.getpgid(pid) == pid:
                os.killpg(pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()
        self.pipe.close()


@contextmanager
def _interrupts_waiting() -> Iterator[None]:
    """Let interrupts wait while a process starts: cut off from us, it would print a traceback.

    It begins with keyboard interrupts blocked, and unblocks them itself.
    """
    came: list[int] = []
    handlers = {}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    if threading.current_thread() is threading.main_thread():  # others have no handlers
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            if callable(handler := signal.getsignal(number)):
                handlers[number] = handler
                signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    for one in came:
        signal.raise_signal(one)


class LocalProcesses(Cluster[Task, Value]):
    """Processes that are started when there is a task for them, each with a copy of the work.

    A process that dies is replaced, and its task is tried once more. Keyboard interrupts reach only
    this process, which then ends the others. They also end if this process is killed.
    """

    def __init__(self, work: Work[Task, Value], count: int) -> None:
        if count < 1:
            raise ValueError("a cluster has at least one worker")
        self._work = pickle.dumps(work)
        self.workers = count
        self._workers: list[_Worker] = []
        self._shares = Shares()

    def share(self, value: Held) -> Shared[Held]:
        """Return a handle; the value goes to a worker with the first task that holds it."""
        return self._shares.share(value)

    def map(self, tasks: Iterable[Task]) -> Iterator[TaskOutcome[Value]]:
        """Do every task and yield the outcomes as they come."""
        numbered = enumerate(tasks)
        again: deque[_Job] = deque()
        try:
            while True:
                self._deal(numbered, again)
                busy = [worker for worker in self._workers if worker.job]
                if not busy:
                    return
                for worker in _with_news(busy):
                    outcome = self._collect(worker, again)
                    if outcome is not None:
                        yield outcome
        finally:
            for worker in [worker for worker in self._workers if worker.job]:
                self._remove(worker)

    def _deal(self, numbered: Iterator[tuple[int, Task]], again: deque[_Job]) -> None:
        """Give every free worker a task, while there are tasks."""
        while sum(worker.job is not None for worker in self._workers) < self.workers:
            if again:
                job = again.popleft()
            elif (entry := next(numbered, None)) is not None:
                job = _Job(entry[0], *self._shares.pack(entry[1]))
            else:
                return
            worker = self._idle_worker()
            worker.begin(job, self._shares.parcel(job.task, job.shared, worker.shared))

    def _idle_worker(self) -> _Worker:
        """Return an idle worker, or a new one."""
        for worker in [worker for worker in self._workers if not worker.job]:
            if not worker.has_ended():
                return worker
            self._remove(worker)
        self._workers.append(_Worker(self._work))
        return self._workers[-1]

    def _collect(self, worker: _Worker, again: deque[_Job]) -> TaskOutcome[Value] | None:
        """Take a worker's answer; None if it died and its task will be tried again."""
        job = worker.job
        assert job is not None  # noqa: S101  # only busy workers are waited for
        answer = worker.answer()
        if answer is not None:
            worker.job = None
            return outcome_of(job.index, answer)
        self._remove(worker)
        if job.attempts < _ATTEMPTS:
            again.append(job)
            return None
        ending = _describe_ending(worker.process.exitcode)
        return TaskOutcome(
            job.index, error=WorkerDiedError(f"the worker process {ending}, twice on one task")
        )

    def _remove(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.kill()

    def close(self) -> None:
        """Let the workers end; kill those that do not end soon."""
        for worker in self._workers:
            worker.stop()
        for worker in self._workers:
            worker.has_ended(within=_SECONDS_TO_END)
        self.kill()

    def kill(self) -> None:
        """End all workers at once."""
        for worker in self._workers:
            worker.kill()
        self._workers.clear()


def _with_news(busy: list[_Worker]) -> list[_Worker]:
    """Wait until a worker has answered or died."""
    pipes: list[Connection] = [worker.pipe for worker in busy]
    ready = wait([*pipes, *(worker.process.sentinel for worker in busy)])
    return [w for w in busy if w.pipe in ready or w.process.sentinel in ready]


def _describe_ending(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"was killed by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"
