"""What paper 4 says of its figures, put to the test with several runs.

A study measures what its claims are about and stores that (measured); judging needs nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from outflank.learn.coevolution.drawing import (
    Numbers,
    counts_at_least,
    counts_of_level,
    counts_winning,
    smoothed,
)
from outflank.studies.estimate import Estimate
from outflank.studies.papers import printed_rows
from outflank.studies.result import Claim, Result

Metrics = Sequence[Mapping[str, Any]]
Curve = Callable[[Metrics], Numbers]
Runs = Mapping[str, Sequence[Metrics]]  # of each variant, the metrics of its runs
Figure = Callable[[Metrics], float]  # of one run

IAGO = "iago-positional"
_PERCENT = "percent of parents"


def _levels(observer: str, who: str, prefix: str) -> dict[str, tuple[str, Curve]]:
    """The series of Figs. 5 and 6; masters are all who beat depth 6."""
    return {
        f"{prefix}novice": (f"novices ({who})", lambda m: counts_of_level(m, observer, 1)),
        f"{prefix}intermediate": (
            f"intermediates ({who})",
            lambda m: counts_of_level(m, observer, 2),
        ),
        f"{prefix}master": (f"masters ({who})", lambda m: counts_at_least(m, observer, 3)),
    }


# What is counted in each generation: parents, of whom shares are shown.
COUNTS: dict[str, tuple[str, Curve]] = {
    "discs-2": ("beat discs at depth 2", lambda m: counts_at_least(m, "discs", 1)),
    "discs-4": ("beat discs at depth 4", lambda m: counts_at_least(m, "discs", 2)),
    "discs-8": ("beat discs at depth 8", lambda m: counts_at_least(m, "discs", 4)),
    "all-4": ("beat discs at depth 4, even after losing at depth 2",
              lambda m: counts_winning(m, "discs", 4)),
    "iago-4": ("beat Iago's positions at depth 4", lambda m: counts_at_least(m, IAGO, 2)),
    "top-6": (
        "the first beats discs at depth 6",  # all parents or none
        lambda m: np.array([one["top_won"] * _parents(one) for one in m], float),
    ),
    **_levels("discs", "discs", ""),
    **_levels(IAGO, "Iago", "iago-"),
}  # fmt: skip


def shares(name: str, metrics: Metrics) -> Numbers:
    """A series as shares of the parents."""
    found: Numbers = COUNTS[name][1](metrics) / [_parents(line) for line in metrics]
    return found


def at_the_end(values: Numbers, part: int = 10) -> float:
    """The mean of the last tenth, or of another part."""
    return float(values[-max(1, len(values) // part) :].mean())


def at_the_beginning(values: Numbers, part: int = 10) -> float:
    """The mean of the first tenth, or of another part."""
    return at_the_end(values[::-1], part)


def _parents(line: Mapping[str, Any]) -> int:
    """How many there are, by a line of the metrics."""
    return len(next(iter(line["climbed"].values())))


# What is found of one run: shares are percent of the parents.


def _end(name: str, part: int = 10) -> Figure:
    return lambda metrics: 100 * at_the_end(shares(name, metrics), part)


def _rise(name: str) -> Figure:
    """From the first tenth of the generations to the last."""

    def rise(metrics: Metrics) -> float:
        values = shares(name, metrics)
        return 100 * (at_the_end(values) - at_the_beginning(values))

    return rise


def _between(name: str, first: float, last: float) -> Figure:
    """The mean from one share of the generations to another."""

    def mean(metrics: Metrics) -> float:
        values = shares(name, metrics)
        begin, end = (round(share * len(values)) for share in (first, last))
        return 100 * float(values[begin : max(end, begin + 1)].mean())

    return mean


def _acceleration(name: str) -> Figure:
    """The second-order coefficient of a fit, in percent; the whole time is one."""

    def coefficient(metrics: Metrics) -> float:
        values = 100 * shares(name, metrics)
        fitted = np.polyfit(np.linspace(0, 1, len(values)), values, 2)
        return round(float(fitted[0]), 6)  # what is less is rounding

    return coefficient


def _roughness(name: str) -> Figure:
    """How much a generation differs from the mean around it, for one parent.

    Shares of more parents scatter less by counting alone; their number's root makes up for that.
    """

    def roughness(metrics: Metrics) -> float:
        values = 100 * shares(name, metrics)
        apart = values - smoothed(values, max(1, len(values) // 10))
        return float(apart.std()) * math.sqrt(_parents(metrics[0]))

    return roughness


def _gained_points(metrics: Metrics) -> float:
    values = np.array([line["points"] for line in metrics], float)
    return at_the_end(values) - at_the_beginning(values)


# What is said of several runs.


@dataclass(frozen=True)
class Test:
    """A claim about a figure of several runs.

    what: the name of the figure. bound: as Claim.judge takes it. after: the name of a figure whose
    claim must hold, without which this one says nothing.
    """

    text: str
    what: str
    measure: Callable[[Runs], Estimate]
    bound: Mapping[str, float]
    after: str = ""

    def judge(self, measured: Mapping[str, Estimate], earlier: Mapping[str, Claim]) -> Claim:
        """Judge the figure that was measured; earlier: the claims before, by their figures."""
        claim = Claim.judge(self.text, self.what, measured[self.what], digits=1, **self.bound)
        first = earlier.get(self.after)
        if first is None or first.verdict == Claim.HOLDS:
            return claim
        reason = f"{claim.reason}; but it says nothing unless this holds: {first.text}"
        return replace(claim, verdict=Claim.OPEN, reason=reason)


def measure(name: str, runs: Runs) -> dict[str, Estimate]:
    """Return all figures that the claims of a study are about; name: in CLAIMS."""
    return {test.what: test.measure(runs) for test in CLAIMS.get(name, ())}


def judge(name: str, measured: Mapping[str, Estimate]) -> list[Claim]:
    """Judge the claims of a study by the figures that were measured."""
    found: dict[str, Claim] = {}
    for test in CLAIMS.get(name, ()):
        found[test.what] = test.judge(measured, found)
    return list(found.values())


def judge_evolution(result: Result) -> list[Claim]:
    """Judge the claims of a stored result."""
    return judge(result.config["claims"], result.estimates)


def _is(
    text: str,
    variant: str,
    what: str,
    of: Figure,
    *,
    changes: bool = False,
    after: str = "",
    **bound: float,
) -> Test:
    """A claim about one variant. changes: whether the figure may be below zero."""

    def found(runs: Runs) -> Estimate:
        values = [of(metrics) for metrics in runs[variant]]
        return Estimate.of_runs(values, least=-math.inf if changes else 0.0)

    return Test(text, f"{variant}: {what}", found, bound, after)


def _ends(text: str, variant: str, name: str, *, after: str = "", **bound: float) -> Test:
    what = f"{COUNTS[name][0]}, {_PERCENT}, last tenth"
    return _is(text, variant, what, _end(name), changes=False, after=after, **bound)


def _risen(name: str) -> str:
    return f"{COUNTS[name][0]}, {_PERCENT}, last tenth less first"


def _rises(text: str, variant: str, name: str, *, least: float) -> Test:
    return _is(text, variant, _risen(name), _rise(name), changes=True, least=least)


def _novices(text: str, beyond: str, variant: str) -> tuple[Test, Test]:
    """Claims that a variant comes to the novice level, and hardly beyond it once it is there."""
    reached = _rises(text, variant, "discs-2", least=_NOVICES)
    return reached, _ends(beyond, variant, "discs-4", after=reached.what, most=_BEYOND)


def _differs(text: str, what: str, more: str, less: str, of: Figure, **bound: float) -> Test:
    """A claim that one variant has more than another, or not much more; seed by seed."""

    def found(runs: Runs) -> Estimate:
        pairs = zip(runs[more], runs[less], strict=True)
        return Estimate.of_runs([of(one) - of(other) for one, other in pairs], least=-math.inf)

    return Test(text, f"{what}, {more} less {less}", found, bound)


def _rises_less(text: str, variant: str, name: str) -> Test:
    """A claim that a variant does not evolve as the paper's configuration does."""
    what = f"{COUNTS[name][0]}: rise from the first tenth to the last, {_PERCENT}"
    return _differs(text, what, "paper", variant, _rise(name), above=0.0)


