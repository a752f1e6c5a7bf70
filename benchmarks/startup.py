"""How long it takes to begin, in CPU time, as a ratio to `python -c 'import numpy'`.

    .venv/bin/python benchmarks/startup.py

Every command is a process of its own; they take turns, so that all see the same noise.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys

from rich.console import Console
from rich.table import Table

NUMPY = "python -c 'import numpy'"
COMMANDS = {
    NUMPY: ["-c", "import numpy"],
    "python -c 'import outflank'": ["-c", "import outflank"],
    "outflank --version": ["-m", "outflank", "--version"],
    "outflank --help": ["-m", "outflank", "--help"],
}
LIMITS = {
    "python -c 'import outflank'": 1.3,
    "outflank --version": 2.5,
    "outflank --help": 2.5,
}


def cpu_seconds(arguments: list[str]) -> float:
    """Run Python and return the user and system time that it took."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        process = os.posix_spawn(
            sys.executable,
            [sys.executable, *arguments],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)],
        )
    finally:
        os.close(nowhere)
    _, status, used = os.wait4(process, 0)
    if status:
        raise SystemExit(f"python {' '.join(arguments)} failed")
    return used.ru_utime + used.ru_stime


def measure(repeats: int) -> dict[str, list[float]]:
    """Run all commands in turn; the first round warms the file cache and does not count."""
    found: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for repeat in range(repeats + 1):
        for name, arguments in COMMANDS.items():
            seconds = cpu_seconds(arguments)
            if repeat:
                found[name].append(seconds)
    return found


def main() -> None:
    """Print the table, and fail if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15, help="rounds; the median counts")
    found = measure(parser.parse_args().repeats)
    table = Table("", "CPU ms", "of import numpy", "at most")
    slow = []
    for name, seconds in found.items():
        pairs = zip(seconds, found[NUMPY], strict=True)
        ratio = statistics.median(own / numpy for own, numpy in pairs)
        limit = LIMITS.get(name)
        middle = 1000 * statistics.median(seconds)
        table.add_row(name, f"{middle:.0f}", f"{ratio:.2f}", str(limit) if limit else "")
        if limit and ratio > limit:
            slow.append(name)
    console = Console()
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    console.print(table)
    if slow:
        raise SystemExit(f"too slow: {', '.join(slow)}")


if __name__ == "__main__":
    main()
