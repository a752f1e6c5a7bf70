"""An engine that does one thing wrong: faulty_engine.py gtp|nboard FAULT [MOVES].

It plays the MOVES properly, one for each question, and commits the fault at the next.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

PROTOCOL, FAULT, *REST = sys.argv[1:]
MOVES = REST[0].split(",") if REST else []


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(move: str) -> None:
    say(f"= {move}\n\n" if PROTOCOL == "gtp" else f"search {move} 1.5 0 3\n=== {move}/1.50/0.1\n")


def commit() -> None:
    if FAULT == "hangs":
        time.sleep(60)
    elif FAULT == "dies":
        sys.stderr.write("starting\nout of memory\n")
        sys.exit(3)
    elif FAULT == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif FAULT == "closes":
        os.close(1)
        time.sleep(60)
    elif FAULT == "nonsense":
        say("hello\n\n" if PROTOCOL == "gtp" else "=== hello\n")
    elif FAULT == "endless":
        while True:
            say("= f5\n" * 1000 if PROTOCOL == "gtp" else "status thinking\n" * 1000)
    elif FAULT == "endless-line":
        while True:
            say("=" * 10000)
    elif FAULT == "noisy":
        sys.stderr.write("x" * 1_000_000)
        answer("f5")
    elif FAULT == "resigns":
        say("= resign\n\n")
    elif FAULT == "refuses":
        say("? I do not want to\n\n")
    elif FAULT == "has-children":
        subprocess.Popen(["sleep", "60.4711"])
        time.sleep(60)
    else:  # an illegal move or a pass
        answer(FAULT)


def main() -> None:
    if FAULT == "dies-at-once":
        sys.exit("no licence")
    if FAULT == "starts-slowly":
        time.sleep(0.5)
    moves = iter([*MOVES, *(["f5"] if FAULT == "starts-slowly" else [])])
    for line in sys.stdin:
        word = line.split()[0]
        if word in ("genmove", "go"):
            move = next(moves, "")
            answer(move) if move else commit()
        elif word == "ping":
            say(line.replace("ping", "pong"))
        elif word == "quit":
            return
        elif PROTOCOL == "gtp":
            say("=\n\n")


main()