def _fewer_masters(text: str, variant: str) -> Test:
    return _differs(
        text, f"masters, {_PERCENT}, last tenth", "paper", variant, _end("master"), above=0.0
    )


def _filter_no_better(text: str, variant: str) -> Test:
    what = f"{COUNTS['discs-2'][0]}: rise from the first tenth to the last, {_PERCENT}"
    return _differs(text, what, variant, "filter", _rise("discs-2"), most=_BEYOND)


_FIRST, _LAST = printed_rows(4, "figure-3")["discs-4"]
_HALF_OF_IT = (_LAST - _FIRST) / 2
_NOVICES = 10.0  # percent of parents more than at the beginning
_BEYOND = 10.0  # percent of parents
_LITTLE = 5.0  # points of a tournament, either way

CLAIMS: dict[str, tuple[Test, ...]] = {
    "figure-3": (
        _rises(
            "parents that beat the piece differential at depth 4 rise from about 20% to 70%; half "
            "of that is asked for here",
            "paper", "discs-4", least=_HALF_OF_IT,
        ),
        _is("the rise accelerates", "paper",
            "second-order coefficient of a fit, percent of parents", _acceleration("discs-4"),
            changes=True, above=0.0),
        _rises("so do those that beat it at depth 4, whether or not at depth 2 (our reading)",
               "paper", "all-4", least=_HALF_OF_IT),
        _rises("those that beat Iago's positions at depth 4 rise too", "paper", "iago-4",
               least=_HALF_OF_IT),
    ),
    "figure-4": (
        _is("in the last fifth the first parent mostly beats the piece differential at depth 6",
            "paper", "percent of the generations", _end("top-6", 5), least=50.0),
        _is("the parents' points in the tournament hardly change, whatever they learn", "paper",
            "mean points, last tenth less first", _gained_points, changes=True, within=_LITTLE),
    ),
    "figure-5": (
        _is("from the 400th to the 800th of 1000 generations most parents are intermediates",
            "paper", f"intermediates, {_PERCENT}, in that time",
            _between("intermediate", 0.4, 0.8), least=50.0),
        _ends("at the end most parents are masters", "paper", "master", least=50.0),
    ),
    "figure-6": (
        _ends("at the end most parents beat Iago's positions at depth 6", "paper", "iago-master",
              least=50.0),
    ),
    "figure-9": (
        _differs("a population of 30 fluctuates less",
                 "points by which generations differ from the mean around them, times the root of "
                 "the number of parents",
                 "paper", "fig-9", _roughness("discs-4"), above=0.0),
        _rises("it evolves", "fig-9", "discs-4", least=_HALF_OF_IT),
    ),
    "figure-10": (
        _fewer_masters("without the spatial layer it is very difficult: fewer become masters",
                       "fig-10"),
    ),
    "figure-11": (
        _rises("with nothing but the spatial layer there is some success", "fig-11", "discs-4",
               least=10.0),
    ),
    "figure-12": (
        _rises_less("with one step size for all weights evolution does not occur", "fig-12",
                    "discs-4"),
        _rises_less("nor with a fixed one", "fixed", "discs-4"),
        _rises_less("nor with a smaller one", "fixed-small", "discs-4"),
    ),
    "figure-13": (
        _ends("with the best kept, most are novices", "fig-13", "novice", least=50.0),
        _fewer_masters("and fewer become masters", "fig-13"),
    ),
    "figure-14": (
        _fewer_masters("with 15 opponents fewer come past the intermediate level", "fig-14"),
    ),
    "filters": (
        *(
            _rises_less(f"filters do not evolve in a population of {size}", variant, "discs-2")
            for size, variant in ((20, "filter"), (30, "filter-30"), (40, "filter-40"))
        ),
        *_novices("in a population of 50 they come to the novice level",
                  "those of a population of 50 come hardly beyond it", "filter-50"),
        _filter_no_better("Cauchy's mutation does not help", "filter-cauchy"),
        _filter_no_better("nor does the mean of both", "filter-mean"),
        _filter_no_better("nor the better of two children", "filter-better"),
        *_novices("differential evolution brings a population of 20 to the novice level",
                  "differential evolution brings them hardly beyond it", "filter-differential"),
    ),
}  # fmt: skip
