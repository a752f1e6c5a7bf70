"""A few made-up games as WThor files, for tests of training sets."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import reference
from outflank import Game, records
from outflank.othello import PASS, SQUARES
from strategies import random_game


def mirrored(game: Game) -> Game:
    """The same game on the other side of the diagonal, which leaves the start as it is."""
    moves = [m if m == PASS else SQUARES[reference.image_of_square(m, 4)] for m in game.moves]
    return Game.from_moves(moves)


_LONG = random_game(3)
# Their last moves are on the diagonal that the board is symmetric by: they have four images.
_ON_DIAGONALS = [Game.from_transcript(t) for t in ("f5d6c5f4e3c3e6f6", "f5f6e6f4d3c3e3f3c4c6")]

# Some begin alike; one is there twice, and once mirrored; most break off.
GAMES: dict[int, Sequence[Game]] = {
    1990: [_LONG, random_game(4), random_game(5, plies=9), *(random_game(s, 5) for s in range(9))],
    1991: [mirrored(_LONG), random_game(6), *(random_game(s, 6) for s in range(30, 50))],
    1992: [_LONG, *_ON_DIAGONALS, *(random_game(s, plies=12) for s in range(20, 40))],
}


def write_games(folder: Path, years: dict[int, Sequence[Game]] | None = None) -> Path:
    """Write games as the files of their years."""
    folder.mkdir(parents=True, exist_ok=True)
    for year, games in (GAMES if years is None else years).items():
        dated = [dataclasses.replace(game, date=str(year)) for game in games]
        records.write(folder / f"WTH_{year}.wtb", dated)
    return folder
