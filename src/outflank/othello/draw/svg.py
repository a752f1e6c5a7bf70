"""Boards as SVG, for notebooks and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from outflank.othello.draw.text import state
from outflank.othello.moves import squares_of

if TYPE_CHECKING:
    from outflank.othello.moves import Move
    from outflank.othello.position import Position

_CELL = 40
_MARGIN = 20
_SIDE = 8 * _CELL + 2 * _MARGIN


def draw(
    position: Position, *, size: int = 360, last: Move | None = None, legal: bool = True
) -> str:
    """Draw the board `size` pixels wide: discs, coordinates, legal moves, the last move."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" '
        f'viewBox="0 0 {_SIDE} {_SIDE}" role="img" aria-label="Othello board, {state(position)}">',
        f'<rect width="{_SIDE}" height="{_SIDE}" rx="6" fill="#263238"/>',
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{8 * _CELL}" height="{8 * _CELL}" '
        'fill="#1d7a4f"/>',
        _grid(),
        _coordinates(),
    ]
    if last is not None and not last.is_pass:
        x, y = _corner(last)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" '
            'fill="#ffffff" fill-opacity="0.25"/>'
        )
    for bits, fill, edge in (
        (position.black, "#111111", "#000000"),
        (position.white, "#fafafa", "#9e9e9e"),
    ):
        parts += [
            _circle(square, 16, f'fill="{fill}" stroke="{edge}"') for square in squares_of(bits)
        ]
    if legal:
        parts += [
            _circle(square, 4, 'fill="#ffffff" fill-opacity="0.55"')
            for square in squares_of(position.legal_squares)
        ]
    return "".join([*parts, "</svg>"])


def _corner(square: Move) -> tuple[int, int]:
    return _MARGIN + _CELL * square.column, _MARGIN + _CELL * square.row


def _circle(square: Move, radius: int, style: str) -> str:
    x, y = _corner(square)
    return f'<circle cx="{x + _CELL // 2}" cy="{y + _CELL // 2}" r="{radius}" {style}/>'


def _grid() -> str:
    near, far = _MARGIN, _MARGIN + 8 * _CELL
    lines = []
    for i in range(9):
        at = _MARGIN + i * _CELL
        lines.append(f"M{at} {near}V{far}M{near} {at}H{far}")
    dots = "".join(
        f'<circle cx="{_MARGIN + x * _CELL}" cy="{_MARGIN + y * _CELL}" r="3"/>'
        for x in (2, 6)
        for y in (2, 6)
    )
    return f'<path d="{"".join(lines)}" stroke="#0d3b26" fill="none"/>{dots}'


def _coordinates() -> str:
    labels = []
    for i in range(8):
        middle = _MARGIN + i * _CELL + _CELL // 2
        labels.append(f'<text x="{middle}" y="14">{"abcdefgh"[i]}</text>')
        labels.append(f'<text x="10" y="{middle + 4}">{i + 1}</text>')
    return (
        '<g fill="#cfd8dc" font-family="sans-serif" font-size="11" text-anchor="middle">'
        f"{''.join(labels)}</g>"
    )
