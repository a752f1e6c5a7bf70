"""Turning games so that black's first move is always c4, of the four that are alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello.game import Game
from outflank.othello.moves import SQUARES, Move
from outflank.othello.position import Position

FIRST_MOVE = Move("c4")  # that every first move is turned to


def orientation_of(first_moves: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the symmetries that turn boards so that black's first move was c4: uint8[n].

    They leave the start position as it is, so there is one for each of the four first moves, and
    each undoes itself. Other first moves, of games that began elsewhere, get the identity.
    """
    squares = np.array(SQUARES, np.uint8)
    of_move = np.zeros(len(squares) + 1, np.uint8)  # and the pass
    start = Position.start().bits
    for symmetry in range(8):
        if tuple(_core.transform(side, symmetry) for side in start) == start:
            images = _core.transform_move(squares, np.full_like(squares, symmetry))
            of_move[np.flatnonzero(images == FIRST_MOVE)] = symmetry
    return of_move[first_moves]


def orientation_of_game(game: Game) -> int:
    """Return the symmetry that turns a game so; 0 before its first move, or if it was set up."""
    if not game.moves or game.start != Position.start():
        return 0
    return int(orientation_of(np.array([game.moves[0]], np.uint8))[0])
