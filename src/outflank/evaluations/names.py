"""Errors for unknown names."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from outflank.errors import SpecError


def unknown(what: str, name: str, known: Sequence[str]) -> SpecError:
    """Make the error for an unknown name; it suggests a similar name or lists all."""
    close = get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
    return SpecError(f"unknown {what} {name!r}; {hint}")
