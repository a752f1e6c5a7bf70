"""The positions whose legal moves are found by all: those of random games, always the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from benchmarks.peers.protocol import START_OTHER, START_OWN, Positions

from outflank import _core

GAMES = 4096
SEED = 20240229
LONGEST = 128  # plies, passes included; no game is as long


def play_random_games(games: int = GAMES) -> Positions:
    """Plays the games side by side, then puts their positions in order, game after game."""
    own = np.full(games, START_OWN, dtype=np.uint64)
    other = np.full(games, START_OTHER, dtype=np.uint64)
    game = np.arange(games)
    plies = []
    for ply in range(LONGEST):
        going = ~_core.is_over(own, other)
        own, other, game = own[going], other[going], game[going]
        if not len(game):
            break
        moves = _core.random_moves(own, other, SEED + ply)
        plies.append((game, own, other, moves))
        own, other = _core.play(own, other, moves)
    return in_game_order(plies)


def in_game_order(plies: Sequence[tuple[npt.NDArray[Any], ...]]) -> Positions:
    """Positions ply by ply, each with its game, to positions game by game."""
    game, own, other, moves = (np.concatenate(parts) for parts in zip(*plies, strict=True))
    order = np.argsort(game, kind="stable")
    own, other, moves = own[order], other[order], moves[order]
    offsets = np.concatenate([[0], np.cumsum(np.bincount(game))])
    return Positions(own, other, _core.legal_moves(own, other), moves, offsets)


def save(positions: Positions, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **positions._asdict())
