"""The exact solver on the FFO endgame positions: seconds, nodes, and what a second thread gives.

The positions are not part of the project: give the file that holds numbers 40 to 59, in OBF.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from outflank import Move, _core, records
from outflank.records.obf import scores_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="fforum-40-59.obf")
    parser.add_argument("--first", type=int, default=40, help="first number (default 40)")
    parser.add_argument("--last", type=int, default=44, help="last number (default 44)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--memory", type=int, default=256, help="megabytes of the table")
    arguments = parser.parse_args()

    games = list(records.read(arguments.file))
    table = Table("number", "empties", "score", "best")
    for threads in arguments.threads:
        table.add_column(f"s, {threads} thread{'s' * (threads > 1)}", justify="right")
        table.add_column("million nodes", justify="right")
    totals = {threads: [0.0, 0] for threads in arguments.threads}
    for number in range(arguments.first, arguments.last + 1):
        game = games[number - 40]
        published = scores_of(game)
        row: list[str] = []
        for threads in arguments.threads:
            solver = _core.Solver(arguments.memory)
            began = time.perf_counter()
            found = solver.solve(*game.start.bits, threads=threads)
            seconds = time.perf_counter() - began
            totals[threads][0] += seconds
            totals[threads][1] += found.nodes
            right = (
                found.score == max(published.values())
                and published.get(Move(found.best)) == found.score
            )
            if not row:
                row = [
                    str(number),
                    str(game.start.empties),
                    f"{found.score:+d}",
                    f"{Move(found.best)}",
                ]
            if not right:
                raise SystemExit(f"number {number}: {found.score} {Move(found.best)} is wrong")
            row += [f"{seconds:.2f}", f"{found.nodes / 1e6:.1f}"]
        table.add_row(*row)
    console = Console()
    console.print(table)
    for threads, (seconds, nodes) in totals.items():
        console.print(
            f"{threads} thread(s): {seconds:.2f} s, {nodes / 1e6:.1f} million nodes,"
            f" {nodes / seconds / 1e6:.1f} million nodes/s"
        )
    if len(totals) > 1:
        first, *others = totals
        for threads in others:
            ratio = totals[first][0] / totals[threads][0]
            console.print(f"{threads} threads are {ratio:.2f} times as fast as {first}")


if __name__ == "__main__":
    main()
