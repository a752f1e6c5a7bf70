"""Reads mutated files of every format: python -m hostile.fuzzed [SECONDS [SEED]]

A fuzzer that sees the branches it takes finds more (tests/fuzz); this one needs nothing installed.
It prints the figures, and fails if an input gave anything but games or a RecordError, or took long.
"""

from __future__ import annotations

import random
import sys
import time
import traceback

from fuzz.checking import check, seeds_of
from outflank.records import FORMATS

_SLOW = 5.0  # seconds for an input of a few kilobytes
_PIECES = [
    b"(;", b")", b"[", b"]", b"\\", b"GM[2]", b"GM[Othello]", b"AB[", b"PL[W]", b"BO[8 ", b"f5",
    b"PA", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[31m", b"9" * 40, b"-1", b"nan", b"1e400",
    b";", b"\r",
]  # fmt: skip
_LONGEST = 20_000


def mutate(data: bytes, draw: random.Random, others: list[bytes]) -> bytes:
    """Return bytes that are almost those of a file."""
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        place = draw.randrange(len(made) + 1)
        length = draw.choice((1, 2, 8, 64))
        match draw.randrange(5):
            case 0:
                made[place : place + length] = draw.randbytes(length)
            case 1:
                del made[place : place + length]
            case 2:
                made[place:place] = draw.choice(_PIECES)
            case 3:
                made[place:place] = made[place : place + length] * 3
            case _:
                made[place:] = draw.choice(others)[place:]
    return bytes(made[:_LONGEST])


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    draw = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    bad = 0
    for name, format in FORMATS.items():
        seeds = seeds_of(format)
        tries = faults = slow = 0
        until = time.monotonic() + seconds / len(FORMATS)
        while time.monotonic() < until:
            data = mutate(draw.choice(seeds), draw, seeds)
            began = time.monotonic()
            try:
                check(format, data)
            except Exception:
                faults += 1
                print(f"{name}: {data!r}\n{traceback.format_exc()}", flush=True)
            slow += time.monotonic() - began > _SLOW
            tries += 1
        bad += faults + slow
        print(f"reading {name}: {tries} inputs, {faults} faults, {slow} slow", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
