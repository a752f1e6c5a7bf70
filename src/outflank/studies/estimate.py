"""Figures that were measured, with their 95% intervals; all in percent."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from outflank.arena import PairResult

_NORMAL_95 = 1.96
# Two-sided, by degrees of freedom from 1 on; beyond the last it changes little.
_STUDENT_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


def student_95(freedom: int) -> float:
    """Return the quantile of Student's t that a 95% interval takes."""
    return _STUDENT_95[min(freedom, len(_STUDENT_95)) - 1]


def margin_of_means(groups: Collection[Sequence[float]], size: int = 0) -> float:
    """Return half of the 95% interval of a group's mean, with the spread that all groups share.

    size: of the group; 0: that of the smallest.
    """
    freedom = sum(len(group) - 1 for group in groups)
    if not freedom:
        raise ValueError("groups of one have no spread")
    squares = sum((value - statistics.fmean(group)) ** 2 for group in groups for value in group)
    size = size or min(len(group) for group in groups)
    return student_95(freedom) * math.sqrt(squares / freedom / size)


@dataclass(frozen=True)
class Estimate:
    """A figure in percent, its interval, and how many examples or games it is of."""

    value: float
    low: float
    high: float
    count: int

    @classmethod
    def of_share(cls, share: float, count: int) -> Estimate:
        """Return a share of so many examples, with Wilson's interval."""
        if not count:
            return cls(100 * share, 0.0, 100.0, 0)
        widening = _NORMAL_95**2 / count
        middle = (share + widening / 2) / (1 + widening)
        spread = math.sqrt(share * (1 - share) / count + widening / (4 * count))
        margin = _NORMAL_95 * spread / (1 + widening)
        # Rounding must not leave the share itself outside.
        low, high = min(share, middle - margin), max(share, middle + margin)
        return cls(100 * share, 100 * max(0.0, low), 100 * min(1.0, high), count)

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
        mean = cls.mean_gain(estimates)
        return cls(mean.value, max(0.0, mean.low), min(100.0, mean.high), mean.count)

    @classmethod
    def mean_gain(cls, gains: Collection[Estimate]) -> Estimate:
        """Return the mean of independent gains, of one at least; these may be negative."""
        margin = math.hypot(*(one.margin for one in gains)) / len(gains)
        value = statistics.fmean(one.value for one in gains)
        return cls(value, value - margin, value + margin, sum(one.count for one in gains))

    @classmethod
    def of_runs(cls, values: Collection[float], *, least: float = 0.0) -> Estimate:
        """Return the mean of one figure of several runs, by Student's t; one run tells nothing.

        least: that it can be; -100 for a change.
        """
        count, value = len(values), statistics.fmean(values)
        if count < 2:
            return cls(value, least, 100.0, count)
        margin = student_95(count - 1) * statistics.stdev(values) / math.sqrt(count)
        return cls(value, max(least, value - margin), min(100.0, value + margin), count)

    @classmethod
    def of_trainings(cls, figures: Sequence[Estimate]) -> Estimate:
        """Return the mean of one figure of several trainings that were tested alike.

        The interval is that between trainings, by Student's t, together with that of the test
        examples or games, which are the same for all and so do not cancel out. One training has
        only the latter.
        """
        if len(figures) == 1:
            return figures[0]
        values = [one.value for one in figures]
        between = student_95(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
        margin = math.hypot(between, statistics.fmean(one.margin for one in figures))
        mean = statistics.fmean(values)
        return cls(mean, max(0.0, mean - margin), min(100.0, mean + margin), figures[0].count)

    def gain(self, before: Estimate) -> Estimate:
        """Return how much more it is than another figure, in points."""
        value, margin = self.value - before.value, math.hypot(self.margin, before.margin)
        return Estimate(value, value - margin, value + margin, self.count)

    @property
    def margin(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2
