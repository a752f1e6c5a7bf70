"""A worker process: takes tasks from a pipe, does them and answers."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any

from outflank.cluster.cluster import TaskOutcome, Work
from outflank.cluster.sharing import ReceivedShares

STOP = b""  # in place of a task: there will be no more


class RemoteError(RuntimeError):
    """Replaces an error that could not be sent from one process to another."""


class RemoteTraceback(Exception):  # noqa: N818  # it is no error: it says where one was raised
    """Where in a worker an error was raised; the cause of that error."""

    def __init__(self, text: str) -> None:
        super().__init__(text)

    def __str__(self) -> str:
        return f"in a worker process:\n{self.args[0]}"


class Copy:
    """A worker's copy of the work, made when the first task comes.

    Args:
        pickled: The work.
    """

    def __init__(self, pickled: bytes) -> None:
        self._pickled = pickled
        self._work: Work[Any, Any] | None = None

    def answer(self, task: Callable[[], Any]) -> bytes:
        """Do a task; return its value, or its error and where that was raised, pickled."""
        try:
            if self._work is None:
                self._work = pickle.loads(self._pickled)  # noqa: S301  # the main process wrote it
            return pickle.dumps((self._work.do(task()), None, ""))
        except Exception as error:  # whatever it is, it is the task's outcome
            return pickle.dumps((None, _portable(error), traceback.format_exc()))

    def close(self) -> None:
        """End what the work keeps running."""
        if self._work is not None:
            self._work.close()


def outcome_of(index: int, answer: bytes) -> TaskOutcome[Any]:
    """Return what a copy answered for the task of this index."""
    value, error, trace = pickle.loads(answer)  # noqa: S301  # our own process wrote it
    if error is not None:
        error.__cause__ = RemoteTraceback(trace)
    return TaskOutcome(index, value, error)


def serve(pipe: Connection, pickled: bytes) -> None:
    """Do the tasks that come through a pipe, until STOP comes or the pipe ends."""
    # A group of its own: a keyboard interrupt then goes to the main process only, and
    # the worker can be ended together with the engines that it started.
    os.setpgid(0, 0)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    threading.Thread(target=_end_with_parent, daemon=True).start()
    copy, received = Copy(pickled), ReceivedShares()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while (message := pipe.recv_bytes()) != STOP:
            parcel = pickle.loads(message)  # noqa: S301  # the main process wrote it
            pipe.send_bytes(copy.answer(partial(received.unpack, parcel)))
    copy.close()


def _end_with_parent() -> None:
    """Wait for the main process to end, however it ends, and end this group with it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.killpg(0, signal.SIGKILL)


def _portable(error: Exception) -> Exception:
    """Return the error if it survives being sent, or else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301
    except Exception:  # any failure to pickle will do
        return RemoteError(f"{type(error).__name__}: {error}")
    return error
