"""Boards in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outflank.othello.position import Position


def draw(position: Position, *, unicode: bool = False, legal: bool = False) -> str:
    """Draw the board with its coordinates, and the state of the game under it."""
    black, white, empty, mark = "●○·+" if unicode else "XO.+"
    moves = position.legal_squares if legal else 0
    lines = ["  a b c d e f g h"]
    for row in range(8):
        symbols = []
        for square in range(8 * row, 8 * row + 8):
            if position.black >> square & 1:
                symbols.append(black)
            elif position.white >> square & 1:
                symbols.append(white)
            else:
                symbols.append(mark if moves >> square & 1 else empty)
        lines.append(f"{row + 1} {' '.join(symbols)}")
    lines.append(state(position))
    return "\n".join(lines)


def state(position: Position) -> str:
    """Say in one line who is to move, or who won, and how many discs each side has."""
    counts = f"{position.count('black')}-{position.count('white')}"
    if not position.is_over:
        must = " and must pass" if position.must_pass else ""
        return f"{position.turn} to move{must}, {counts}"
    if position.winner is None:
        return f"draw, {counts}"
    return f"{position.winner} wins by {abs(position.score)}, {counts}"
