"""Searches beside the event loop: on threads of their own, each to be cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from outflank import _core
from outflank.errors import EngineError
from outflank.othello import Game
from outflank.players import Player, Thought
from outflank.players.external import ExternalPlayer
from outflank.players.search import AlphaBetaPlayer

T = TypeVar("T")
_LEAST_THREADS = 24
_SECONDS_BETWEEN_LOOKS = 0.1
OnThought = Callable[[Thought], None]


class NobodyWaitsError(Exception):
    """Nobody waits for the answer any more."""


def think(
    player: Player, game: Game, stop: _core.Stop, on_thought: OnThought | None = None
) -> Thought:
    """Let a player think about the position of a game.

    `stop` ends searches early, with what they found; of an engine it ends the process.
    """
    if isinstance(player, AlphaBetaPlayer):
        return player.think(game.position, stop=stop, on_depth=on_thought)
    if isinstance(player, ExternalPlayer):
        with ended_by(stop, player):
            (answer,) = player.answers([game])
            if isinstance(answer, EngineError):
                raise answer
        return Thought(
            answer.move, answer.value, answer.depth, answer.nodes, answer.seconds, answer.exact,
            answer.line,
        )  # fmt: skip
    if player.needs_games:
        return Thought(player.choose_in_games([game])[0])
    return player.think(game.position)


@contextlib.contextmanager
def ended_by(stop: _core.Stop, player: Player) -> Iterator[None]:
    """While a player is asked, end it if `stop` is set and it is an engine: those do not look."""
    if not isinstance(player, ExternalPlayer):
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_SECONDS_BETWEEN_LOOKS):
            if stop.is_set:
                player.interrupt()

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    except EngineError:
        if stop.is_set:
            raise NobodyWaitsError from None
        raise
    finally:
        done.set()
        watching.join()


class Pool:
    """Threads for thinking. Work that waits is dropped if it is cancelled before it begins."""

    def __init__(self, threads: int = 0) -> None:
        # More than cores: a quick player must not wait for two that think long.
        count = threads or max(_LEAST_THREADS, 2 * _core.available_threads())
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="thinking")

    async def run(self, work: Callable[[], T], stop: _core.Stop) -> T:
        """Do something on a thread; if the waiting task is cancelled, `stop` is set."""
        loop = asyncio.get_running_loop()

        def guarded() -> T:
            if stop.is_set:
                raise NobodyWaitsError
            return work()

        future = loop.run_in_executor(self._threads, guarded)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            stop.set()
            future.add_done_callback(_forget)
            raise

    async def close(self) -> None:
        """Wait for what is going on; it was told to stop before."""
        with contextlib.suppress(RuntimeError):
            self._threads.shutdown(wait=False, cancel_futures=True)


def _forget(future: asyncio.Future[T]) -> None:
    """Look at the outcome of work that nobody waits for, so that nothing complains of it."""
    if not future.cancelled():
        future.exception()
