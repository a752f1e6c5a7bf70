"""Boards as the environments show them: in text, or as a picture of 256 x 256 pixels."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from outflank.othello import Move, Position
from outflank.othello.boards import Boards

MODES = ("human", "ansi", "rgb_array")
FRAMES_PER_SECOND = 4

Picture = NDArray[np.uint8]

_CELL = 32  # pixels along a square
_SIDE = 8 * _CELL
_GREEN, _GRID, _MARK = (0x1D, 0x7A, 0x4F), (0x0D, 0x3B, 0x26), (0xE5, 0x39, 0x35)
_BLACK, _BLACK_RIM = (0x11, 0x11, 0x11), (0x00, 0x00, 0x00)
_WHITE, _WHITE_RIM = (0xFA, 0xFA, 0xFA), (0x9E, 0x9E, 0x9E)


def render(position: Position, mode: str | None, last: Move | None = None) -> str | Picture | None:
    """Show a position in one of the MODES; `human` prints it. `last` is marked in the picture."""
    if mode == "rgb_array":
        return draw(position, last)
    if mode == "ansi":
        return position.text(unicode=True)
    if mode == "human":
        print(position.text(unicode=True))
    return None


def draw(position: Position, last: Move | None = None) -> Picture:
    """Draw the board: uint8[256, 256, 3], a1 top left, the last move marked with a dot."""
    picture = _empty_board().copy()
    black, white = Boards.from_positions(
        [Position(position.black, position.white)]  # black's view, so that own is black
    ).planes(["own", "other"])[0]
    for squares, fill, rim in ((black, _BLACK, _BLACK_RIM), (white, _WHITE, _WHITE_RIM)):
        _paint(picture, np.kron(squares, _disc(13.0)), rim)
        _paint(picture, np.kron(squares, _disc(12.0)), fill)
    if last is not None and not last.is_pass:
        square = np.zeros((8, 8))
        square[last.row, last.column] = 1.0
        _paint(picture, np.kron(square, _disc(3.0)), _MARK)
    return picture.round().astype(np.uint8)


@lru_cache(maxsize=1)
def _empty_board() -> NDArray[np.float64]:
    picture = np.full((_SIDE, _SIDE, 3), _GREEN, np.float64)
    lines = [*range(0, _SIDE, _CELL), _SIDE - 1]
    picture[lines] = picture[:, lines] = _GRID
    rows, columns = np.indices((_SIDE, _SIDE)) + 0.5
    for row in (2 * _CELL, 6 * _CELL):
        for column in (2 * _CELL, 6 * _CELL):
            _paint(picture, _coverage(np.hypot(rows - row, columns - column), 3.5), _GRID)
    return picture


@lru_cache(maxsize=4)
def _disc(radius: float) -> NDArray[np.float64]:
    """Return how much of each pixel of a square a disc in its middle covers, 0..1."""
    rows, columns = np.indices((_CELL, _CELL)) + 0.5
    return _coverage(np.hypot(rows - _CELL / 2, columns - _CELL / 2), radius)


def _coverage(distance: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    return np.clip(radius - distance + 0.5, 0.0, 1.0)


def _paint(
    picture: NDArray[np.float64], coverage: NDArray[np.floating], color: tuple[int, int, int]
) -> None:
    picture += coverage[:, :, None] * (np.array(color, np.float64) - picture)
