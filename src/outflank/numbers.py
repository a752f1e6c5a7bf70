"""Numbers as people write them, and how large they may be: one place for specs and options.

Python itself reads more than people mean: 1_4 and full-width digits as whole numbers, nan and
infinity as numbers. Here a number is written with the digits 0 to 9, and it is finite.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeGuard

_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def whole_number(text: str) -> int:
    """Read a whole number; ValueError for anything else.

    >>> whole_number("14")
    14
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"not a whole number: {text[:40]!r}")
    return int(text)


def number(text: str) -> float:
    """Read a finite number; ValueError for anything else.

    >>> number("1.5")
    1.5
    """
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise ValueError(f"not a number: {text[:40]!r}")
    return float(text)


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a value of JSON is a finite number that is not too large for a float.

    >>> is_number(1.5), is_number(True), is_number(10**400), is_number("1")
    (True, False, False, False)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def is_whole_number(value: object) -> TypeGuard[int]:
    """Return whether a value of JSON is a whole number of at most 64 bits.

    >>> is_whole_number(3), is_whole_number(3.0), is_whole_number(True), is_whole_number(2**64)
    (True, False, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


@dataclass(frozen=True)
class Range:
    """The least and the greatest value of a number, both included."""

    least: float
    greatest: float

    def check(self, name: str, value: float) -> None:
        """Raise ValueError for what is outside, and for what is not a number."""
        if not self.least <= value <= self.greatest:
            raise ValueError(f"{name} must be {_text(self.least)} to {_text(self.greatest)}")


def _text(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


SEEDS = Range(0, 2**63 - 1)
THREADS = Range(0, 1024)
PROCESSES = Range(1, 256)
GAMES = Range(1, 100_000_000)
MEGABYTES = Range(1, 65_536)
SECONDS = Range(0.0, 1e6)

# Of the options of player specs, by name; a test holds every shipped kind of player to it.
OPTIONS = {
    "c": Range(0.0, 1000.0),
    "depth": Range(0, 60),
    "discs": Range(0.0, 1000.0),
    "fpu": Range(-2.0, 2.0),
    "games": GAMES,
    "leaves": Range(1, 256),
    "level": Range(0, 60),
    "memory": MEGABYTES,
    "nodes": Range(1, 10**15),
    "once": Range(0.0, 1000.0),
    "processes": PROCESSES,
    "rollouts": Range(1, 2**30),
    "seed": SEEDS,
    "selectivity": Range(0.0, 100.0),
    "sims": Range(1, 2**30),
    "solve": Range(0, 60),
    "temperature": Range(0.0, 1000.0),
    "temperature_plies": Range(0, 60),
    "threads": THREADS,
    "time": SECONDS,
    "timeout": SECONDS,
    "window": Range(0, 64),
}
