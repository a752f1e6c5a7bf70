"""An opening book: positions with values that a search found beforehand, up to symmetry.

The book is a graph of positions rather than a tree, since different orders of moves lead to the
same position. An *expanded* position has all its successors in the book, and the best of their
values, as its mover sees them, is its own. Any other position has the value that a search found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.errors import DataError
from outflank.fingerprints import fingerprint
from outflank.nets.files import SUFFIX, load_tensors, save_tensors
from outflank.othello import Move, Position

KIND = "book"
UNITS = 100  # of the file's values in a disc

Board = tuple[int, int]  # canonical: the mover's discs and the opponent's

_ARRAYS = {"own": np.uint64, "other": np.uint64, "value": np.int16, "expanded": np.uint8}
_LIMIT = 32_000  # greatest value in the file


def canonical(position: Position) -> Board:
    """Return the board that stands for a position and its mirror images, from the mover's view."""
    own, other, _ = _core.canonical(*position.bits)
    return own, other


def successors(board: Board) -> dict[int, Board]:
    """Return the canonical boards after each legal move, by square; {} if there is no move."""
    after: dict[int, Board] = {}
    for square in _squares(_core.legal_moves(*board)):
        own, other = _core.play(*board, square)
        after[square] = _core.canonical(own, other)[:2]
    return after


def _squares(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def book_file(evaluation: Path) -> Path:
    """Return where the book of an evaluation's file is kept: beside it."""
    return evaluation.with_name(f"{evaluation.stem}-book{SUFFIX}")


@dataclass
class Book:
    """Positions and their values.

    Attributes:
        searched: The values that a search found, by board, in discs from the mover's view.
        expanded: The boards whose successors are all in the book.
        facts: How the book was made, as JSON.
    """

    searched: dict[Board, float] = field(default_factory=dict)
    expanded: set[Board] = field(default_factory=set)
    facts: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.searched)

    def values(self) -> dict[Board, float]:
        """Return the values of all boards; those of expanded boards come from their successors."""
        # A move adds a disc, so boards with more discs go first.
        found: dict[Board, float] = {}
        for board in sorted(self.searched, key=_discs, reverse=True):
            after = successors(board).values() if board in self.expanded else ()
            found[board] = max((-found[one] for one in after), default=self.searched[board])
        return found

    def save(self, path: Path | str) -> None:
        """Write a file, whole or not at all."""
        boards = sorted(self.searched)
        values = np.array([self.searched[one] for one in boards], np.float64) * UNITS
        tensors: dict[str, NDArray[Any]] = {
            "own": np.array([own for own, _ in boards], np.uint64),
            "other": np.array([other for _, other in boards], np.uint64),
            "value": np.clip(np.rint(values), -_LIMIT, _LIMIT).astype(np.int16),
            "expanded": np.array([one in self.expanded for one in boards], np.uint8),
        }
        save_tensors(path, tensors, kind=KIND, facts={"facts": self.facts})

    @classmethod
    def load(cls, path: Path | str) -> Book:
        """Read a file; a damaged one is a DataError."""
        tensors, facts = load_tensors(path, kind=KIND)
        for name, kind in _ARRAYS.items():
            if name not in tensors or tensors[name].dtype != kind or tensors[name].ndim != 1:
                raise DataError(f"{path}: not a whole opening book: no good {name!r}")
        own, other, value, expanded = (tensors[name].tolist() for name in _ARRAYS)
        if len({len(one) for one in (own, other, value, expanded)}) != 1:
            raise DataError(f"{path}: not a whole opening book: columns of different lengths")
        boards = list(zip(own, other, strict=True))
        if any(mine & theirs or _core.canonical(mine, theirs)[:2] != (mine, theirs)
               for mine, theirs in boards):  # fmt: skip
            raise DataError(f"{path}: not a whole opening book: impossible board")
        about = facts.get("facts")
        book = cls(
            {board: one / UNITS for board, one in zip(boards, value, strict=True)},
            {board for board, one in zip(boards, expanded, strict=True) if one},
            about if isinstance(about, dict) else {},
        )
        for board in book.expanded:
            after = successors(board).values()
            if not after or any(one not in book.searched for one in after):
                raise DataError(f"{path}: not a whole opening book: missing successor")
        return book


class BookMoves:
    """Answers from a book: the values of all moves in its expanded positions."""

    def __init__(self, book: Book) -> None:
        self._expanded, self._values = book.expanded, book.values()

    def __len__(self) -> int:
        return len(self._expanded)

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever the book gives other moves or values."""
        return fingerprint(repr(sorted(self._values.items())), repr(sorted(self._expanded)))

    def find(self, position: Position) -> dict[Move, float] | None:
        """Return every legal move's value in discs, the best first; None outside the book."""
        if canonical(position) not in self._expanded:
            return None
        values = {
            Move(square): -self._values[after]
            for square, after in successors(position.bits).items()
        }
        return dict(sorted(values.items(), key=lambda item: -item[1]))


# Tournaments make the same players many times. A changed file is read again.
@lru_cache(maxsize=4)
def _moves_of(path: Path, changed: int) -> BookMoves:
    return BookMoves(Book.load(path))


def load_book(path: Path) -> BookMoves:
    """Read a book to play from."""
    return _moves_of(path, path.stat().st_mtime_ns if path.is_file() else 0)


def _discs(board: Board) -> int:
    return (board[0] | board[1]).bit_count()
