"""Runs searches on threads beside the event loop; each can be cancelled."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from outflank import _core
from outflank.errors import ThinkingStoppedError

T = TypeVar("T")
_LEAST_THREADS = 24
_LEAST_PLACES = 2  # of a kind of work that takes turns


class Pool:
    """Threads for thinking. Work that is cancelled before it begins is dropped.

    Every search takes memory for its tables. What pages ask for beside their games (hints,
    opinions, reviews) shares a few places of each kind, so that all searches together have a
    bound; who comes later waits.
    """

    def __init__(self, threads: int = 0) -> None:
        # More than cores: a quick player must not wait for two that think long.
        count = threads or max(_LEAST_THREADS, 2 * _core.available_threads())
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="thinking")
        self._places: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(max(_LEAST_PLACES, _core.available_threads()))
        )

    async def run_in_turn(self, kind: str, work: Callable[[], T], stop: _core.Stop) -> T:
        """Do something of a kind as soon as one of its places is free; as `run`."""
        place = self._places[kind]
        await place.acquire()
        return await self.run(work, stop, place.release)

    async def run(
        self, work: Callable[[], T], stop: _core.Stop, done: Callable[[], None] | None = None
    ) -> T:
        """Do something on a thread.

        Args:
            work: What to do.
            stop: Set if the waiting task is cancelled.
            done: Called when the work has ended, which may be later than that.
        """
        loop = asyncio.get_running_loop()

        def guarded() -> T:
            if stop.is_set:
                raise ThinkingStoppedError("nobody waits for it any longer")
            return work()

        future = loop.run_in_executor(self._threads, guarded)
        if done is not None:
            future.add_done_callback(lambda _: done())
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
