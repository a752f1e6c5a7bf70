"""What every peer script shares: the positions, the stopwatch and the talk with rules.py.

A peer script is started with the file of positions and the seconds to spend on a measure. It
checks that the peer plays by the rules, prints one JSON line about itself, and then, for every
line that it reads, measures once and prints one JSON line of figures. Only NumPy and the
standard library are imported here: the file is used by two environments.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Boards = npt.NDArray[np.uint64]

MEASURES = ("perft", "playouts", "legal_moves")
PASS = 64
START_OWN = 0x0000000810000000
START_OTHER = 0x0000001008000000

# Leaves of the game tree by depth: a pass is a ply, a finished game one leaf.
PERFT = {
    1: 4,
    2: 12,
    3: 56,
    4: 244,
    5: 1396,
    6: 8200,
    7: 55092,
    8: 390216,
    9: 3005288,
    10: 24571284,
    11: 212258800,
    12: 1939886636,
}


class Positions(NamedTuple):
    """The positions of random games, game after game, none of them finished.

    own, other: discs of the mover and of the opponent; legal: the mover's legal moves; all
    uint64 of shape (positions,), bit 0 is a1. moves: the square played next, or PASS. offsets:
    where each game begins, of shape (games + 1,).
    """

    own: Boards
    other: Boards
    legal: Boards
    moves: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]

    def first(self, games: int) -> Positions:
        """The same games, but only so many: a slow peer measures on fewer."""
        games = min(games, len(self.offsets) - 1)
        end = int(self.offsets[games])
        return Positions(
            self.own[:end],
            self.other[:end],
            self.legal[:end],
            self.moves[:end],
            self.offsets[: games + 1],
        )


@dataclass(frozen=True)
class Peer:
    """A peer that passed its checks.

    packages: distributions whose versions matter. paths: for each measure, the function of the
    peer that was used. work: for each measure, a call that returns how many things it did.
    """

    packages: tuple[str, ...]
    paths: dict[str, str]
    work: dict[str, Callable[[], int]] = field(repr=False)


def rate(work: Callable[[], int], seconds: float) -> float:
    """Things done each second by calling work() again and again for at least so long."""
    done = 0
    start = time.perf_counter()
    while True:
        done += work()
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return done / elapsed


def check(what: str, found: object, expected: object) -> None:
    """A peer that is wrong is not measured: its speed would mean nothing."""
    if found != expected:
        raise SystemExit(f"{what}: found {found}, expected {expected}")


def check_perft(perft: Callable[[int], int], deepest: int) -> None:
    for depth in range(1, deepest + 1):
        check(f"perft {depth}", perft(depth), PERFT[depth])


def squares(bits: int) -> list[int]:
    """The squares of a bitboard, lowest first."""
    return [square for square in range(64) if bits >> square & 1]


def serve(prepare: Callable[[Positions, float], Peer]) -> None:
    """Runs a peer script; prepare checks and warms up the peer, which is not measured."""
    out, sys.stdout = sys.stdout, sys.stderr  # whatever a peer prints is not an answer
    path, seconds = Path(sys.argv[1]), float(sys.argv[2])
    with np.load(path) as arrays:
        positions = Positions(**arrays)
    peer = prepare(positions, seconds)
    about = {"versions": {name: version(name) for name in peer.packages}, "paths": peer.paths}
    print(json.dumps(about), file=out, flush=True)
    for _ in sys.stdin:
        figures = {measure: rate(peer.work[measure], seconds) for measure in MEASURES}
        print(json.dumps(figures), file=out, flush=True)
