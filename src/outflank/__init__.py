"""Outflank: a laboratory in which a computer learns to play Othello.

>>> import outflank
>>> outflank.Position.start().play("f5").legal_moves
(Move('f4'), Move('d6'), Move('f6'))

These names are the public face; everything else may change. Each is imported when it is first
used, so that the command can answer Ctrl-C before the rest is imported (outflank/__main__.py).
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing has the same name, but takes time to import
if TYPE_CHECKING:
    from typing import Any

    from outflank.arena import match
    from outflank.errors import (
        IllegalMoveError,
        NotationError,
        OutflankError,
        RecordError,
        SpecError,
    )
    from outflank.models import load_network
    from outflank.othello import BLACK, PASS, SQUARES, WHITE, Color, Game, Move, Note, Position
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
    "BLACK": "outflank.othello",
    "Color": "outflank.othello",
    "Game": "outflank.othello",
    "IllegalMoveError": "outflank.errors",
    "Move": "outflank.othello",
    "NotationError": "outflank.errors",
    "Note": "outflank.othello",
    "OutflankError": "outflank.errors",
    "PASS": "outflank.othello",
    "Player": "outflank.players",
    "Position": "outflank.othello",
    "RecordError": "outflank.errors",
    "SQUARES": "outflank.othello",
    "Solution": "outflank.players.questions",
    "SpecError": "outflank.errors",
    "Thought": "outflank.players",
    "WHITE": "outflank.othello",
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
        from importlib import import_module

        found = getattr(import_module(_PLACES[name]), name)
    else:
        raise AttributeError(f"module 'outflank' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
