"""WThor files made up for tests: right in header and size, with games of no sense."""

from __future__ import annotations

import struct


def wtb(year: int, games: int, filler: int = 0) -> bytes:
    return struct.pack("<4BIHH4B", 20, 26, 2, 16, games, 0, year, 8, 0, 24, 0) + (
        bytes([filler]) * 68 * games
    )


def names(count: int, length: int) -> bytes:
    return struct.pack("<4BIHH4B", 20, 26, 2, 16, 0, count, 0, 0, 0, 0, 0) + bytes(count * length)


def jou(count: int = 5) -> bytes:
    return names(count, 20)


def trn(count: int = 3) -> bytes:
    return names(count, 26)
