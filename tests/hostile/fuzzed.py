"""Gives mutated inputs to every parser: python -m hostile.fuzzed [SECONDS [SEED [PARSER...]]]

A fuzzer that sees the branches it takes finds more (tests/fuzz); this one needs nothing installed.
It prints the figures, and fails if an input gave anything but a result or an OutflankError, or
took long. An input that kills the process is the last one of the file that it names at the start.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import random
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from fuzz.parsers import Parser, parsers
from outflank.errors import OutflankError

_SLOW = 5.0  # seconds for an input of a few kilobytes
_PIECES = [
    b"(;", b")", b"[", b"]", b"\\", b"GM[2]", b"GM[Othello]", b"AB[", b"PL[W]", b"BO[8 ", b"f5",
    b"PA", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[31m", b"9" * 40, b"-1", b"nan", b"1e400",
    b";", b"\r", b"\n", b"\xe2\x80\xa8", b"\xed\xa0\x80",
]  # fmt: skip
_VALUES: list[Any] = [
    None, True, False, 0, -1, 2**31, 2**63, 2**64, 10**400, 0.5, -0.0, 1e308, float("nan"),
    float("inf"), "", "x", "\ud800", "\x1b[31m", "\x00", "1", [], {}, [[]], [1], {"a": 1},
    "x" * 5000,
]  # fmt: skip
_LONGEST = 20_000
_DEEP = 100_000  # brackets, deeper than the interpreter goes
_FAULTS_SHOWN = 5


def mutate(data: bytes, draw: random.Random, parser: Parser) -> bytes:
    """Return bytes that are almost those of a file."""
    if parser.json and draw.random() < 0.5:
        data = mutate_json(data, draw)
        if draw.random() < 0.8:
            return data
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        place = draw.randrange(len(made) + 1)
        length = draw.choice((1, 2, 8, 64))
        match draw.randrange(6):
            case 0:
                made[place : place + length] = draw.randbytes(length)
            case 1:
                del made[place : place + length]
            case 2:
                made[place:place] = draw.choice(_PIECES)
            case 3:
                made[place:place] = made[place : place + length] * 3
            case 4 if parser.words:
                made[place:place] = draw.choice(parser.words)
            case _:
                made[place:] = draw.choice(parser.seeds)[place:]
    return bytes(made[:_LONGEST])


def mutate_json(data: bytes, draw: random.Random) -> bytes:
    """Return JSON in which a value is another one, or hangs too deep."""
    try:
        content = json.loads(data)
    except ValueError:
        return data
    if draw.random() < 0.001:
        return b'{"step":' + b"[" * _DEEP
    return json.dumps(_change(content, draw)).encode() + b"\n"


def _change(value: Any, draw: random.Random) -> Any:
    """Return a value with a change somewhere in it; JSON may stand in strings of JSON."""
    if isinstance(value, (dict, list)) and value and draw.random() < 0.9:
        made = value.copy()
        key = draw.choice(list(made)) if isinstance(made, dict) else draw.randrange(len(made))
        if draw.random() < 0.1:
            del made[key]
        else:
            made[key] = _change(made[key], draw)
        return made
    if isinstance(value, str) and value.startswith("{") and draw.random() < 0.9:
        return json.dumps(_change(json.loads(value), draw))
    return draw.choice(_VALUES)


class _Last:
    """The input at work, in a file that survives the process."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(8 + _LONGEST + _DEEP + 100))
        with path.open("r+b") as stream:
            self._map = mmap.mmap(stream.fileno(), 0)

    def note(self, data: bytes) -> None:
        self._map[: 8 + len(data)] = len(data).to_bytes(8, "little") + data


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"no result after {_SLOW:g} s")


def fuzz(name: str, parser: Parser, seconds: float, draw: random.Random, last: _Last) -> int:
    """Give a parser inputs, print the figures and return how many were bad."""
    tries = read = slow = 0
    faults: dict[str, int] = {}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        data = mutate(draw.choice(parser.seeds), draw, parser)
        last.note(data)
        signal.setitimer(signal.ITIMER_REAL, _SLOW)
        try:
            parser.check(data)
            read += 1
        except OutflankError as error:
            if len(str(error).splitlines()) > 1:
                kind = "an error of several lines"
                faults[kind] = faults.get(kind, 0) + 1
        except TimeoutError:
            slow += 1
            print(f"{name}: slow: {data[:500]!r}", flush=True)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
            faults[kind] = faults.get(kind, 0) + 1
            if faults[kind] == 1 and len(faults) <= _FAULTS_SHOWN:
                print(f"{name}: {data[:2000]!r}\n{traceback.format_exc()}", flush=True)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        tries += 1
    bad = sum(faults.values())
    print(
        f"{name}: {tries:,} inputs ({read:,} good), {bad} faults, {slow} slow"
        + "".join(f"\n  {count:,} {kind}" for kind, count in faults.items()),
        flush=True,
    )
    return bad + slow


def main() -> int:
    """Give every parser its share of the time."""
    faulthandler.enable()
    with suppress(ImportError):  # networks need it; an alarm that interrupts the import leaves half
        import_module("torch")
    signal.signal(signal.SIGALRM, _too_slow)
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    draw = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    every = parsers()
    chosen = sys.argv[3:] or list(every)
    with tempfile.TemporaryDirectory(prefix="fuzzed-") as folder:
        path = Path(folder) / "input"
        print(f"the input at work is in {path}", flush=True)
        last = _Last(path)
        bad = sum(fuzz(name, every[name], seconds / len(chosen), draw, last) for name in chosen)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
