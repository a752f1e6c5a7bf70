"""Boards as one line of text, as engines and files write them."""

from __future__ import annotations

from outflank.errors import NotationError
from outflank.othello.colors import Color

_BLACK = frozenset("Xx*Bb●")
_WHITE = frozenset("OoWw○")
_EMPTY = frozenset("-._·")

# Styles in which a board can be written: discs of black and white, empty square, what stands
# before the letter of the side to move, and the letters themselves.
STYLES: dict[str, tuple[str, str, str, str, str, str]] = {
    "edax": ("X", "O", "-", " ", "X", "O"),
    "openings": ("b", "w", ".", "", "b", "w"),
    "ggf": ("*", "O", "-", " ", "*", "O"),
}


def parse_board(text: str) -> tuple[int, int, Color | None]:
    """Read 64 squares row by row and, if it is there, the side to move.

    Accepts X x * B b for black, O o W w for white, - . _ for empty; white space between
    squares is ignored and a semicolon may end the line. Returns (black, white, turn), with
    bitboards, and None for a side to move that is not given.
    """
    symbols = "".join(text.split()).removesuffix(";")
    if len(symbols) not in (64, 65):
        raise NotationError(
            f"a board has 64 squares and may name the side to move: got {len(symbols)} symbols"
        )
    black = white = 0
    for square, symbol in enumerate(symbols[:64]):
        if symbol in _BLACK:
            black |= 1 << square
        elif symbol in _WHITE:
            white |= 1 << square
        elif symbol not in _EMPTY:
            raise NotationError(f"not a disc or an empty square: {symbol!r} (symbol {square + 1})")
    return black, white, _parse_turn(symbols[64:])


def _parse_turn(symbol: str) -> Color | None:
    if not symbol:
        return None
    if symbol in _BLACK:
        return Color.BLACK
    if symbol in _WHITE:
        return Color.WHITE
    raise NotationError(f"not a side to move: {symbol!r}; accepted are X, *, b and O, w")


def board_symbols(black: int, white: int, style: str) -> str:
    """Write the 64 squares in one of the STYLES."""
    black_symbol, white_symbol, empty = STYLES[style][:3]
    return "".join(
        black_symbol if black >> i & 1 else white_symbol if white >> i & 1 else empty
        for i in range(64)
    )


def format_board(black: int, white: int, turn: Color, style: str) -> str:
    """Write the 64 squares and the side to move in one of the STYLES."""
    if style not in STYLES:
        raise NotationError(f"no such style: {style!r}; styles are {', '.join(STYLES)}")
    separator, black_to_move, white_to_move = STYLES[style][3:]
    mover = black_to_move if turn is Color.BLACK else white_to_move
    return board_symbols(black, white, style) + separator + mover
