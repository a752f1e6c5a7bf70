"""Ranges of years, as people write them: 1977-2015, 2004, -2000."""

from __future__ import annotations

import re
from collections.abc import Iterable

from outflank.errors import DataError

FIRST_YEAR = 1977  # WThor's first games

_YEAR = re.compile(r"([0-9]{4})")
_RANGE = re.compile(r"([0-9]{4})?\s*[-–]\s*([0-9]{4})")


def parse_years(text: str) -> range:
    """Read a range of years with both ends in it; without a first year it begins in 1977.

    >>> parse_years("1977-2015")
    range(1977, 2016)
    >>> parse_years("2004")
    range(2004, 2005)
    >>> parse_years("-2000")
    range(1977, 2001)
    """
    wanted = text.strip()
    if match := _YEAR.fullmatch(wanted):
        first = last = int(match[1])
    elif match := _RANGE.fullmatch(wanted):
        first, last = int(match[1] or FIRST_YEAR), int(match[2])
    else:
        raise DataError(f"years {text!r}: accepted are 2004, 1977-2015 and -2000")
    if min(first, last) < FIRST_YEAR:
        raise DataError(f"years {wanted}: the WThor database begins in {FIRST_YEAR}")
    if first > last:
        raise DataError(f"years {wanted}: the first year is after the last")
    return range(first, last + 1)


def describe_years(years: Iterable[int]) -> str:
    """Write years shortly, those in succession as a range.

    >>> describe_years([1977, 1978, 1979, 2004])
    '1977-1979, 2004'
    """
    runs: list[tuple[int, int]] = []
    for year in sorted(set(years)):
        if runs and runs[-1][1] == year - 1:
            runs[-1] = (runs[-1][0], year)
        else:
            runs.append((year, year))
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def list_years(description: str) -> list[int]:
    """Read what describe_years wrote.

    >>> list_years("1977-1979, 2004")
    [1977, 1978, 1979, 2004]
    """
    parts = [part for part in description.split(",") if part.strip()]
    return [year for part in parts for year in parse_years(part)]
