"""Figures of results; they need matplotlib (the extra `train`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from outflank.errors import DataError
from outflank.figures import new_figure, write_figure
from outflank.learn.imitation.drawing import draw_heat_maps
from outflank.learn.imitation.measuring import Cell
from outflank.othello.statistics import PANELS, GameStatistics, draw_statistics
from outflank.studies.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(result: Result, path: Path) -> None:
    """Draw the plot of a result into a file: .png, .svg or .pdf."""
    if result.plot is None:
        raise DataError(f"{result.study}: is a table; there is nothing to draw")
    if result.plot.kind not in _KINDS:
        raise DataError(f"{result.study}: no such kind of plot: {result.plot.kind!r}")
    figure = _KINDS[result.plot.kind](result.plot.data)
    write_figure(path, figure, f"{result.title} ({result.scale})")


def _heat_maps(data: Mapping[str, Any]) -> Figure:
    maps = data["maps"]
    figure = new_figure(11.0, 3.6 * max(1, len(maps)))
    axes = figure.subplots(max(1, len(maps)), 2, squeeze=False)
    for row, (label, cells) in zip(axes, maps.items(), strict=False):
        draw_heat_maps(figure, row, [Cell(**cell) for cell in cells])
        row[0].set_title(f"{label}: top-1 accuracy")
    return figure


def _scatter(data: Mapping[str, Any]) -> Figure:
    figure = new_figure(7.0, 5.0)
    axis = figure.subplots()
    for name, series in data["series"].items():
        points = [(x, y) for x, y in series["points"] if x is not None and y is not None]
        if not points:
            continue
        x, y = zip(*points, strict=True)
        (dots,) = axis.plot(x, y, "o", label=name)
        if series["line"] is not None:
            ends = [min(x), max(x)]
            slope, intercept = series["line"]["slope"], series["line"]["intercept"]
            axis.plot(ends, [slope * end + intercept for end in ends], color=dots.get_color())
    axis.set(xlabel="accuracy [%]", ylabel="winning rate [%]")
    if axis.lines:
        axis.legend()
    return figure


def _gains(data: Mapping[str, Any]) -> Figure:
    """One panel for each network, two beside each other, one line for each stage."""
    panels = data["panels"]
    rows = max(1, (len(panels) + 1) // 2)
    figure = new_figure(10.0, 0.6 + 3.2 * rows)
    axes = figure.subplots(rows, 2, squeeze=False, sharex=True, sharey=True)
    for axis, (label, stages) in zip(axes.flat, panels.items(), strict=False):
        axis.axhline(0, color="0.7", linewidth=0.8)
        for stage, values in stages.items():
            axis.plot(data["x"], values, marker="o", label=f"moves {stage}")
        axis.set(title=label, xticks=data["x"])
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    figure.supxlabel("opponent's depth")
    figure.supylabel("gain of winning rate [points]")
    if panels:
        axes[0][0].legend()
    return figure


def _evolution(data: Mapping[str, Any]) -> Figure:
    """One panel for each series, one line with its band for each variant."""
    labels = data["labels"]
    figure = new_figure(7.0, 2.8 * len(labels))
    axes = figure.subplots(len(labels), 1, squeeze=False, sharex=True)[:, 0]
    for axis, (name, label) in zip(axes, labels.items(), strict=True):
        for variant, curves in data["curves"].items():
            curve = curves[name]
            if len(data["curves"]) == 1:  # of several, one would hide the other
                axis.plot(curve["generation"], curve["one"], color="0.8", linewidth=0.6)
            (line,) = axis.plot(curve["generation"], curve["mean"], label=variant)
            axis.fill_between(
                curve["generation"], curve["low"], curve["high"],
                color=line.get_color(), alpha=0.2, linewidth=0,
            )  # fmt: skip
        axis.set_title(label, loc="left", fontsize="medium")
        axis.set(ylabel="percent of parents", ylim=(0, 100))
    axes[0].legend()
    axes[-1].set(xlabel="generation")
    return figure


def _courses(data: Mapping[str, Any]) -> Figure:
    """One column for each game."""
    games = data["games"]
    figure = new_figure(6.0 * len(games), 8.0)
    axes = figure.subplots(len(PANELS), len(games), squeeze=False, sharex=True)
    for number, (label, game) in enumerate(games.items()):
        statistics = GameStatistics(*(np.array(game[name]) for name in PANELS))
        draw_statistics(list(axes[:, number]), statistics, game["black"], game["white"])
        axes[0][number].set_title(label)
    return figure


def _learning(data: Mapping[str, Any]) -> Figure:
    """One line for each training, against hours and against games."""
    figure = new_figure(10.0, 4.2)
    axes = figure.subplots(1, 2, sharey=True)
    for axis, quantity in zip(axes, ("hours", "games"), strict=True):
        for label, points in data["series"].items():
            x = [point[quantity] for point in points]
            axis.plot(x, [point["elo"] for point in points], marker="o", markersize=3, label=label)
        axis.set(xlabel="processor hours" if quantity == "hours" else quantity)
    axes[0].set(ylabel="Elo (the random player has 0)")
    axes[0].legend()
    return figure


def _bars(data: Mapping[str, Any]) -> Figure:
    """One bar with its interval for each row, the first on top."""
    bars = data["bars"]
    figure = new_figure(8.0, 1.2 + 0.32 * len(bars))
    axis = figure.subplots()
    values, lows, highs = (np.array([bar[i] for bar in bars.values()]) for i in range(3))
    places = np.arange(len(bars))
    axis.barh(places, values, xerr=[values - lows, highs - values], color="0.6", ecolor="0.3")
    axis.axvline(0, color="0.3", linewidth=0.8)
    axis.set(yticks=places, yticklabels=list(bars), xlabel=f"gain [{data['unit']}]")
    axis.invert_yaxis()
    return figure


def _seeds(data: Mapping[str, Any]) -> Figure:
    """One panel for each measure, in it every run as a dot, a line for their mean, by factor."""
    panels, groups = data["panels"], data["groups"]
    names = [(group, name) for group, members in groups.items() for name in members]
    figure = new_figure(5.0 * len(panels) + 2.0, 1.2 + 0.3 * (len(names) + len(groups)))
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    places, labels, place = [], [], 0
    for group, members in groups.items():
        axes[0].annotate(
            group, (0, place), xycoords=("axes fraction", "data"), xytext=(4, 0),
            textcoords="offset points", va="center", fontweight="bold",
        )  # fmt: skip
        place += 1
        for name in members:
            places.append(place)
            labels.append(name)
            for axis, values in zip(axes, panels.values(), strict=True):
                axis.plot(values[name], [place] * len(values[name]), "o", color="C0", alpha=0.4)
                axis.plot([np.mean(values[name])] * 2, [place - 0.4, place + 0.4], color="0.2")
            place += 1
    for axis, title in zip(axes, panels, strict=True):
        axis.set(xlabel=title, xlim=(-2, 102))
    axes[0].set(yticks=places, yticklabels=labels)
    axes[0].invert_yaxis()
    return figure


def _ladder(data: Mapping[str, Any]) -> Figure:
    """Elo against the time for a move; the budgets of one player are joined by a line."""
    figure = new_figure(9.0, 6.5)
    axis = figure.subplots()
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for point in data["points"]:
        if point["seconds"]:
            by_name.setdefault(point["name"], []).append(point)
    for name, points in by_name.items():
        points.sort(key=lambda point: point["seconds"])
        x, y = [[point[key] for point in points] for key in ("seconds", "elo")]
        around = [[abs(point[end] - point["elo"]) for point in points] for end in ("low", "high")]
        axis.errorbar(x, y, yerr=around, marker="o", markersize=3, linewidth=1, elinewidth=0.6)
        axis.annotate(name, (x[-1], y[-1]), (4, 2), textcoords="offset points", fontsize=6)
    axis.set(xscale="log", xlabel="seconds a move", ylabel="Elo (the random player has 0)")
    return figure


def _data(data: Mapping[str, Any]) -> Figure:
    """Error and Elo against the number of positions."""
    figure = new_figure(10.0, 4.2)
    error, elo = figure.subplots(1, 2)
    points = data["points"]
    x = [point["positions"] for point in points]
    error.plot(x, [point["error"] for point in points], marker="o")
    around = [[abs(point[end] - point["elo"]) for point in points] for end in ("low", "high")]
    elo.errorbar(x, [point["elo"] for point in points], yerr=around, marker="o")
    error.set(xscale="log", xlabel="positions", ylabel="error [discs]")
    elo.set(xscale="log", xlabel="positions", ylabel="Elo (patterns has 0)")
    return figure


_KINDS: dict[str, Callable[[Mapping[str, Any]], Figure]] = {
    "heat-maps": _heat_maps,
    "scatter": _scatter,
    "gains": _gains,
    "evolution": _evolution,
    "courses": _courses,
    "learning": _learning,
    "bars": _bars,
    "seeds": _seeds,
    "ladder": _ladder,
    "data": _data,
}
