"""Fingerprints: short texts that change whenever retraining changes the weights.

The results store keeps the games of players apart by them, so what they are made of must stay.
"""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello.boards import Boards
from outflank.othello.lockstep import Lockstep

_DIGITS = 16
_OPENINGS, _OPENING_PLIES = 64, 12
_GAMES, _PLIES = 8, 60


def fingerprint(*parts: bytes | str | NDArray[np.generic]) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of all parts (weights, options, answers)."""
    content = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            content.update(part.encode())
        else:
            content.update(part if isinstance(part, bytes) else part.tobytes())
    return content.hexdigest()[:_DIGITS]


@cache
def opening_boards() -> Boards:
    """64 boards of the opening: what a network says about them stands for its weights."""
    boards = Boards.start(_OPENINGS).transform(np.arange(_OPENINGS) % 8)
    for ply in range(_OPENING_PLIES):
        boards = boards.play(_core.random_moves(boards.own, boards.other, ply))
    return boards


@cache
def boards_of_all_stages() -> tuple[Boards, ...]:
    """Boards of a few games after each ply: for evaluations whose weights differ by stage."""
    games, stages = Lockstep(Boards.start(_GAMES)), []
    for ply in range(_PLIES):
        games.play(_core.random_moves(games.boards.own, games.boards.other, ply, threads=1))
        stages.append(games.boards)
    return tuple(stages)
