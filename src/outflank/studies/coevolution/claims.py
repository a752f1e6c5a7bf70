"""What paper 4 says of its figures, put to the test with several runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from outflank.learn.coevolution.drawing import Numbers, counts_at_least, counts_of_level, smoothed
from outflank.studies.estimate import Estimate
from outflank.studies.result import Claim

Metrics = Sequence[Mapping[str, Any]]
Curve = Callable[[Metrics], Numbers]
Runs = Mapping[str, Sequence[Metrics]]  # of each variant, the metrics of its runs
Test = Callable[[Runs], Claim]

IAGO = "iago-positional"


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
    "iago-4": ("beat Iago's positions at depth 4", lambda m: counts_at_least(m, IAGO, 2)),
    "top-6": (
        "the first beats discs at depth 6",
        lambda m: np.array([one["top_won"] * _parents(one) for one in m], float),
    ),
    **_levels("discs", "discs", ""),
    **_levels(IAGO, "Iago", "iago-"),
}


def shares(name: str, metrics: Metrics) -> Numbers:
    """A series as shares of the parents."""
    found: Numbers = COUNTS[name][1](metrics) / [_parents(line) for line in metrics]
    return found


def at_the_end(values: Numbers, part: int = 10) -> float:
    """The mean of the last tenth, or of another part."""
    return float(values[-max(1, len(values) // part) :].mean())


def _parents(line: Mapping[str, Any]) -> int:
    """How many there are, by a line of the metrics."""
    return len(next(iter(line["climbed"].values())))


def _end(name: str, part: int = 10) -> Callable[[Metrics], float]:
    return lambda metrics: 100 * at_the_end(shares(name, metrics), part)


def _rise(name: str) -> Callable[[Metrics], float]:
    """From the first tenth of the generations to the last."""

    def rise(metrics: Metrics) -> float:
        values = shares(name, metrics)
        return 100 * (at_the_end(values) - at_the_end(values[::-1]))

    return rise


def _roughness(name: str) -> Callable[[Metrics], float]:
    """How much a generation differs from the mean around it."""

    def roughness(metrics: Metrics) -> float:
        values = 100 * shares(name, metrics)
        return float((values - smoothed(values, max(1, len(values) // 10))).std())

    return roughness


def _figure(runs: Runs, variant: str, of: Callable[[Metrics], float]) -> Estimate:
    return Estimate.of_runs([of(one) for one in runs[variant]], least=-100.0)


def _difference(runs: Runs, more: str, less: str, of: Callable[[Metrics], float]) -> Estimate:
    pairs = zip(runs[more], runs[less], strict=True)
    return Estimate.of_runs([of(first) - of(second) for first, second in pairs], least=-100.0)


def _rises(text: str, variant: str, name: str, least: float) -> Test:
    what = f"{variant}: {COUNTS[name][0]}, percent of parents, last tenth less first"
    return lambda runs: Claim.judge(text, what, _figure(runs, variant, _rise(name)), least=least)


def _stays(text: str, variant: str, name: str, most: float = 10.0) -> Test:
    what = f"{variant}: {COUNTS[name][0]}, percent of parents, last tenth less first"
    return lambda runs: Claim.judge(text, what, _figure(runs, variant, _rise(name)), most=most)


def _ends(
    text: str, variant: str, name: str, *, least: float | None = None, most: float | None = None
) -> Test:
    what = f"{variant}: {COUNTS[name][0]}, percent of parents, last tenth"
    return lambda runs: Claim.judge(
        text, what, _figure(runs, variant, _end(name)), least=least, most=most
    )


CLAIMS: dict[str, tuple[Test, ...]] = {
    "figure-3": (
        _rises(
            "parents that beat the piece differential at depth 4 rise from about 20% to 70%; half "
            "of that is asked for here",
            "paper", "discs-4", 25.0,
        ),
        _rises("so do those that beat Iago's positions at depth 4", "paper", "iago-4", 25.0),
    ),
    "figure-4": (
        lambda runs: Claim.judge(
            "in the last fifth the first parent mostly beats the piece differential at depth 6",
            "percent of the generations",
            _figure(runs, "paper", _end("top-6", 5)),
            least=50.0,
        ),
    ),
    "figure-5": (
        _ends("at the end most parents are masters", "paper", "master", least=50.0),
        _stays("novices become fewer", "paper", "novice", 0.0),
    ),
    "figure-6": (
        _ends("at the end most parents beat Iago's positions at depth 6", "paper", "iago-master",
              least=50.0),
    ),
    "figure-9": (
        lambda runs: Claim.judge(
            "a population of 30 fluctuates less",
            "points by which generations differ from the mean around them, 20 less 30 networks",
            _difference(runs, "paper", "fig-9", _roughness("discs-4")),
            least=0.0,
        ),
        _rises("it evolves", "fig-9", "discs-4", 25.0),
    ),
    "figure-10": (
        _ends("without the spatial layer it is very difficult: hardly any masters", "fig-10",
              "master", most=10.0),
        lambda runs: Claim.judge(
            "with the layer there are more",
            "masters, percent of parents, last tenth, with less without",
            _difference(runs, "paper", "fig-10", _end("master")),
            least=0.0,
        ),
    ),
    "figure-11": (
        _rises("with nothing but the spatial layer there is some success", "fig-11", "discs-4",
               10.0),
    ),
    "figure-12": (
        _stays("with one step size for all weights evolution does not occur", "fig-12", "discs-4"),
        _stays("nor with a fixed one", "fixed", "discs-4"),
        _stays("nor with a smaller one", "fixed-small", "discs-4"),
    ),
    "figure-13": (
        lambda runs: Claim.judge(
            "with the best kept, most are novices and no more",
            "novices less those above, percent of parents, last tenth",
            _figure(
                runs, "fig-13",
                lambda m: _end("novice")(m) - _end("intermediate")(m) - _end("master")(m),
            ),
            least=0.0,
        ),
    ),
    "figure-14": (
        _ends("with 15 opponents very few come past the intermediate level", "fig-14", "master",
              most=10.0),
    ),
    "filters": (
        *(
            _stays(f"filters do not evolve in a population of {size}", variant, "discs-2")
            for size, variant in ((20, "filter"), (30, "filter-30"), (40, "filter-40"))
        ),
        _rises("in a population of 50 they come to the novice level", "filter-50", "discs-2", 10.0),
        _stays("Cauchy's mutation does not help", "filter-cauchy", "discs-2"),
        _stays("nor does the mean of both", "filter-mean", "discs-2"),
        _stays("nor the better of two children", "filter-better", "discs-2"),
        _rises("differential evolution brings a population of 20 to the novice level",
               "filter-differential", "discs-2", 10.0),
    ),
}  # fmt: skip
