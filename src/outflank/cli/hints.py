"""Hints that the command adds to errors of the library: the options that help."""

from __future__ import annotations

from outflank.errors import OutflankError

_HINTS = {
    "resume": "; --resume continues it",
    "same-games": ": give the same --wthor",
    "games": ", or --wthor DIR",
    "league": ", or --league DIR",
    "refresh": " --refresh",
    "plies": "; --plies cuts games short",
}


def with_hint(error: OutflankError) -> str:
    """Return an error's message with its hint, if it has one."""
    return f"{error}{_HINTS.get(error.remedy, '')}"
