"""The package reversi of PyPI: a game for the desktop, in plain Python.

Its modules import each other by bare names, expect gettext's _ and open tkinter; the two lines
of preparation below let the board be imported alone. The starting position is the mirrored one,
which changes no count.
"""

from __future__ import annotations

import builtins
import random
import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from benchmarks.peers.protocol import Peer, Positions, check, check_perft, serve, squares

PERFT_DEPTH = 5
GAMES = 8


def import_board() -> tuple[Any, Any, Any]:
    """The modules board, reversiToken and gameControl, without the windows around them."""
    builtins._ = str  # type: ignore[attr-defined]
    sys.modules["ui"] = ModuleType("ui")
    spec = find_spec("Reversi")
    if spec is None or spec.submodule_search_locations is None:
        raise SystemExit("the package Reversi has no folder")
    sys.path[:0] = spec.submodule_search_locations
    return import_module("board"), import_module("reversiToken"), import_module("gameControl")


BOARD, TOKEN, CONTROL = import_board()
COLOURS = (TOKEN.BLACK_TK, TOKEN.WHITE_TK)


def legal_moves(board: Any, colour: int) -> list[Any]:
    """The locations where this colour may play; the package raises when there are none."""
    try:
        return list(board.findAllValidMoves(COLOURS[colour]))
    except CONTROL.GameControl:
        return []


def play(board: Any, colour: int, move: Any) -> None:
    token = COLOURS[colour]
    board.makeMove(token, (move, board.isValidMove(token, move)))


def perft(board: Any, colour: int, depth: int) -> int:
    moves = legal_moves(board, colour)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        child = board.clone()
        play(child, colour, move)
        total += perft(child, 1 - colour, depth - 1)
    return total


def playout() -> int:
    # The package's grid shares one token among the empty squares of a column; cloning parts them.
    board, colour, passes = BOARD.Board().clone(), 0, 0
    while passes < 2:
        moves = legal_moves(board, colour)
        passes = 0 if moves else passes + 1
        if moves:
            play(board, colour, random.choice(moves))
        colour = 1 - colour
    return 1


def board_of(own: int, other: int) -> Any:
    """A board with the mover's discs black; a1 is at [0][0], the file first."""
    board = BOARD.Board()
    for square in range(64):
        token = TOKEN.UNPLAYED_TK
        if own >> square & 1:
            token = TOKEN.BLACK_TK
        elif other >> square & 1:
            token = TOKEN.WHITE_TK
        board.grid[square % 8][square // 8] = token.clone()
    return board


def prepare(positions: Positions, seconds: float) -> Peer:
    check_perft(lambda depth: perft(BOARD.Board().clone(), 0, depth), PERFT_DEPTH)
    sample = positions.first(GAMES)
    boards = [
        board_of(*pair) for pair in zip(sample.own.tolist(), sample.other.tolist(), strict=True)
    ]
    for board, legal in zip(boards, sample.legal.tolist(), strict=True):
        found = sorted(int(move[1]) * 8 + int(move[0]) for move in legal_moves(board, 0))
        check("legal moves", found, squares(legal))

    def all_legal_moves() -> int:
        for board in boards:
            legal_moves(board, 0)
        return len(boards)

    return Peer(
        packages=("reversi",),
        paths={
            "perft": f"Board.findAllValidMoves, clone and makeMove, depth {PERFT_DEPTH}",
            "playouts": "Board.findAllValidMoves and makeMove",
            "legal_moves": f"Board.findAllValidMoves, {len(boards)} boards",
        },
        work={
            "perft": lambda: perft(BOARD.Board().clone(), 0, PERFT_DEPTH),
            "playouts": playout,
            "legal_moves": all_legal_moves,
        },
    )


if __name__ == "__main__":
    serve(prepare)
