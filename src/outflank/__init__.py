"""Outflank: a laboratory in which a computer learns to play Othello.

>>> import outflank
>>> outflank.Position.start().play("f5").legal_moves
(Move('f4'), Move('d6'), Move('f6'))
"""

from importlib.metadata import version

from outflank.errors import IllegalMoveError, NotationError, OutflankError, RecordError
from outflank.othello import BLACK, PASS, SQUARES, WHITE, Color, Game, Move, Note, Position

__version__ = version("outflank")

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
