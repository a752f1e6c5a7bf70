"""Runs searches on threads beside the event loop; each can be cancelled."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from outflank import _core
from outflank.errors import ThinkingStoppedError

T = TypeVar("T")
_LEAST_THREADS = 24


class Pool:
    """Threads for thinking. Work that is cancelled before it begins is dropped."""

    def __init__(self, threads: int = 0) -> None:
        # More than cores: a quick player must not wait for two that think long.
        count = threads or max(_LEAST_THREADS, 2 * _core.available_threads())
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="thinking")

    async def run(self, work: Callable[[], T], stop: _core.Stop) -> T:
        """Do something on a thread; if the waiting task is cancelled, `stop` is set."""
        loop = asyncio.get_running_loop()

        def guarded() -> T:
            if stop.is_set:
                raise ThinkingStoppedError("nobody waits for it any longer")
            return work()

        future = loop.run_in_executor(self._threads, guarded)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            stop.set()
            future.add_done_callback(_forget)
            raise

    async def close(self) -> None:
        """Wait for running work, which was stopped before."""
        with contextlib.suppress(RuntimeError):
            self._threads.shutdown(wait=False, cancel_futures=True)


def _forget(future: asyncio.Future[T]) -> None:
    """Retrieve the outcome of abandoned work, so that asyncio does not warn about it."""
    if not future.cancelled():
        future.exception()
