"""The clocks of a table: the time that both sides have used, and their flags."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from outflank.lab.table_state import TableState
from outflank.othello import Color


class Clocks:
    """Charges the side to move with its time, and reports when it is up.

    The state keeps the seconds charged; the running clock is only here.

    Args:
        state: Of the table.
        time_is_up: Called with the side that has no time left, while its clock still runs.
    """

    def __init__(self, state: TableState, time_is_up: Callable[[Color], None]) -> None:
        self._state, self._time_is_up = state, time_is_up
        self._side: Color | None = None  # whose clock runs
        self._began = 0.0  # when what is not charged yet began
        self._flag: asyncio.TimerHandle | None = None

    def start(self, side: Color) -> None:
        """Start the clock of a side."""
        self._side, self._began = side, time.monotonic()
        limit = self._state.limit
        if limit is not None:
            left = max(0.0, limit - self._state.used[side.value])
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(left, self._time_is_up, side)

    def spend(self) -> None:
        """Charge the running clock with the time since it was last charged."""
        if self._side is not None:
            now = time.monotonic()
            self._state.used[self._side.value] += now - self._began
            self._began = now

    def stop(self) -> None:
        """Stop the clock; time that was not charged before is dropped."""
        self._side = None
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    def used(self) -> dict[str, float]:
        """Return the seconds that both sides used, including those not yet charged."""
        used = dict(self._state.used)
        if self._side is not None:
            used[self._side.value] += time.monotonic() - self._began
        return {side: round(seconds, 2) for side, seconds in used.items()}
