"""`outflank bench`: how fast this machine is."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from rich.table import Table

from outflank import _core
from outflank.cli.output import Json, console, print_json
from outflank.othello import Position

_ROUNDS = 3


def bench(json: Json = False) -> None:
    """Measure this machine: perft, random playouts, batches of legal moves.

    Takes some seconds. benchmarks/ in the source compares Outflank with other packages.
    """
    cores = _core.available_threads()
    start = Position.start()
    own = np.full(1_000_000, start.own, np.uint64)
    other = np.full(1_000_000, start.other, np.uint64)
    few = slice(0, 200_000)
    measures: list[tuple[str, str, int, Callable[[], object]]] = [
        ("perft 10", "nodes/s", 24_571_284, lambda: start.perft(10)),
        (
            "random playouts",
            "games/s",
            200_000,
            lambda: _core.random_playouts(own[few], other[few], 1, threads=1),
        ),
        (
            f"random playouts, {cores} cores",
            "games/s",
            200_000,
            lambda: _core.random_playouts(own[few], other[few], 1),
        ),
        (
            "legal moves of a batch",
            "boards/s",
            1_000_000,
            lambda: _core.legal_moves(own, other, threads=1),
        ),
        (
            f"legal moves of a batch, {cores} cores",
            "boards/s",
            1_000_000,
            lambda: _core.legal_moves(own, other),
        ),
    ]
    results = [(name, unit, items / _seconds(work)) for name, unit, items, work in measures]
    if json:
        answer = [{"measure": name, "unit": unit, "rate": rate} for name, unit, rate in results]
        print_json({"build": _core.build(), "cores": cores, "measures": answer})
        return
    table = Table("measure", "rate", "unit", title=f"outflank, build: {_core.build()}")
    table.columns[1].justify = "right"
    for name, unit, rate in results:
        table.add_row(name, f"{rate:,.0f}", unit)
    console.print(table)


def _seconds(work: Callable[[], object]) -> float:
    """Time a piece of work: the best of some rounds, which noise disturbs least."""
    best = float("inf")
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best
