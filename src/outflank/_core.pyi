"""
The compiled core of Outflank.

Boards are pairs of 64-bit integers (own, other), from the mover's view; bit 0 is a1, bit 7
is h1, bit 63 is h8. A move is a square 0..63, or PASS (64). Functions take one board or
arrays of boards; on arrays they run without the GIL and, with threads=0, on all cores.
"""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


PASS: int = 64

def build() -> str:
    """What the compiled code was tuned for."""

def available_threads() -> int:
    """How many cores this process may use: what threads=0 means."""

@overload
def legal_moves(own: int, other: int) -> int:
    """Squares where the mover may play, as a bitboard."""

@overload
def legal_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Legal moves of each board, as bitboards."""

def flips(own: int, other: int, square: int) -> int:
    """
    Discs that a disc on this square would flip; 0 means that it outflanks nothing.
    The square itself is not looked at.
    """

@overload
def play(own: int, other: int, move: int) -> tuple[int, int]:
    """
    The board after a legal move or pass, from the next mover's view (own, other).
    """

@overload
def play(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')]]:
    """
    The boards after one legal move or pass each, from the next movers' view:
    (own, other). An illegal move raises ValueError and names its index.
    """

@overload
def is_over(own: int, other: int) -> bool:
    """True if neither side can move."""

@overload
def is_over(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.bool_], dict(order='C')]:
    """True where neither side can move."""

@overload
def final_score(own: int, other: int) -> int:
    """
    Disc difference from the mover's view, the empty squares going to the winner.
    """

@overload
def final_score(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """
    Final scores from each mover's view, the empty squares going to the winner.
    """

@overload
def transform(bits: int, symmetry: int) -> int:
    """
    A bitboard under one of the eight symmetries. Bit 2 of the number transposes, then bit 0
    mirrors left and right, then bit 1 mirrors top and bottom.
    """

@overload
def transform(bits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: int, threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Bitboards under one symmetry."""

@overload
def transform(bits: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Bitboards under one symmetry each."""

@overload
def transform_move(move: int, symmetry: int) -> int:
    """Where a move goes under a symmetry; a pass stays a pass."""

@overload
def transform_move(move: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetry: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """Moves under one symmetry each; values above 63 stay as they are."""

def inverse_symmetry(symmetry: int) -> int:
    """The symmetry that undoes this one."""

@overload
def canonical(own: int, other: int) -> tuple[int, int, int]:
    """
    The smallest of the board's eight images and the symmetry that leads to it:
    (own, other, symmetry).
    """

@overload
def canonical(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')]]:
    """
    Canonical boards and the symmetries that lead to them: (own, other, symmetry).
    """

@overload
def hash(own: int, other: int) -> int:
    """A 64-bit hash of the board, the same in every build."""

@overload
def hash(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """64-bit hashes of the boards."""

@overload
def stable_discs(own: int, other: int) -> int:
    """Discs of both colours that can never be flipped (a lower bound)."""

@overload
def stable_discs(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Stable discs of both colours of each board."""

@overload
def frontier(own: int, other: int) -> int:
    """Discs of both colours that touch an empty square."""

@overload
def frontier(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Discs of both colours that touch an empty square, for each board."""

@overload
def potential_mobility(own: int, other: int) -> int:
    """Empty squares that touch an opponent's disc."""

@overload
def potential_mobility(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint64], dict(order='C')]:
    """Empty squares that touch an opponent's disc, for each board."""

def perft(own: int, other: int, depth: int) -> int:
    """
    Number of move sequences of this length; a pass is a ply, a finished game one leaf.
    """

def planes(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], names: Sequence[str], threads: int = 0) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
    """
    Network input: float32 of shape (boards, planes, 8, 8), rows first. Planes are named
    own, other, empty, legal, ones, border.
    """

def planes_uint8(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], names: Sequence[str], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """As planes, in uint8."""

@overload
def random_playouts(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, games: int = 1, threads: int = 0) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """
    Random games from each board to the end: final scores from that board's mover's view,
    int8 of shape (boards, games). The same seed gives the same games with any number of
    threads.
    """

@overload
def random_playouts(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], games: int = 1, threads: int = 0) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """As above, the games of each board depending on its own key alone."""

@overload
def random_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """
    One uniformly random legal move for each board, PASS where there is none.
    """

@overload
def random_moves(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """As above, the move of each board depending on its own key alone."""

NO_MOVE: int = 255

def replay_games(moves: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.int64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint64], dict(order='C')], Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')]]:
    """
    Replays games from the start position. moves: uint8 of shape (games, width), squares
    0..63 padded with NO_MOVE; passes are implied.

    Returns (own, other, move, white_to_move: one place for each move, the position
    before it), (offsets: games+1, where each game's places begin), (black, white: the
    last position reached), (moves: how many were legal), (legal: all were), (over).
    """
