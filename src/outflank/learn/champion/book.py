"""Grows an opening book with our own search: the most plausible positions are expanded first.

The less both sides gave away on the way to a position, the more plausible it is (drop-out
expansion, T. Lincke, 2000). Its cost is what the moves to it lost, by the values so far, plus a
fixed price for each ply. The cheapest position that is not yet expanded comes next: all its
successors enter the book with the value of a search.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from outflank import _core
from outflank.errors import DataError
from outflank.evaluations import fingerprint_of
from outflank.evaluations.champion import PROBCUT, champion_regressions, load_champion
from outflank.learn.learner import no_report
from outflank.othello import Position
from outflank.players.book import UNITS, Board, Book, canonical, successors

_DISCS = 4 + 40  # a position with this many or more is not expanded: the opening is over
_DEVIATIONS = 1.5  # at which probcut prunes


@dataclass(frozen=True)
class BookConfig:
    """How a book is grown.

    Attributes:
        positions: It grows until it has at least this many.
        depth: Of the search that values a position; one ply more if it would end with an odd number
            of empty squares, because values swing with that parity.
        price: Discs that a ply costs; a higher price makes the book broader and shallower.
        save_every: Positions to expand between two writings of the file.
        memory: Megabytes of the transposition table.
    """

    positions: int = 2000
    depth: int = 14
    price: float = 1.0
    save_every: int = 20
    memory: int = 128


def grow_book(
    evaluation: Path,
    target: Path,
    config: BookConfig,
    report: Callable[[str], None] = no_report,
) -> Book:
    """Grow the book in a file, or begin one; the file is saved after every batch.

    The same evaluation and configuration give the same book, interrupted or not.

    Args:
        evaluation: The champion's evaluation.
        target: The book's file.
        config: How it is grown.
        report: Takes a line about the progress.
    """
    facts = {"evaluation": fingerprint_of(str(evaluation)), "depth": config.depth}
    search = _Search(evaluation, config)
    book = Book.load(target) if target.is_file() else Book(facts=facts)
    if book.facts != facts:
        raise DataError(
            f"{target}: grown with another evaluation or depth; remove it to begin anew"
        )
    start = canonical(Position.start())
    if start not in book.searched:
        book.searched[start] = search.value(start)
    while len(book) < config.positions:
        # In batches, since backing up the values takes time.
        chosen = cheapest_leaves(book, config.price, config.save_every)
        if not chosen:
            break
        for board in chosen:
            for after in successors(board).values():
                if after not in book.searched:
                    book.searched[after] = search.value(after)
            book.expanded.add(board)
        book.save(target)
        report(f"{len(book):,} positions, {len(book.expanded):,} of them expanded")
    book.save(target)
    return book


def cheapest_leaves(book: Book, price: float, count: int) -> list[Board]:
    """Return the `count` boards of least cost that can be expanded, the cheapest first."""
    values = book.values()
    start = canonical(Position.start())
    heap, costs = [(0.0, start)], {start: 0.0}
    found: list[Board] = []
    done: set[Board] = set()
    while heap and len(found) < count:
        cost, board = heapq.heappop(heap)
        if board in done:
            continue
        done.add(board)
        if board not in book.expanded:
            if (board[0] | board[1]).bit_count() < _DISCS and _core.legal_moves(*board):
                found.append(board)
            continue
        for after in successors(board).values():
            further = cost + price + values[board] + values[after]
            if further < costs.get(after, float("inf")):
                costs[after] = further
                heapq.heappush(heap, (further, after))
    return found


class _Search:
    """Values boards by a selective search of a fixed depth."""

    def __init__(self, evaluation: Path, config: BookConfig) -> None:
        self._evaluation, self._depth = load_champion(evaluation), config.depth
        self._searcher = _core.Searcher(self._evaluation, config.memory, "discs")
        measured = champion_regressions(evaluation, PROBCUT)
        if measured:
            self._searcher.set_selectivity(_DEVIATIONS, measured)

    def value(self, board: Board) -> float:
        """Return the value of a board in discs; each search begins with an empty table."""
        own, other = board
        if not _core.legal_moves(own, other) and not _core.legal_moves(other, own):
            return float(_core.final_score(own, other))
        self._searcher.clear()
        empties = 64 - (own | other).bit_count()
        depth = min(self._depth + (empties - self._depth) % 2, empties)
        found = self._searcher.search(own, other, False, depth=depth)
        # As the file will have it, so that an interruption changes nothing.
        return round(found.lines[0].value / self._evaluation.units * UNITS) / UNITS
