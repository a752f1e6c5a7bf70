"""A worker process: takes tasks from a pipe, does them and answers."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from outflank.cluster.cluster import Work

STOP = b""  # in place of a task: there will be no more


class RemoteError(RuntimeError):
    """Replaces an error that could not be sent from one process to another."""


class RemoteTraceback(Exception):  # noqa: N818  # it is no error: it says where one was raised
    """Where in a worker an error was raised; the cause of that error."""

    def __init__(self, text: str) -> None:
        super().__init__(text)

    def __str__(self) -> str:
        return f"in a worker process:\n{self.args[0]}"


def serve(pipe: Connection, pickled: bytes) -> None:
    """Do the tasks that come through a pipe, until STOP comes or the pipe ends."""
    # A group of its own: a keyboard interrupt then goes to the main process only, and
    # the worker can be ended together with the engines that it started.
    os.setpgid(0, 0)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work: Work[Any, Any] | None = None
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while (task := pipe.recv_bytes()) != STOP:
            try:
                if work is None:
                    work = pickle.loads(pickled)  # noqa: S301  # the main process wrote it
                answer = pickle.dumps((work.do(pickle.loads(task)), None, ""))  # noqa: S301
            except Exception as error:  # whatever it is, it is the task's outcome
                answer = pickle.dumps((None, _portable(error), traceback.format_exc()))
            pipe.send_bytes(answer)
    if work is not None:
        work.close()


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
