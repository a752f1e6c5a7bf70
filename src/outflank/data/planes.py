"""Planes that show boards to networks, beside those that the core makes.

Ng (2017) marks the border and the corners and adds the legal moves; stable discs, the frontier,
the opponent's moves and gaps on the edges are what he names as future work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from outflank import _core

Bits = NDArray[np.uint64]
Plane = Callable[[Bits, Bits], Bits]  # own and other discs to the squares marked

CORE_PLANES = ("own", "other", "empty", "legal", "ones", "border")

_EDGES = (range(8), range(56, 64), range(0, 64, 8), range(7, 64, 8))


def _bit(square: int) -> np.uint64:
    return np.uint64(1) << np.uint64(square)


def edge_gaps(own: Bits, other: Bits, length: int) -> Bits:
    """Mark the empty squares of edges, `length` in a row, that have a disc on either side."""
    discs = own | other
    marked = np.zeros_like(discs)
    for edge in _EDGES:
        for start in range(1, 8 - length):
            gap = [edge[start + i] for i in range(length)]
            ends = _bit(edge[start - 1]) | _bit(edge[start + length])
            inside = np.bitwise_or.reduce([_bit(square) for square in gap])
            found = ((discs & ends) == ends) & ((discs & inside) == 0)
            marked |= np.where(found, inside, np.uint64(0))
    return marked


# Squares marked with one, by the name of the plane.
_MARKS: dict[str, Plane] = {
    "replies": lambda own, other: _core.legal_moves(other, own),
    "own-stable": lambda own, other: _core.stable_discs(own, other) & own,
    "other-stable": lambda own, other: _core.stable_discs(own, other) & other,
    "own-frontier": lambda own, other: _core.frontier(own, other) & own,
    "other-frontier": lambda own, other: _core.frontier(own, other) & other,
    "gaps-1": lambda own, other: edge_gaps(own, other, 1),
    "gaps-2": lambda own, other: edge_gaps(own, other, 2),
}


def _corners(worth: float) -> NDArray[np.float32]:
    """Ng's Figure 10: corners stand out, the squares beside them warn, other edges count one."""
    squares = np.zeros((8, 8), np.float32)
    squares[0, :] = squares[7, :] = squares[:, 0] = squares[:, 7] = 1
    for row, inner_row in ((0, 1), (7, 6)):
        for column, inner in ((0, 1), (7, 6)):
            squares[row, inner] = squares[inner_row, column] = squares[inner_row, inner] = -1
            squares[row, column] = worth
    return squares


# The same on every board.
_CONSTANT = {"corner": _corners(4), "corner-10": _corners(10)}

PLANES = (*CORE_PLANES, *_MARKS, *_CONSTANT)


def spread(bits: Bits) -> NDArray[np.uint8]:
    """Spread bitboards over planes: uint8[n, 8, 8], a1 first, row by row."""
    octets = np.ascontiguousarray(bits).astype("<u8", copy=False)[:, None].view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").reshape(-1, 8, 8)


def board_planes(
    own: Bits, other: Bits, names: Sequence[str], *, threads: int = 0
) -> NDArray[np.float32]:
    """Return planes of boards, float32[n, planes, 8, 8].

    Args:
        own: uint64[n], the movers' discs.
        other: uint64[n], the opponents' discs.
        names: Of PLANES.
        threads: For the planes that the core makes; 0: all cores.
    """
    if set(names) <= set(CORE_PLANES):
        return _core.planes(own, other, list(names), threads)
    own, other = np.ascontiguousarray(own), np.ascontiguousarray(other)
    planes = np.empty((len(own), len(names), 8, 8), np.float32)
    core = [name for name in names if name in CORE_PLANES]
    made = iter(np.moveaxis(_core.planes(own, other, core, threads), 1, 0))
    for number, name in enumerate(names):
        if name in CORE_PLANES:
            planes[:, number] = next(made)
        elif name in _CONSTANT:
            planes[:, number] = _CONSTANT[name]
        else:
            planes[:, number] = spread(_MARKS[name](own, other))
    return planes
