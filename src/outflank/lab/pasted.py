"""What is wrong with pasted text that is neither a game nor a position: the first bad symbol."""

from __future__ import annotations

import re

from outflank.errors import OutflankError
from outflank.othello import Game, Position

_MOVES = re.compile(r"\s*(\d+\.?\s*)?[a-h][1-8]", re.IGNORECASE)
_SQUARES = frozenset("Xx*OoWw●○-._·")
_FEWEST_SQUARES = 32  # in a text that is meant as a board
_LONGEST = 4000  # characters that are looked at


def what_is_wrong(content: bytes) -> str:
    """Explain why text is no game: which move is none, or which symbol of a board.

    Args:
        content: What was pasted.

    Returns:
        A sentence, or nothing if it does not look like moves or a board.
    """
    text = content[:_LONGEST].decode("utf-8", "replace")
    try:
        if _MOVES.match(text):
            Game.from_transcript(text)
        elif sum(symbol in _SQUARES for symbol in text) >= _FEWEST_SQUARES:
            Position.from_string(text)
    except (OutflankError, ValueError) as error:
        return str(error)
    return ""
