"""Speaks as the console of Edax does: prompt, commands, board, table, "Edax plays".

It plays the first legal move. What it writes is held back until the prompt, as Edax's is in a pipe.
FAKE_EDAX may name a fault: hangs, dies, illegal, silent.
"""

from __future__ import annotations

import os
import sys
import time

from outflank import Position

FAULT = os.environ.get("FAKE_EDAX", "")


class Console:
    """The state of Edax: its position and level."""

    def __init__(self) -> None:
        self.position = Position.start()
        self.level = 21

    def run(self) -> None:
        while True:
            print(f"\n{self.position}\n")
            sys.stdout.write(">")
            sys.stdout.flush()
            line = sys.stdin.readline()
            print()
            words = line.split()
            if not line or words[:1] == ["quit"]:
                return
            self.obey(words)

    def obey(self, words: list[str]) -> None:
        match words:
            case ["setboard", *board]:
                self.position = Position.from_string(" ".join(board))
            case ["level", level]:
                self.level = int(level)
            case ["mode", "3"]:
                pass
            case ["go"]:
                self.go()
            case _:
                sys.stderr.write(f"WARNING: Unknown command {words}\n")

    def go(self) -> None:
        if FAULT == "hangs":
            time.sleep(60)
        if FAULT == "dies":
            sys.exit("Fatal error: cannot open data/eval.dat")
        if FAULT == "silent":
            return
        move = self.position.legal_moves[0]
        after = self.position.play(move)
        reply = after.legal_moves[0].name if after.legal_squares else "ps"
        empties = self.position.empties
        depth = empties if empties <= 2 * self.level else self.level
        print("\n depth|score|       time   |  nodes (N)  |   N/s    | principal variation")
        print("------+-----+--------------+-------------+----------+----------------------")
        name = move.name.upper()
        print(f"{depth:2}@73%  -02        0:00.001           127     127000  {name} {reply} ")
        print(f"   {depth:2}   +04        0:00.002          2500    1250000  {name} {reply} ")
        print("------+-----+--------------+-------------+----------+----------------------")
        played = "A9" if FAULT == "nonsense" else "H1" if FAULT == "illegal" else name
        print(f"\nEdax plays {played}")
        self.position = after


Console().run()
