"""rust-reversi: boards of Rust; playouts by its own tree search, which never leaves Rust.

MctsSearch.get_move runs exactly the asked number of playouts. With a threshold of expansion that
is never reached its tree is the root and its children, so nearly all of the time is playouts,
each from the position after one move. One thread.
"""

from __future__ import annotations

from typing import Any

import rust_reversi  # type: ignore[import-not-found]
from benchmarks.peers.protocol import PERFT, Peer, Positions, check, check_perft, serve

PERFT_DEPTH = 10
CHECKED_DEPTH = 9
PLAYOUTS = 20_000
NEVER = 1 << 60


def perft(board: Any, depth: int) -> int:
    if depth == 1:
        return int(board.get_legal_moves()).bit_count() or 1
    if board.is_pass():
        if board.is_game_over():
            return 1
        board.do_pass()
        return perft(board, depth - 1)
    return sum([perft(child, depth - 1) for child in board.get_child_boards()])


def full_perft() -> int:
    nodes = perft(rust_reversi.Board(), PERFT_DEPTH)
    check(f"perft {PERFT_DEPTH}", nodes, PERFT[PERFT_DEPTH])
    return nodes


def boards_of(positions: Positions) -> list[Any]:
    """One Board for each position, made before the stopwatch starts."""
    boards = [rust_reversi.Board() for _ in positions.own]
    pairs = zip(positions.own.tolist(), positions.other.tolist(), strict=True)
    for board, (own, other) in zip(boards, pairs, strict=True):
        board.set_board(own, other, rust_reversi.Turn.BLACK)
    return boards


def prepare(positions: Positions, seconds: float) -> Peer:
    check_perft(lambda depth: perft(rust_reversi.Board(), depth), CHECKED_DEPTH)
    boards = boards_of(positions)
    legal_moves = rust_reversi.Board.get_legal_moves
    check("legal moves", list(map(legal_moves, boards)), positions.legal.tolist())
    search = rust_reversi.MctsSearch(PLAYOUTS, 1.0, NEVER)

    def playouts() -> int:
        search.get_move(rust_reversi.Board())
        return PLAYOUTS

    return Peer(
        packages=("rust-reversi",),
        paths={
            "perft": f"Board.get_child_boards and get_legal_moves, depth {PERFT_DEPTH}",
            "playouts": f"MctsSearch.get_move, {PLAYOUTS} playouts a call",
            "legal_moves": f"Board.get_legal_moves, {len(boards)} boards",
        },
        work={
            "perft": full_perft,
            "playouts": playouts,
            "legal_moves": lambda: len(list(map(legal_moves, boards))),
        },
    )


if __name__ == "__main__":
    serve(prepare)
