"""Says what a real engine said: replayed_engine.py FILE SECTION.

FILE holds recordings as Python literals, in sections that begin with ##. A line that was sent is
answered as it was; one that was not is answered as its nearest kin, by its first word.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path


def exchanges(path: Path, section: str) -> list[tuple[str, bytes]]:
    """Return what was sent and answered in a section."""
    text = path.read_text().partition(f"## {section}\n")[2].partition("\n## ")[0]
    found: list[tuple[str, bytes]] = []
    sent = ""
    for line in text.splitlines():
        if line.startswith("sent: "):
            sent = ast.literal_eval(line.removeprefix("sent: "))
        elif line.startswith("answered: "):
            found.append((sent, ast.literal_eval(line.removeprefix("answered: "))))
    return found


def main() -> None:
    recorded = exchanges(Path(sys.argv[1]), sys.argv[2])
    out = sys.stdout.buffer
    out.write(recorded[0][1])
    out.flush()
    position = ""
    for line in sys.stdin:
        if line.startswith("setboard"):
            position = line
        word = line.split()[0]
        if word == "quit":
            return
        answer = b""
        board = ""
        for sent, answered in recorded:
            board = sent if sent.startswith("setboard") else board
            if sent == line and (word != "go" or not position or board == position):
                answer = answered
                break
            if sent.split()[:1] == [word] and not answer:
                answer = answered
        out.write(answer)
        out.flush()


main()
