"""Asks the player to move; it thinks on a thread and can be hurried or cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable

from outflank import _core
from outflank.errors import OutflankError, ThinkingStoppedError
from outflank.lab import answers
from outflank.lab.seats import Seats
from outflank.lab.table_state import TableState
from outflank.lab.thinking import Pool
from outflank.lab.views import thought_json
from outflank.othello import Color, Game
from outflank.players import Player, Thought

_log = logging.getLogger(__name__)


class Asking:
    """Asks one player at a time for its move; answers to earlier questions are dropped.

    Args:
        state: Of the table.
        seats: Who plays.
        pool: Threads for thinking.
        heard: Called with what a side's player thinks so far.
        answered: Called with the move that it chose, which is legal.
        failed: Called with the reason if a side's player has no move.
    """

    def __init__(
        self,
        state: TableState,
        seats: Seats,
        pool: Pool,
        *,
        heard: Callable[[Color, answers.Thought], None],
        answered: Callable[[Thought], None],
        failed: Callable[[Color, str], None],
    ) -> None:
        self._state, self._seats, self._pool = state, seats, pool
        self._heard, self._answered, self._failed = heard, answered, failed
        self._task: asyncio.Task[None] | None = None
        self._question = 0  # the number of the one that is open
        self._stop = _core.Stop()
        self._delay_changed = asyncio.Event()

    @property
    def is_thinking(self) -> bool:
        """Whether a player was asked and has not answered."""
        return self._task is not None

    def ask(self, side: Color, game: Game) -> None:
        """Let a side's player think about the position of a game."""
        self._stop = _core.Stop()
        self._task = asyncio.get_running_loop().create_task(
            self._let_think(side, game, self._stop, self._question)
        )

    def hurry(self) -> None:
        """Make the thinking player answer at once, if it can."""
        self._stop.set()

    def cancel(self) -> None:
        """Cancel the running search."""
        self._question += 1
        self._stop.set()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def delay_changed(self) -> None:
        """Apply a changed delay between moves."""
        self._delay_changed.set()

    async def _let_think(self, side: Color, game: Game, stop: _core.Stop, question: int) -> None:
        began = time.monotonic()
        try:
            thought = await self._think(side, game, stop, question)
            game.play(thought.move)  # a player that fails loses
            if not self._seats.has_people:
                await self._wait_until(began)
        except ThinkingStoppedError:
            return
        except OutflankError as error:
            self._fail(side, question, str(error))
            return
        except Exception as error:
            _log.exception("%s failed", self._seats.spec_of(side))
            self._fail(side, question, f"it failed: {str(error) or type(error).__name__}")
            return
        if self._question == question:
            self._task = None  # this task: what follows an answer must not cancel it
            self._answered(thought)

    async def _think(self, side: Color, game: Game, stop: _core.Stop, question: int) -> Thought:
        """Ask on a thread, once no cancelled search uses the players any longer."""
        loop = asyncio.get_running_loop()
        cancelled = _core.Stop()  # unlike `stop`, which may only ask for an answer at once

        def heard(thought: Thought) -> None:
            loop.call_soon_threadsafe(self._hear, side, thought_json(thought), question)

        def work() -> Thought:
            with self._seats.in_use:
                if cancelled.is_set:
                    raise ThinkingStoppedError("nobody waits for the move any longer")
                player = self._seats.player(side)
                thought = player.think(game, stop=stop, on_thought=heard)
                self._ponder(player, game, thought)
                return thought

        return await self._pool.run(work, cancelled)

    def _ponder(self, player: Player, game: Game, thought: Thought) -> None:
        """Let a player that can do so think while a person thinks; its next turn ends that."""
        after = game.play(thought.move).position
        if not after.is_over and self._seats.is_person(after.turn):
            player.start_pondering(after)

    async def _wait_until(self, began: float) -> None:
        """Wait for the rest of the delay, which may change meanwhile."""
        while (left := self._state.delay - (time.monotonic() - began)) > 0:
            self._delay_changed.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._delay_changed.wait(), left)

    def _hear(self, side: Color, thought: answers.Thought, question: int) -> None:
        if self._question == question:
            self._heard(side, thought)

    def _fail(self, side: Color, question: int, problem: str) -> None:
        if self._question == question:
            self._task = None
            self._failed(side, problem)
