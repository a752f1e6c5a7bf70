"""creversi: boards of C++ behind Cython; one call of Python for each board.

It has no playouts and no batches of its own, so the loops are Python's. Where no move is legal
its list of moves is the pass; after the end of a game there is only passing, which perft counts
as one leaf.
"""

from __future__ import annotations

import random
from typing import Any

import creversi
import numpy as np
from benchmarks.peers.protocol import PASS, Peer, Positions, check, check_perft, serve, squares

PERFT_DEPTH = 8
GAMES = 400


def perft(board: Any, depth: int) -> int:
    if depth == 1:
        return int(board.puttable_num()) or 1
    total = 0
    for move in board.legal_moves:
        child = board.copy()
        child.move(move)
        total += perft(child, depth - 1)
    return total


def playout() -> int:
    board = creversi.Board()
    while not board.is_game_over():
        board.move(random.choice(list(board.legal_moves)))
    return 1


def boards_of(positions: Positions) -> list[Any]:
    """One Board for each position, made before the stopwatch starts."""
    pairs = np.stack([positions.own, positions.other], axis=1).view(np.uint8)
    boards = [creversi.Board() for _ in pairs]
    for board, pair in zip(boards, pairs, strict=True):
        board.set_bitboard(pair, True)
    return boards


def prepare(positions: Positions, seconds: float) -> Peer:
    check_perft(lambda depth: perft(creversi.Board(), depth), min(6, PERFT_DEPTH))
    sample = positions.first(GAMES)
    boards = boards_of(sample)
    for board, legal in zip(boards, sample.legal.tolist(), strict=True):
        check("legal moves", sorted(board.legal_moves), squares(legal) or [PASS])

    def all_legal_moves() -> int:
        for board in boards:
            _ = board.legal_moves
        return len(boards)

    return Peer(
        packages=("creversi",),
        paths={
            "perft": f"Board.legal_moves, copy and move, depth {PERFT_DEPTH}",
            "playouts": "Board.legal_moves and move",
            "legal_moves": f"Board.legal_moves, {len(boards)} boards",
        },
        work={
            "perft": lambda: perft(creversi.Board(), PERFT_DEPTH),
            "playouts": playout,
            "legal_moves": all_legal_moves,
        },
    )


if __name__ == "__main__":
    serve(prepare)
