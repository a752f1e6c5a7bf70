"""Figures that were measured, with their 95% intervals; all in percent."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from outflank.arena import PairResult

_NORMAL_95 = 1.96


@dataclass(frozen=True)
class Estimate:
    """A figure in percent, its interval, and how many examples or games it is of."""

    value: float
    low: float
    high: float
    count: int

    @classmethod
    def of_share(cls, share: float, count: int) -> Estimate:
        """Return a share of so many examples."""
        margin = 100 * _NORMAL_95 * math.sqrt(share * (1 - share) / count) if count else 100.0
        return cls._around(100 * share, margin, count)

    @classmethod
    def of_match(cls, result: PairResult) -> Estimate:
        """Return the winning rate of a match's first player."""
        low, high = result.interval
        return cls(100 * (result.winning_rate or 0.0), 100 * low, 100 * high, result.games)

    @classmethod
    def mean(cls, estimates: Collection[Estimate]) -> Estimate | None:
        """Return the mean of independent figures; None without any."""
        if not estimates:
            return None
        margin = math.hypot(*(one.margin for one in estimates)) / len(estimates)
        value = sum(one.value for one in estimates) / len(estimates)
        return cls._around(value, margin, sum(one.count for one in estimates))

    @classmethod
    def _around(cls, value: float, margin: float, count: int) -> Estimate:
        return cls(value, max(0.0, value - margin), min(100.0, value + margin), count)

    def gain(self, before: Estimate) -> Estimate:
        """Return how much more it is than another figure, in points."""
        value, margin = self.value - before.value, math.hypot(self.margin, before.margin)
        return Estimate(value, value - margin, value + margin, self.count)

    @property
    def margin(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2
