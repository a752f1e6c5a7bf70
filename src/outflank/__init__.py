"""Outflank: a laboratory in which a computer learns to play Othello.

>>> import outflank
>>> outflank.Position.start().play("f5").legal_moves
(Move('f4'), Move('d6'), Move('f6'))
"""

from typing import TYPE_CHECKING, Any

from outflank.errors import IllegalMoveError, NotationError, OutflankError, RecordError
from outflank.othello import BLACK, PASS, SQUARES, WHITE, Color, Game, Move, Note, Position

if TYPE_CHECKING:
    __version__: str

__all__ = [
    "BLACK",
    "PASS",
    "SQUARES",
    "WHITE",
    "Color",
    "Game",
    "IllegalMoveError",
    "Move",
    "NotationError",
    "Note",
    "OutflankError",
    "Position",
    "RecordError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Find out what is slow to import, when it is asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("outflank")
    raise AttributeError(f"module 'outflank' has no attribute {name!r}")
