"""Where games begin: at the start, after random plies, or at the positions of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank import _core, records
from outflank.chance import key_of, keys_at_ply, keys_of
from outflank.errors import OutflankError
from outflank.othello import Color, Game, Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.othello.lockstep import Lockstep

# Random openings are drawn in rounds of this many. After this many rounds in a row without a new
# one, we assume that there are no more.
_ROUND = 4096
_FRUITLESS_ROUNDS = 25
_LONGEST_NUMBER = 10  # digits
_LONGEST = 120  # plies of the longest conceivable game, with a pass before every disc


class OpeningsError(OutflankError):
    """Openings that cannot be used; the message names the file and the game."""


class ToMove(str, Enum):
    """The side to move after an opening: one side in all of them, or as the source says."""

    BLACK = "black"
    WHITE = "white"
    FILE = "file"


def find_openings(
    source: str,
    count: int | None = None,
    *,
    seed: int = 0,
    to_move: ToMove = ToMove.FILE,
    plies: int | None = None,
) -> list[Game]:
    """Return openings: games whose last position is where play begins, none of them over.

    Args:
        source: "start", "random:PLIES", or a file of games or positions in any record format.
        count: Return at most this many; all of a file if None.
        seed: Of random openings.
        to_move: Sets the side to move. Where that changes the position, the opening is that
            position alone, without the moves that led to it.
        plies: Cut the games of a file after this many plies, and keep only one of those that are
            then equal up to symmetry.
    """
    if plies is not None and not is_file_of_openings(source):
        raise OpeningsError(
            f"{source}: only games of a file can be cut; for random openings write random:{plies}"
        )
    if source == "start":
        found: Iterable[Game] = [Game()]
    elif source.startswith("random:"):
        if count is None:
            raise OpeningsError(f"{source}: say how many openings are wanted")
        found = random_openings(_parse_plies(source), count, seed)
    else:
        found = _of_file(source, plies)
    openings = [_with_mover(game, to_move) for game in islice(found, count)]
    if not openings:
        raise OpeningsError(f"{source}: there are no openings in it")
    return openings


def is_file_of_openings(source: str) -> bool:
    """Return whether openings come from a file, which has a fixed number of them."""
    return source != "start" and not source.startswith("random:")


def random_openings(plies: int, count: int, seed: int = 0) -> list[Game]:
    """Draw openings of uniformly random moves from the start, no two the same up to symmetry.

    The first openings are the same whatever the count. There may be fewer than `count`: one to
    five plies give 1, 3, 14, 60 and 322.
    """
    if plies > _LONGEST:
        raise OpeningsError(f"random:{plies}: no game is that long; plies are 0 to {_LONGEST}")
    key = key_of("openings", seed, plies)
    seen: set[tuple[int, int]] = set()
    openings: list[Game] = []
    first = fruitless = 0
    while len(openings) < count and fruitless < _FRUITLESS_ROUNDS:
        boards, moves = _draw(plies, keys_of(key, np.arange(first, first + _ROUND)))
        first += _ROUND
        new = list(_new_ones(boards, seen))
        fruitless = 0 if new else fruitless + 1
        openings += [Game(moves=tuple(map(Move, moves[index].tolist()))) for index in new]
    if not openings:
        raise OpeningsError(f"random:{plies}: every game found was over before that")
    return openings[:count]


def _draw(plies: int, keys: NDArray[np.uint64]) -> tuple[Boards, MoveArray]:
    """Play random moves from the start; games that end are left out.

    Returns the positions after `plies` plies and the moves, uint8[n, plies].
    """
    games = Lockstep(Boards.start(len(keys)))
    for ply in range(plies):
        own, other = games.boards.own, games.boards.other
        games.play(_core.random_moves(own, other, keys_at_ply(keys[games.running], ply)))
    return games.boards, games.moves()[games.running]


def _new_ones(boards: Boards, seen: set[tuple[int, int]]) -> Iterator[int]:
    """Yield the indices of boards that are new up to symmetry, and add them to `seen`."""
    canonical, _ = boards.canonical()
    for index, board in enumerate(
        zip(canonical.own.tolist(), canonical.other.tolist(), strict=True)
    ):
        if board not in seen:
            seen.add(board)
            yield index


def _parse_plies(source: str) -> int:
    text = source.removeprefix("random:")
    if not (text.isascii() and text.isdecimal() and len(text) < _LONGEST_NUMBER):
        raise OpeningsError(f"{source[:40]}: not a number of plies: {text[:40]!r}; write random:6")
    return int(text)


def _of_file(source: str, plies: int | None) -> Iterator[Game]:
    """Yield the openings of a file, whose games must not be over."""
    if not Path(source).exists():
        raise OpeningsError(
            f"no such openings: {source!r}; openings are start, random:PLIES or a file"
        )
    seen: set[tuple[int, int]] = set()
    for number, game in enumerate(records.read(source), start=1):
        if plies is not None:
            game = _cut(game, plies, f"{source}: game {number}")
        position = game.position
        if position.is_over:
            raise OpeningsError(
                f"{source}: game {number}: the game is over, so nothing is left to play",
                remedy="plies",
            )
        if plies is None or list(_new_ones(Boards.from_positions([position]), seen)):
            yield Game(game.start, game.moves)


def _cut(game: Game, plies: int, place: str) -> Game:
    if len(game) < plies:
        raise OpeningsError(f"{place}: the game has {len(game)} plies and cannot be cut to {plies}")
    return game.undo(len(game) - plies)


def _with_mover(game: Game, to_move: ToMove) -> Game:
    position = game.position
    if to_move is ToMove.FILE or position.turn == to_move.value:
        return game
    return Game(Position(position.black, position.white, Color(to_move.value)))
