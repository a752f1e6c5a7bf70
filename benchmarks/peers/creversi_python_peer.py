"""creversi-python: arrays of boards in NumPy, with Numba for the legal moves.

The fast path is ReversiVecEnvFast: many games at once, in two uint64 arrays. It gives the legal
moves and plays the moves; choosing among the legal moves is left to the caller. One thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from benchmarks.peers.protocol import PASS, Boards, Peer, Positions, check, check_perft, rate, serve
from creversi.gym_reversi.envs import ReversiVecEnvFast

PERFT_DEPTH = 9  # the shortest games have 9 moves; the environment starts finished games anew
BATCHES = (2048, 4096, 8192, 16384)


def nth_square(bits: Boards, n: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The square of the n-th set bit, counted from 0, of each bitboard."""
    square = np.zeros(len(bits), dtype=np.int64)
    for width in (32, 16, 8, 4, 2, 1):
        low = bits & np.uint64((1 << width) - 1)
        count = np.bitwise_count(low)
        above = n >= count
        n = np.where(above, n - count, n)
        bits = np.where(above, bits >> np.uint64(width), low)
        square += above * width
    return square


def environment(own: Boards, other: Boards) -> Any:
    env = ReversiVecEnvFast(len(own))
    env.player, env.opponent = own, other
    return env


def children(own: Boards, other: Boards) -> tuple[Boards, Boards]:
    """The boards after each legal move, or after the pass, of all these boards."""
    legal = environment(own, other).legal_moves_mask()
    bytes_of = legal.view(np.uint8).reshape(-1, 8)
    parent, move = np.nonzero(np.unpackbits(bytes_of, axis=1, bitorder="little"))
    passing = np.flatnonzero(legal == 0)
    parent = np.concatenate([parent, passing])
    move = np.concatenate([move, np.full(len(passing), PASS)])
    env = environment(own[parent], other[parent])
    env.step(move)
    return env.player, env.opponent


def perft(depth: int) -> int:
    """Breadth first: one batch for each ply."""
    env = ReversiVecEnvFast(1)
    own, other = env.player, env.opponent
    for _ in range(depth - 1):
        own, other = children(own, other)
    legal = environment(own, other).legal_moves_mask()
    return int(np.maximum(np.bitwise_count(legal), 1).sum(dtype=np.int64))


def playouts(rng: np.random.Generator, games: int) -> int:
    """Games side by side until the last is over; one that is over starts anew, uncounted."""
    env = ReversiVecEnvFast(games)
    over = np.zeros(games, dtype=bool)
    while not over.all():
        legal = env.legal_moves_mask()
        count = np.bitwise_count(legal)
        n = (rng.random(games, dtype=np.float32) * count).astype(np.uint8)
        _, done = env.step(np.where(count == 0, PASS, nth_square(legal, n)))
        over |= done
    return games


def best_batch(rng: np.random.Generator, seconds: float) -> int:
    """The number of games at once that plays the most of them."""
    return max(BATCHES, key=lambda games: rate(lambda: playouts(rng, games), seconds))


def prepare(positions: Positions, seconds: float) -> Peer:
    check_perft(perft, PERFT_DEPTH)
    boards = environment(positions.own, positions.other)
    check("legal moves", np.array_equal(boards.legal_moves_mask(), positions.legal), True)
    rng = np.random.default_rng(1)
    games = best_batch(rng, seconds / 2)

    def all_legal_moves() -> int:
        boards.legal_moves_mask()
        return len(positions.own)

    return Peer(
        packages=("creversi-python", "numba", "numpy"),
        paths={
            "perft": f"ReversiVecEnvFast.legal_moves_mask and step by ply, depth {PERFT_DEPTH}",
            "playouts": f"ReversiVecEnvFast.legal_moves_mask and step, {games} games at once",
            "legal_moves": f"ReversiVecEnvFast.legal_moves_mask, {len(positions.own)} boards",
        },
        work={
            "perft": lambda: perft(PERFT_DEPTH),
            "playouts": lambda: playouts(rng, games),
            "legal_moves": all_legal_moves,
        },
    )


if __name__ == "__main__":
    serve(prepare)
