"""Figures of a run, drawn as in Chong et al. (2005)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.figures import new_figure, write_figure
from outflank.learn.coevolution.observing import LEVELS
from outflank.othello.statistics import MIDDLE, PANELS

Numbers = NDArray[np.float64]


def smoothed(values: Sequence[float] | Numbers, width: int) -> Numbers:
    """Return the mean of `width` neighbours around each value, fewer at both ends."""
    array = np.asarray(values, np.float64)
    if not len(array):
        return array
    sums = np.concatenate([[0.0], np.cumsum(array)])
    places = np.arange(len(array))
    first = np.maximum(places - (width - 1) // 2, 0)
    last = np.minimum(places + width // 2 + 1, len(array))
    means: Numbers = (sums[last] - sums[first]) / (last - first)
    return means


def _smoothed_over(
    generations: Sequence[int], values: Sequence[float] | Numbers, width: int
) -> Numbers:
    """Smooth values over `width` generations, however far apart they were measured."""
    apart = (generations[-1] - generations[0]) / (len(generations) - 1) if len(values) > 1 else 1.0
    return smoothed(values, max(1, round(width / apart)))


def counts_at_least(metrics: Sequence[Mapping[str, Any]], observer: str, depths: int) -> Numbers:
    """How many parents beat an observer at `depths` depths or more, by generation (Fig. 3)."""
    return np.array([sum(n >= depths for n in m["climbed"][observer]) for m in metrics], float)


def counts_winning(metrics: Sequence[Mapping[str, Any]], observer: str, depth: int) -> Numbers:
    """How many parents beat an observer at a depth, even if they lost at a lesser one.

    Parents must have met the observers at all depths (all_depths=yes).
    """
    return np.array([m["winners"][observer].get(str(depth), 0) for m in metrics], float)


def counts_of_level(metrics: Sequence[Mapping[str, Any]], observer: str, depths: int) -> Numbers:
    """How many parents beat an observer at exactly `depths` depths (Figs. 5 and 6).

    From three depths on, all are masters, so those with more count too.
    """
    at_least = counts_at_least(metrics, observer, depths)
    if depths >= LEVELS.index("master"):
        return at_least
    return at_least - counts_at_least(metrics, observer, depths + 1)


def draw_run(path: Path, metrics: Sequence[Mapping[str, Any]], title: str = "") -> None:
    """Draw the observers' measurements of a run: Figs. 3 to 6 in one picture."""
    observers = list(metrics[-1]["climbed"]) if metrics else []
    generations = [m["generation"] for m in metrics]
    figure = new_figure(5.5 * max(1, len(observers)) + 5.5, 9.0)
    axes = figure.subplots(3, max(1, len(observers)) + 1, squeeze=False, sharex=True)
    for column, observer in enumerate(observers):
        for row, depths in enumerate((1, 2, 3)):
            axis = axes[row][column]
            values = counts_of_level(metrics, observer, depths)
            axis.plot(generations, values, color="0.75", linewidth=0.6)
            axis.plot(generations, _smoothed_over(generations, values, 100), color="black")
            axis.set(ylabel=f"{LEVELS[depths]}s", ylim=(0, None))
        axes[0][column].set(title=f"against {observer}")
    last = axes[:, -1]
    for observer, line in zip(observers, itertools.cycle(("-", "--", ":", "-.")), strict=False):
        values = _smoothed_over(generations, counts_at_least(metrics, observer, 2), 100)
        last[0].plot(generations, values, line, label=observer)
    last[0].set(title="parents that beat depth 4", ylim=(0, None))
    if observers:
        last[0].legend()
    won = np.array([m["top_won"] for m in metrics], float)
    last[1].plot(generations, _smoothed_over(generations, won, 20), color="0.5", linewidth=0.8)
    last[1].plot(generations, _smoothed_over(generations, won, 50), color="black")
    last[1].set(title="the first parent against discs", ylabel="share won", ylim=(0, 1))
    points = [m["points"] for m in metrics]
    last[2].plot(generations, points, color="0.75", linewidth=0.6)
    last[2].plot(generations, _smoothed_over(generations, points, 100), color="black")
    last[2].set(title="points in the tournament", ylim=(0, None))
    for axis in axes[-1]:
        axis.set(xlabel="generation")
    write_figure(path, figure, title)


def draw_lineage(path: Path, rows: Sequence[Mapping[str, Any]], title: str = "") -> None:
    """Draw how one line of descent played; rows are those of the command `lineage`."""
    figure = new_figure(7.0, 9.0)
    axes = figure.subplots(4, 1, sharex=True)
    generations = [row["generation"] for row in rows]
    axes[0].plot(generations, [row["score"] for row in rows], "o-", color="black")
    axes[0].axhline(0, color="0.75", linewidth=0.8)
    axes[0].set(ylabel="final score")
    for axis, (name, label) in zip(axes[1:], PANELS.items(), strict=True):
        for side, (who, line) in enumerate((("network", "o-"), ("opponent", "s--"))):
            axis.plot(generations, [row[name][side] for row in rows], line, label=who)
        when = "at the end" if name == "corners" else f"after {MIDDLE} moves"
        axis.set(ylabel=f"{label}\n{when}", ylim=(0, None))
    axes[1].legend()
    axes[-1].set(xlabel="generation")
    write_figure(path, figure, title)
