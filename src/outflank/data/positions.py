"""Distinct positions, up to symmetry, and how often each move was played there.

For a network that treats mirror images alike there is nothing else in a set of examples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.data.examples import Examples


@dataclass(frozen=True, eq=False)
class Positions:
    """Canonical boards from the movers' views.

    Attributes:
        own: uint64[n].
        other: uint64[n].
        count: uint32[n], how often the board occurred.
        value: float32[n], the mean result for the mover.
        offset: int64[n + 1]; the moves played on board i are those from offset[i] to offset[i + 1].
        move: uint8, the moves of all boards.
        share: float32, how often each was played; adds up to 1 on each board.
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    count: NDArray[np.uint32]
    value: NDArray[np.float32]
    offset: NDArray[np.int64]
    move: NDArray[np.uint8]
    share: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.own)

    def policies(self, index: NDArray[np.integer]) -> NDArray[np.float32]:
        """Return the shares of all squares on some boards, float32[m, 64]."""
        row, place = places_of(self.offset[index], self.offset[index + 1] - self.offset[index])
        policies = np.zeros((len(index), 64), np.float32)
        policies[row, self.move[place]] = self.share[place]
        return policies

    def and_also(self, others: Positions) -> Positions:
        """Return these followed by others; equal boards are not merged."""
        return Positions(
            own=np.concatenate([self.own, others.own]),
            other=np.concatenate([self.other, others.other]),
            count=np.concatenate([self.count, others.count]),
            value=np.concatenate([self.value, others.value]),
            offset=np.concatenate([self.offset, self.offset[-1] + others.offset[1:]]),
            move=np.concatenate([self.move, others.move]),
            share=np.concatenate([self.share, others.share]),
        )


def places_of(
    first: NDArray[np.int64], moves: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the boards' numbers, and the places, of so many moves each, from given places on."""
    row = np.repeat(np.arange(len(first)), moves)
    # Places within each board's moves: a running number less where the board began.
    within = np.arange(len(row)) - np.repeat(np.cumsum(moves) - moves, moves)
    return row, np.repeat(first, moves) + within


def group_by_position(examples: Examples) -> Positions:
    """Bring the examples of each position, mirror images included, together."""
    own, other, move = _core.canonical_examples(
        np.ascontiguousarray(examples.own),
        np.ascontiguousarray(examples.other),
        np.ascontiguousarray(examples.move),
    )
    order = np.lexsort((move, other, own))
    own, other, move = own[order], other[order], move[order]
    count = examples.count[order].astype(np.float64)
    value = examples.value[order] * count
    new_board = _changes(own) | _changes(other)
    first_of_pair = np.flatnonzero(new_board | _changes(move))
    first_of_board = np.flatnonzero(new_board)
    pairs, boards = (_sums(count, first) for first in (first_of_pair, first_of_board))
    board_of_pair = np.cumsum(new_board)[first_of_pair] - 1
    return Positions(
        own=own[first_of_board],
        other=other[first_of_board],
        count=boards.astype(np.uint32),
        value=(_sums(value, first_of_board) / boards).astype(np.float32),
        offset=np.searchsorted(board_of_pair, np.arange(len(first_of_board) + 1)),
        move=move[first_of_pair],
        share=(pairs / boards[board_of_pair]).astype(np.float32),
    )


def _changes(array: NDArray[np.unsignedinteger]) -> NDArray[np.bool_]:
    """Return where an array has another value than at the place before; the first place has."""
    changed = np.ones(len(array), np.bool_)
    np.not_equal(array[1:], array[:-1], out=changed[1:])
    return changed


def _sums(array: NDArray[np.float64], first: NDArray[np.int64]) -> NDArray[np.float64]:
    """Add up the parts of an array that begin at given places."""
    return np.add.reduceat(array, first) if len(first) else np.zeros(0)
