"""Games of players who follow a simple rule, so that a small network can learn to predict them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank import Game, records
from outflank.othello import PASS, Move
from outflank.othello.boards import Boards

_RANDOM_PLIES = 6


def weighted_games(count: int, seed: int = 1) -> list[Game]:
    """Games in which, after a random opening, each side takes the legal square of most weight."""
    random = np.random.default_rng(seed)
    weights = np.random.default_rng(0).permutation(64) + 1.0  # the same rule for all seeds
    boards = Boards.start(count)
    moves: list[list[Move]] = [[] for _ in range(count)]
    for ply in range(80):
        legal = boards.legal_mask()
        if not legal.any():
            break
        values = random.random((count, 64)) if ply < _RANDOM_PLIES else weights[None, :]
        square = np.where(legal[:, :64], values, 0).argmax(axis=1)
        chosen = np.where(legal[:, :64].any(axis=1), square, PASS).astype(np.uint8)
        going: NDArray[np.bool_] = np.asarray(legal.any(axis=1))
        for game in np.flatnonzero(going):
            moves[game].append(Move(int(chosen[game])))
        played = boards[going].play(chosen[going])
        for array, new in (
            (boards.own, played.own),
            (boards.other, played.other),
            (boards.white_to_move, played.white_to_move),
        ):
            array[going] = new
    return [Game.from_moves(game) for game in moves]


def write_weighted_games(folder: Path, count: int = 240) -> Path:
    """Write such games as the WThor files of three years."""
    folder.mkdir(parents=True, exist_ok=True)
    games = weighted_games(count)
    for number, year in enumerate((2001, 2002, 2003)):
        dated = [dataclasses.replace(game, date=str(year)) for game in games[number::3]]
        records.write(folder / f"WTH_{year}.wtb", dated)
    return folder
