"""Says nonsense to the lab over WebSockets: python -m hostile.sockets [MESSAGES [SEED]]

Pages come and go, most without a word of goodbye, some while they are being answered. The lab must
stay, answer the last page as the first, and end on Ctrl-C without a traceback or a complaint about
a task that nobody listened to. The figures are printed.
"""

from __future__ import annotations

import json
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

OUTFLANK = Path(sys.executable).with_name("outflank")
COMPLAINTS = ("Traceback", "never retrieved", "never awaited", "Exception in", "ERROR")
_OF_A_PAGE = 30  # messages, fewer than the lab accepts at once

_KINDS: list[Any] = [
    "ping", "join", "leave", "undo", "redo", "swap", "restart", "pause", "go", "step", "stop",
    "move", "goto", "resign", "delay", "hints", "opinions", "review", "follow", "", "no such kind",
    None, 7, [], {},
]  # fmt: skip
_VALUES: list[Any] = [
    None, True, 0, -1, 1, 59, 10**30, -1e308, 1e308, "", "f5", "pa", "x" * 5000, "\x00", "\ud800",
    "../../etc/passwd", "<script>alert(1)</script>", [], [[]] * 50, {}, {"a": {}}, ["greedy"],
    "greedy", "policy:/etc/passwd", 'gtp:cmd="sleep 99"', "alphabeta:depth=60", "black", 2.5,
]  # fmt: skip
_FIELDS = ["game", "ply", "move", "side", "seconds", "players", "player", "what", "name", "on"]
_NOT_JSON = ["", "{", "[" * 20_000, "null", "NaN", '{"type":', "\x00", "x" * 60_000, '"ping"']


def message(draw: random.Random, games: list[str]) -> str | bytes:
    """Make up a message, which may be a good one."""
    chance = draw.random()
    if chance < 0.1:
        return draw.choice(_NOT_JSON)
    if chance < 0.12:
        return draw.randbytes(20)
    said: dict[str, Any] = {"type": draw.choice(_KINDS)}
    for name in draw.sample(_FIELDS, draw.randrange(5)):
        said[name] = draw.choice(_VALUES)
    if draw.random() < 0.7:
        said["game"] = draw.choice(games)
    if draw.random() < 0.5:
        said["ply"] = draw.randrange(12)
    return json.dumps(said)


@dataclass
class Lab:
    """A lab in a folder of its own, and all that it writes on standard error."""

    folder: Path
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [OUTFLANK, "lab", "--no-browser", "--port", "0"],
            cwd=self.folder,
            env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.address = self.process.stderr.readline().split()[4]
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.errors += self.process.stderr

    def page(self) -> ClientConnection:
        live = self.address.replace("http", "ws") + "/api/live"
        return connect(live, origin=Origin(self.address), open_timeout=60)

    def begin(self, moves: str) -> str:
        """Begin a game and return its name."""
        body = {"black": "human", "moves": moves}
        answer = httpx.post(f"{self.address}/api/games", json=body, timeout=60)
        answer.raise_for_status()
        return str(answer.json()["id"])

    def end(self) -> int:
        """End it as Ctrl-C does, and return its exit code."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(10)
        if self.process.stderr is not None:
            self.process.stderr.close()
        return self.process.returncode

    @property
    def complaints(self) -> list[str]:
        return [line for line in self.errors if any(one in line for one in COMPLAINTS)]


def leave_abruptly(page: ClientConnection) -> None:
    """Cut a connection, as a machine does that is switched off."""
    linger = struct.pack("ii", 1, 0)  # without the usual farewell of TCP
    with suppress(OSError):
        page.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        page.socket.shutdown(socket.SHUT_RDWR)


def torment(lab: Lab, most: int, draw: random.Random) -> int:
    """Send messages and return how many went out."""
    games, sent = [lab.begin(moves) for moves in ("", "f5d6c3d3c4f4f6", "f5f6")], 0
    while sent < most:
        # A page that floods is shown out, and one that has left cannot say goodbye.
        with suppress(WebSocketException, OSError, TimeoutError), lab.page() as page:
            for _ in range(_OF_A_PAGE):
                page.send(message(draw, games))
                sent += 1
            if draw.random() < 0.5:
                page.recv(timeout=0.2)
            if draw.random() < 0.7:
                leave_abruptly(page)
    return sent


def answers(lab: Lab) -> bool:
    """Whether the lab still serves a page."""
    with lab.page() as page:
        page.send(json.dumps({"type": "ping"}))
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if json.loads(page.recv(timeout=60))["type"] == "pong":
                return True
    return False


def main() -> int:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    draw = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    with tempfile.TemporaryDirectory() as name:
        lab = Lab(Path(name))
        sent = torment(lab, most, draw)
        alive = answers(lab)
        code = lab.end()
    print(
        f"sockets: {sent} messages, {len(lab.complaints)} complaints, "
        f"{'answers' if alive else 'silent'} afterwards, exit code {code}",
        flush=True,
    )
    print("".join(lab.complaints and lab.errors[-60:]), end="")
    return 0 if alive and not lab.complaints and code in (0, 130) else 1


if __name__ == "__main__":
    sys.exit(main())
