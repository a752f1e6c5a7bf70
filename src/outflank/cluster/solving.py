"""Solving many positions, with one worker or many."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outflank import _core
from outflank.cluster.choice import count_workers, start
from outflank.cluster.cluster import Work
from outflank.othello import Move, Position

_TABLE = 256  # megabytes of a solver's transposition table


@dataclass(frozen=True)
class Solved:
    """A position and what the solver found.

    Attributes:
        position: What was solved.
        score: From the side to move, empties to the winner; only its sign counts if only the
            winner was asked for.
        best: The best move.
        nodes: That were searched for it.
        seconds: That it took, with the scores of all moves.
        line: The best moves of both sides, to the end.
        moves: Every move with its score, if they were asked for.
    """

    position: Position
    score: int
    best: Move
    nodes: int
    seconds: float
    line: tuple[Move, ...]
    moves: tuple[tuple[Move, int], ...] = ()


class SolveWork(Work[Position, Solved]):
    """Solves one position at a time, each as if it were the only one.

    Args:
        threads: Of each; 0: all cores.
        wld: Whether to find only who wins.
        moves: Whether to score every move.
    """

    def __init__(self, threads: int = 1, *, wld: bool = False, moves: bool = False) -> None:
        self.threads, self.wld, self.moves = threads, wld, moves
        self._solver: _core.Solver | None = None

    def do(self, task: Position) -> Solved:
        """Solve a position."""
        solver = self._solver = self._solver or _core.Solver(_TABLE)
        solver.clear()  # so that a position takes as long alone as among others
        began = time.perf_counter()
        threads = self.threads
        found = solver.solve(*task.bits, win_draw_loss=self.wld, threads=threads)
        scored: list[tuple[int, int]] = []
        if self.moves and not task.is_over:
            scored, _ = solver.solve_moves(*task.bits, threads=threads)
        return Solved(
            task,
            found.score,
            Move(found.best),
            found.nodes,
            time.perf_counter() - began,
            tuple(Move(move) for move in found.line),
            tuple((Move(move), score) for move, score in scored),
        )


def solve_positions(
    positions: Sequence[Position],
    *,
    threads: int = 1,
    wld: bool = False,
    moves: bool = False,
    workers: int | None = None,
) -> Iterator[Solved]:
    """Solve positions, and yield the answers in their order, each as soon as it can be.

    Args:
        positions: What to solve.
        threads: For each position; 0: all cores.
        wld: Whether to find only who wins.
        moves: Whether to score every move.
        workers: How many to solve at once; None: one, or as many as a Ray cluster has room for.
    """
    cores = max(1, threads)
    count = min(count_workers(workers, usual=1, cores=cores), max(1, len(positions)))
    with start(SolveWork(threads, wld=wld, moves=moves), count, cores=cores) as crew:
        early: dict[int, Solved] = {}  # found before those in front of them
        due = 0
        for outcome in crew.map(positions):
            early[outcome.index] = outcome.value
            while due in early:
                yield early.pop(due)
                due += 1
