"""Turning boards so that all games begin alike, with c4.

Four of the eight symmetries leave the start position as it is, one for each of black's four first
moves. Each of them is its own inverse: turning a board or a move twice gives it back.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello.game import Game
from outflank.othello.moves import Move
from outflank.othello.position import Position

FIRST_MOVE = Move("c4")  # black's, once a board has been turned


def orientation_of(first_moves: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the symmetries that turn boards so that black's first move was c4: uint8[n].

    They leave the start position as it is, so there is one for each of the four first moves. Boards
    of games that began elsewhere stay as they are.
    """
    return _orientations()[first_moves]


def orientation_of_game(game: Game) -> int:
    """Return the symmetry that turns a game's boards so that black's first move was c4.

    It is 0, which leaves boards as they are, for games without moves and for those that begin in a
    position that was set up.
    """
    if not game.moves or game.start != Position.start():
        return 0
    return int(_orientations()[game.moves[0]])


@lru_cache(maxsize=1)
def _orientations() -> NDArray[np.uint8]:
    """Return the symmetry for each first move: uint8[64]."""
    of_move = np.zeros(64, np.uint8)
    squares = np.arange(64, dtype=np.uint8)
    for symmetry in range(8):
        if Position.start().transform(symmetry) == Position.start():
            images = _core.transform_move(squares, np.full(64, symmetry, np.uint8))
            of_move[np.flatnonzero(images == FIRST_MOVE)] = symmetry
    return of_move
