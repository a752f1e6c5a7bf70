"""Names of openings, as Othello players use them.

The names and their moves are those of the list that Robert Gatliff collected and many programs
carry. A game has the name of the last position on its way that has one, seen from any side of
the board: transpositions and mirror images are the same opening.
"""

from __future__ import annotations

from functools import lru_cache

from outflank.othello.game import Game
from outflank.othello.position import Position

# Each line: the moves, black's first one being f5, and the name.
_LIST = """
f5d6 Perpendicular
f5d6c3d3c4 Tiger
f5d6c3d3c4b3 Aubrey
f5d6c3d3c4f4c5b3c2 Rose-Bill
f5d6c3d3c4f4c5b3c2e3 Nicolet
f5d6c3d3c4f4c5b3c2b4 Central Rose-Bill
f5d6c3d3c4f4c5b3c2e6 Tamenori
f5d6c3d3c4f4c5b4 Grand Central
f5d6c3d3c4f4c5b4b5c6f3e6e3 Ishii
f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3 Mainline Tiger
f5d6c3d3c4f4c6 Spencer
f5d6c3d3c4f4e3 Brightwell
f5d6c3d3c4f4e6 Leader's Tiger
f5d6c3d3c4f4f6 Stephenson
f5d6c3d3c4f4f6b4 Kung
f5d6c3d3c4f4f6f3 Comp'Oth
f5d6c3d3c4f4f6f3e3 Lightning Bolt
f5d6c3d3c4f4f6f3e6e7 Scorpion
f5d6c3d3c4f4f6g5 No-Kung
f5d6c3g5 Ganglion
f5d6c4d3c5 Cat
f5d6c4d3c5f4e3f3c2b4b3 Berner
f5d6c4d3c5f4e3f3c2c6 Sakaguchi
f5d6c4d3e6 Italian
f5d6c4g5 No-Cat
f5d6c4g5c6 Swallow
f5d6c5 Fishhook
f5d6c5f4d3 Horse
f5d6c5f4e3c6d3f3 Ralle
f5d6c5f4e3c6d3f6e6d7 Rose
f5d6c5f4e3c6d3f6e6d7e7 Greenberg
f5d6c5f4e3c6d3f6e6d7g3c4 Rose-Birth
f5d6c5f4e3c6d3f6e6d7g3c4b4 Rose-Birdie
f5d6c5f4e3c6d3f6e6d7g3c4g5c3b4e2 Brightstein
f5d6c5f4e3c6d3f6e6d7g4 Flat
f5d6c5f4e3c6d3f6e6d7g4c4 Rotating Flat
f5d6c5f4e3c6d3f6e6d7g4c4g6 Murakami
f5d6c5f4e3c6d3g5 Eight-Shot
f5d6c5f4e3c6d7 Bhagat
f5d6c5f4e3c6e6 Inoue
f5d6c5f4e3c6e6f6 Iago
f5d6c5f4e3c6f3 Shaman
f5d6c5f4e3d3 Mimura
f5f4 Parallel
f5f6 Diagonal
f5f6c4f4 Semi-Wing
f5f6d3f4 Wing
f5f6e6d6c3 Buffalo
f5f6e6d6c3d3 Hokuriku Buffalo
f5f6e6d6c3f4c6d3e3d2 Tanida Buffalo
f5f6e6d6c3g4c6 Maruoka Buffalo
f5f6e6d6c5 Cow
f5f6e6d6c5e3d3 Rose-v-Toth
f5f6e6d6c5e3d3c4c3 Landau
f5f6e6d6c5e3d3c4c6b5 Maruoka
f5f6e6d6c5e3d3g5 Tanida
f5f6e6d6c5e3d3g5d7 Aircraft
f5f6e6d6c5e3d3g5e2b5 Sailboat
f5f6e6d6c5e3e7 Bat
f5f6e6d6c5e3e7c7d7c6d3 Melnikov
f5f6e6d6c5f4 Chimney
f5f6e6d6c7c6d7 Hamilton
f5f6e6d6c7f4 Lollipop
f5f6e6d6d7 Raccoon Dog
f5f6e6d6e7 Heath
f5f6e6d6e7f4 Heath-Chimney
f5f6e6d6e7g5c5 Heath-Bat
f5f6e6d6e7g5g4 Iwasaki
f5f6e6d6f7 Snake
f5f6e6d6f7e3d7e7c6c5d3 Pyramid
f5f6e6d6g7 X-square
"""


@lru_cache(maxsize=1)
def named_openings() -> dict[str, str]:
    """Return the names of all openings, by the moves that lead there."""
    pairs = (line.split(maxsplit=1) for line in _LIST.strip().splitlines())
    return {moves: name.strip() for moves, name in pairs}


@lru_cache(maxsize=1)
def _names() -> tuple[dict[Position, str], int]:
    """Names by the least image of the position, and after how many moves the longest ends."""
    found: dict[Position, str] = {}
    for moves, name in named_openings().items():
        found[Game.from_transcript(moves).position.canonical()[0]] = name
    return found, max(map(len, named_openings())) // 2


def opening_name(game: Game) -> str | None:
    """Return the name of a game's opening, if it has one."""
    if game.start != Position.start():
        return None
    names, longest = _names()
    last = None
    for ply, position in enumerate(game.positions()):
        if ply > longest:
            break
        last = names.get(position.canonical()[0], last)
    return last
