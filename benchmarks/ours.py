"""The measures of outflank itself: the functions of its compiled core."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np
from benchmarks.peers.protocol import PERFT, START_OTHER, START_OWN, Positions, check, rate

from outflank import _core

PLAYOUTS = 100_000  # games a call
LEGAL_CALLS = 20  # calls between two looks at the clock: one takes less than a millisecond
ONE_THREAD, ALL_CORES = 1, 0

Works = dict[str, Callable[[], int]]


def perft_work(depth: int) -> Callable[[], int]:
    """perft runs on one thread."""

    def work() -> int:
        nodes = _core.perft(START_OWN, START_OTHER, depth)
        check(f"perft {depth}", nodes, PERFT[depth])
        return nodes

    return work


def playout_work(threads: int) -> Callable[[], int]:
    own = np.array([START_OWN], dtype=np.uint64)
    other = np.array([START_OTHER], dtype=np.uint64)
    seeds = count(1)
    return lambda: _core.random_playouts(own, other, next(seeds), PLAYOUTS, threads).size


def legal_work(positions: Positions, threads: int) -> Callable[[], int]:
    own, other, legal = positions.own, positions.other, positions.legal
    check("legal moves", np.array_equal(_core.legal_moves(own, other, threads), legal), True)

    def work() -> int:
        for _ in range(LEGAL_CALLS):
            _core.legal_moves(own, other, threads)
        return LEGAL_CALLS * len(own)

    return work


def one_thread_works(positions: Positions, depth: int) -> Works:
    return {
        "perft": perft_work(depth),
        "playouts": playout_work(ONE_THREAD),
        "legal_moves": legal_work(positions, ONE_THREAD),
    }


def all_cores_works(positions: Positions) -> Works:
    return {
        "playouts": playout_work(ALL_CORES),
        "legal_moves": legal_work(positions, ALL_CORES),
    }


def measure(works: Works, seconds: float) -> dict[str, float]:
    """Things a second for each measure."""
    return {name: rate(work, seconds) for name, work in works.items()}
