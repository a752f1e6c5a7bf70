"""Lengths of time as people write them: 2s, 500ms, 1.5."""

from __future__ import annotations

import math
import re

_DURATION = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(ms|s|m)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, None: 1.0}


class Seconds(float):
    """A length of time, from a number of seconds or from text.

    >>> Seconds("500ms"), Seconds("2s"), Seconds("1m"), Seconds(0.5)
    (0.5, 2.0, 60.0, 0.5)
    """

    def __new__(cls, given: float | str) -> Seconds:  # noqa: D102  # the class says it
        if isinstance(given, str):
            match = _DURATION.fullmatch(given.strip())
            if match is None:
                raise ValueError(f"not a length of time: {given!r}; written as 2s, 500ms or 1m")
            given = float(match[1]) * _UNITS[match[2]]
        if not math.isfinite(given):
            raise ValueError("a length of time is finite")
        return super().__new__(cls, given)
