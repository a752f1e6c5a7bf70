"""What the command adds to errors of the library: the options that mend them."""

from __future__ import annotations

from outflank.errors import OutflankError

_HINTS = {
    "resume": "; --resume goes on",
    "same-games": ": give the same --wthor",
    "games": ", or --wthor DIR",
    "league": ", or --league DIR",
    "refresh": " --refresh",
    "plies": "; --plies cuts games",
}


def with_hint(error: OutflankError) -> str:
    """Return an error in words for the terminal."""
    return f"{error}{_HINTS.get(error.remedy, '')}"
