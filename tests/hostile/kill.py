"""Kills every long command with kill -9, again and again, and looks what is lost and left.

    PYTHONPATH=tests python -m hostile.kill [TIMES]

Each command is begun, killed at a random moment and begun again where it ended. Lost is what was
finished before and is not there afterwards; left is a process that goes on, or a temporary file
once the work was resumed. The figures are printed; the program fails if one of them is not zero.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from outflank.arena import Store
from outflank.errors import OutflankError
from outflank.learn import Run

OUTFLANK = Path(sys.executable).with_name("outflank")
WTHOR = Path(__file__).parents[3] / "shared" / "data" / "wthor"
_MARK = "OUTFLANK_HOSTILE_MARK"
_SECONDS_AT_WORK = (1.0, 6.0)
_SECONDS_TO_VANISH = 15.0


@dataclass
class Victim:
    """A long command.

    Attributes:
        words: It begins with these.
        again: It goes on with these; None: with the same.
        finished: Counts what is finished in its folder.
    """

    words: list[str]
    again: list[str] | None
    finished: Callable[[Path], int]
    tries: int = 0
    losses: int = 0
    leftovers: int = 0
    failures: list[str] = field(default_factory=list)


def games_in(folder: Path) -> int:
    """Count the games of a store."""
    path = folder / "store.sqlite"
    if not path.is_file() or not path.stat().st_size:
        return 0
    with Store(path, create=False) as store:
        return sum(one.games for one in store.tournaments())


def steps_in(folder: Path) -> int:
    """Return the step of a run's last checkpoint."""
    with contextlib.suppress(OutflankError):
        last = Run.open(folder / "runs" / "run").last_checkpoint()
        return last.step if last else 0
    return 0


def files_in(folder: Path) -> int:
    """Count the finished files of the store."""
    return sum(path.is_file() and ".part" not in path.name for path in folder.rglob("*"))


def victims() -> dict[str, Victim]:
    """Return the commands, those that need games only where there are some."""
    store = ["--store", "store.sqlite", "--games", "2000"]
    run = ["--run", "run"]
    every = {
        "match": Victim(["match", "random", "playouts:games=200", *store], None, games_in),
        "tournament": Victim(
            ["tournament", "random", "alphabeta:depth=4,solve=8", "greedy", *store], None, games_in
        ),
        "learn coevolution": Victim(
            ["learn", "coevolution", "--preset", "fixed", *run],
            ["learn", "coevolution", *run, "--resume"],
            steps_in,
        ),
        "learn selfplay": Victim(
            ["learn", "selfplay", "--preset", "laptop", *run],
            ["learn", "selfplay", *run, "--resume"],
            steps_in,
        ),
        "solve": Victim(["solve", "f5d6c3d3c4f4f6f3e6e7", "--threads", "2"], None, lambda _: 0),
        "lab": Victim(["lab", "--no-browser", "--port", "0"], None, lambda _: 0),
    }
    if WTHOR.is_dir():
        games = ["--wthor", str(WTHOR)]
        every["data extract"] = Victim(
            ["data", "extract", *games, "--years", "1977-1990"], None, files_in
        )
        every["learn patterns"] = Victim(
            ["learn", "patterns", "--preset", "self-play", *games, *run],
            ["learn", "patterns", *games, *run, "--resume"],
            steps_in,
        )
        every["learn imitation"] = Victim(
            ["learn", "imitation", "--preset", "line-smoke", *games, *run],
            ["learn", "imitation", *games, *run, "--resume"],
            steps_in,
        )
    return every


def marked(mark: str) -> list[int]:
    """Return the processes that a command started, and itself."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (path / "stat").read_text().rpartition(")")[2].split()[0]
            if state not in "ZX" and f"{_MARK}={mark}".encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
    return found


def torment(victim: Victim, times: int, draw: random.Random) -> None:
    """Kill a command some times, then let it go on once more and ask it to end."""
    with tempfile.TemporaryDirectory() as name:
        folder, done = Path(name), 0
        for attempt in range(times + 1):
            goes_on = victim.again is not None and (folder / "runs/run/config.json").is_file()
            words = victim.again if goes_on and victim.again else victim.words
            mark = secrets.token_hex(8)
            process = start(words, folder, mark)
            time.sleep(draw.uniform(*_SECONDS_AT_WORK))
            last = attempt == times
            process.send_signal(signal.SIGINT if last else signal.SIGKILL)
            try:
                _, errors = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                errors = "did not end on Ctrl-C"
                process.communicate()
            victim.tries += 1
            if "Traceback" in errors or "did not end" in errors or process.returncode == 2:
                victim.failures.append(errors[-500:])
            victim.leftovers += len(survivors(mark))
            now = victim.finished(folder)
            victim.losses += now < done
            done = max(done, now)
        victim.leftovers += sum(1 for _ in (folder / "runs").rglob("*.part"))


def start(words: list[str], folder: Path, mark: str) -> subprocess.Popen[str]:
    """Start a command in a folder."""
    environment = {**os.environ, _MARK: mark, "HOME": str(folder), "OUTFLANK_DATA": str(folder)}
    return subprocess.Popen(
        [OUTFLANK, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def survivors(mark: str) -> list[int]:
    """Return the processes that are still there after a while, and end them."""
    until = time.monotonic() + _SECONDS_TO_VANISH
    while (found := marked(mark)) and time.monotonic() < until:
        time.sleep(0.1)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return found


def main() -> int:
    """Torment all commands and print the figures."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    # In the background of a shell, Ctrl-C is ignored; the commands must hear it all the same.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    draw = random.Random(1)
    bad = 0
    for name, victim in victims().items():
        torment(victim, times, draw)
        bad += victim.losses + victim.leftovers + len(victim.failures)
        print(
            f"{name}: {victim.tries} tries, {victim.losses} losses, "
            f"{victim.leftovers} leftovers, {len(victim.failures)} failures",
            flush=True,
        )
        for failure in victim.failures:
            print(f"  {failure}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
