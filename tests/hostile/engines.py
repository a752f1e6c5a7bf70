"""Plays games of engines that misbehave: python -m hostile.engines [ROUNDS]

Each fault is committed at the first question or after a proper move, as black and as white, in both
protocols. A game must end soon, with a result or an error in one line, and nothing may be left
running. The figures are printed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import sys
import time
from pathlib import Path

from outflank.arena import match
from outflank.errors import OutflankError
from outflank.othello import Game

ENGINE = Path(__file__).parents[1] / "protocols" / "faulty_engine.py"
FAULTS = [
    "hangs", "dies", "crashes", "closes", "nonsense", "endless", "endless-line", "noisy", "resigns",
    "refuses", "has-children", "dies-at-once", "a1", "f5f5", "pass", "PA", "", "z9", "-1", "null",
    "\u2603", "f5 " * 500, "\x1b[2J", "9" * 300,
]  # fmt: skip
_MARK = "OUTFLANK_HOSTILE_MARK"
_TIMEOUT = 1.0  # seconds that a client waits for an answer
_MOST_SECONDS = 60.0  # for a game, on a busy machine


def left(mark: str) -> list[str]:
    """Return the processes with a mark that are still there, other than this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (path / "stat").read_text().rpartition(")")[2].split()[0]
            marked = f"{_MARK}={mark}".encode() in (path / "environ").read_bytes()
            if marked and state not in "ZX" and int(path.name) != os.getpid():
                found.append(path.name)
    return found


def spec(protocol: str, fault: str, moves: str) -> str:
    """Return the player that is an engine with a fault."""
    words = [sys.executable, str(ENGINE), protocol, fault, *([moves] if moves else [])]
    command = shlex.join(words).replace("\\", "\\\\").replace('"', '\\"')
    return f'{protocol}:cmd="{command}",timeout={_TIMEOUT:g}'


def play(player: str, *, black: bool) -> str:
    """Play one game and say what is wrong with its end, if anything."""
    began = time.monotonic()
    try:
        pair = (player, "random") if black else ("random", player)
        match(*pair, openings=[Game()], games=2, workers=1)
    except OutflankError as error:
        if "\n" in str(error):
            return f"several lines: {error!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - began
    return f"{seconds:.0f} s" if seconds > _MOST_SECONDS else ""


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    mark = os.environ[_MARK] = secrets.token_hex(8)
    games = leftovers = 0
    problems = []
    for _ in range(rounds):
        for protocol in ("gtp", "nboard"):
            for fault in FAULTS:
                for moves in ("", "f5"):
                    for black in (True, False):
                        wrong = play(spec(protocol, fault, moves), black=black)
                        games += 2
                        still = left(mark)
                        leftovers += len(still)
                        if wrong or still:
                            problems.append(f"{protocol} {fault[:20]!r} {moves}: {wrong} {still}")
    print(f"engines: {games} games, {len(problems)} faults, {leftovers} leftovers", flush=True)
    print("".join(f"  {one}\n" for one in problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
