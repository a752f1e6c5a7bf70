"""What an agent sees and may do: planes, masks, and the spaces that hold them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from outflank.othello import Color, Position
from outflank.othello.boards import Boards

ACTIONS = 65  # the squares a1..h8, row by row, and the pass

Planes = NDArray[np.float32]


def action_space() -> spaces.Discrete:
    """Return the moves as actions: 0..63 are the squares, 64 is the pass."""
    return spaces.Discrete(ACTIONS)


def observation_space() -> spaces.Box[np.float32]:
    """Return the space of the planes own, other, legal: float32[3, 8, 8] of zeros and ones."""
    return spaces.Box(0.0, 1.0, (3, 8, 8), np.float32)


def observe(position: Position, color: Color) -> Planes:
    """Return the planes own, other, legal as one side sees them, whoever is to move.

    `legal` holds the squares where that side could play if it were to move.
    """
    planes: Planes = Boards.from_positions([replace(position, turn=color)]).planes()[0]
    return planes


def legal_actions(position: Position) -> NDArray[np.bool_]:
    """Return the mover's legal actions, bool[65]; none if the game is over."""
    mask = np.zeros(ACTIONS, np.bool_)
    mask[list(position.legal_moves)] = True
    return mask
