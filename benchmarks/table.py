"""The figures as a table for the terminal."""

from __future__ import annotations

from benchmarks.summary import ALL_CORES, ONE_THREAD, Row
from rich import box
from rich.console import Console
from rich.table import Table

TITLES = {
    "perft": "perft nodes/s",
    "playouts": "playouts/s",
    "legal_moves": "legal boards/s",
}

NARROWEST = 112  # columns; squeezed into fewer the figures could not be read


def short(value: float) -> str:
    """Three significant digits with a unit: 1.23 M."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= 0.9995 * size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def times(ratio: float) -> str:
    """A ratio, as exact as it can be read: 7.1x, 43x, 194 kx."""
    return f"{ratio:.1f}x" if ratio < 10 else f"{short(round(ratio))}x"


def cell(row: Row, name: str) -> str:
    return short(row.medians[name]) if name in row.medians else "-"


def peer_cell(row: Row, peer: str) -> str:
    """The peer's figure, and below it how many times faster outflank is in its fastest way."""
    way = ALL_CORES if ALL_CORES in row.ratios else ONE_THREAD
    return f"{short(row.medians[peer])}\n({times(row.ratios[way][peer])})"


def in_two_lines(name: str) -> str:
    """A heading as narrow as its figures: broken at the comma, hyphen or underscore."""
    return name.replace(", ", "\n").replace("-", "-\n").replace("_", "_\n")


def figures(rows: list[Row], peers: list[str]) -> Table:
    title = "Speed of the rules: medians; in brackets outflank / peer"
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    for name in (ONE_THREAD, ALL_CORES, *peers):
        table.add_column(in_two_lines(name), justify="right", no_wrap=True)
    if peers:
        table.add_column("1 thread\n/ fastest", justify="right", no_wrap=True)
        table.add_column("all cores\n/ fastest", justify="right", no_wrap=True)
    for row in rows:
        cells = [cell(row, ONE_THREAD), cell(row, ALL_CORES)]
        cells += [peer_cell(row, peer) for peer in peers]
        if peers:
            best = row.best_ratios()
            cells += [times(best[way]) if way in best else "-" for way in (ONE_THREAD, ALL_CORES)]
        table.add_row(TITLES[row.measure], *cells, end_section=True)
    return table


def show(
    rows: list[Row],
    machine: dict[str, str | int | float],
    present: dict[str, dict[str, str]],
    absent: dict[str, str],
) -> None:
    """Prints the table, then the machine, the versions of the peers and who is absent."""
    console = Console(highlight=False)
    console.width = max(console.width, NARROWEST)
    console.print(figures(rows, list(present)))
    console.print(
        "{cpu}, {cores} cores, {system}, Python {python}, NumPy {numpy}".format(**machine)
    )
    console.print("load average before the run: {load}".format(**machine))
    console.print("outflank {outflank}, build: {build}".format(**machine))
    for versions in present.values():
        console.print(", ".join(f"{name} {number}" for name, number in versions.items()))
    for name, reason in absent.items():
        console.print(f"absent: {name}: {reason}", markup=False)
