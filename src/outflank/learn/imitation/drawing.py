"""Pictures of how well a network predicts moves; they need matplotlib (the extra `train`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.figures import new_figure, write_figure
from outflank.learn.imitation.measuring import Bin, Cell, Measures


def draw_measures(path: Path, found: Measures, title: str = "") -> None:
    """Draw accuracy by move and legal moves (Liskowski et al., 2018, Fig. 3), and calibration."""
    figure = new_figure(15.0, 4.2)
    axes = figure.subplots(1, 3)
    draw_heat_maps(figure, axes[:2], found.cells)
    draw_calibration(axes[2], found.bins)
    write_figure(path, figure, title)


def draw_heat_maps(figure: Any, axes: Sequence[Any], cells: Sequence[Cell]) -> None:
    """Draw top-1 and top-3 accuracy, the move's number to the right, legal moves upwards."""
    for axis, k in zip(axes, (1, 3), strict=True):
        table = heat_map(cells, k)
        image = axis.imshow(
            table, origin="lower", aspect="auto", vmin=0, vmax=1, extent=_extent(table)
        )
        axis.set(title=f"top-{k} accuracy", xlabel="move", ylabel="legal moves")
        figure.colorbar(image, ax=axis)


def heat_map(cells: Sequence[Cell], k: int) -> NDArray[np.float64]:
    """Return accuracies by the number of legal moves (from 0) and the ply; nan without examples."""
    moves = max((cell.moves for cell in cells), default=0) + 1
    table = np.full((moves, 60), np.nan)
    for cell in cells:
        table[cell.moves, cell.ply] = cell.top1 if k == 1 else cell.top3
    return table


def _extent(table: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return the edges of a table whose columns are moves from 1 on."""
    return 0.5, table.shape[1] + 0.5, -0.5, table.shape[0] - 0.5


def draw_calibration(axis: Any, bins: Sequence[Bin]) -> None:
    """Draw how often the likeliest legal move was played, by its probability."""
    axis.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    axis.plot([one.confidence for one in bins], [one.accuracy for one in bins], marker="o")
    axis.set(
        title="calibration", xlabel="probability of the likeliest legal move", ylabel="played",
        xlim=(0, 1), ylim=(0, 1),
    )  # fmt: skip
