"""The clocks of a table: the time that both sides have used, and when one of them has no more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from outflank.lab.table_state import TableState
from outflank.othello import Color


class Clocks:
    """Charges the side to move with its time, and tells when that is up.

    time_is_up: called with the side that has none left, while its clock still runs.
    What is charged is kept in the state, in seconds; what runs, and the flag, only here.
    """

    def __init__(self, state: TableState, time_is_up: Callable[[Color], None]) -> None:
        self._state, self._time_is_up = state, time_is_up
        self._side: Color | None = None  # whose clock runs
        self._began = 0.0  # when what is not charged yet began
        self._flag: asyncio.TimerHandle | None = None

    def start(self, side: Color) -> None:
        """Let the time of a side run from now on."""
        self._side, self._began = side, time.monotonic()
        limit = self._state.limit
        if limit is not None:
            left = max(0.0, limit - self._state.used[side.value])
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(left, self._time_is_up, side)

    def spend(self) -> None:
        """Charge the side whose clock runs with the time since it was last charged."""
        if self._side is not None:
            now = time.monotonic()
            self._state.used[self._side.value] += now - self._began
            self._began = now

    def stop(self) -> None:
        """Let no time run; what was not spent before is not charged."""
        self._side = None
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    def used(self) -> dict[str, float]:
        """Return the seconds of both sides, with those that are not charged yet."""
        used = dict(self._state.used)
        if self._side is not None:
            used[self._side.value] += time.monotonic() - self._began
        return {side: round(seconds, 2) for side, seconds in used.items()}
