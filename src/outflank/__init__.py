"""Outflank: a laboratory in which a computer learns to play Othello.

>>> import outflank
>>> outflank.Position.start().play("f5").legal_moves
(Move('f4'), Move('d6'), Move('f6'))

These names are the public face; everything else may change. The rules are here at once. What plays,
searches, reads and writes is imported when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from outflank.errors import (
    IllegalMoveError,
    NotationError,
    OutflankError,
    RecordError,
    SpecError,
)
from outflank.othello import BLACK, PASS, SQUARES, WHITE, Color, Game, Move, Note, Position

if TYPE_CHECKING:
    from outflank.arena import match
    from outflank.models import load_network
    from outflank.players import Player, Thought, make_player
    from outflank.players.questions import Solution, search, solve
    from outflank.records import read, write

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
    "Player",
    "Position",
    "RecordError",
    "Solution",
    "SpecError",
    "Thought",
    "__version__",
    "load_network",
    "make_player",
    "match",
    "read",
    "search",
    "solve",
    "write",
]

_PLACES = {
    "Player": "outflank.players",
    "Solution": "outflank.players.questions",
    "Thought": "outflank.players",
    "load_network": "outflank.models",
    "make_player": "outflank.players",
    "match": "outflank.arena",
    "read": "outflank.records",
    "search": "outflank.players.questions",
    "solve": "outflank.players.questions",
    "write": "outflank.records",
}


def __getattr__(name: str) -> Any:
    """Import what is slow to import when it is asked for."""
    found: Any
    if name == "__version__":
        from importlib.metadata import version

        found = version("outflank")
    elif name in _PLACES:
        found = getattr(import_module(_PLACES[name]), name)
    else:
        raise AttributeError(f"module 'outflank' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
