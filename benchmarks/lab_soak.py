"""How much memory the lab takes under many pages, and how much it gives back.

    .venv/bin/python benchmarks/lab_soak.py [--seconds 600] [--pages 20]

A real server in a process of its own. Every page asks for hints, reviews and opinions, leaves in
the middle of some of them and comes back with another game. The server's memory is read every
second: the peak, and what is left when all pages have gone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import websockets

from outflank import Game, make_player
from outflank.players.analysis import REVIEWER

_GAMES = 10
_SECONDS_AFTER = 20.0  # that the server has to give memory back


def make_games() -> list[str]:
    """Play games whose positions the pages ask about."""
    games = []
    for seed in range(_GAMES):
        game, player = Game(), make_player(f"random:seed={seed}")
        while not game.is_over:
            game = game.play(player.think(game).move)
        games.append(game.transcript)
    return games


class Load:
    """Pages that ask, and counts of what they heard."""

    def __init__(self, port: int, until: float) -> None:
        self.base, self.live = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}/api/live"
        self.until = until
        self.asked = self.heard = self.errors = 0

    async def page(self, number: int, games: list[str]) -> None:
        """Come, ask, leave, and come again until the time is over."""
        draw = random.Random(number)
        # A kept connection may be closed by the server just when the next question is sent.
        limits = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(base_url=self.base, timeout=120, limits=limits) as client:
            while time.monotonic() < self.until:
                moves = draw.choice(games)
                posted = await client.post("/api/games", json={"moves": moves, "paused": True})
                with contextlib.suppress(OSError, websockets.ConnectionClosed):
                    async with websockets.connect(self.live) as live:
                        await self._visit(live, posted.json()["id"], len(moves) // 2, draw)

    async def _visit(self, live: Any, game: str, plies: int, draw: random.Random) -> None:
        await live.send(json.dumps({"type": "join", "game": game, "watch": True}))
        for _ in range(draw.randint(1, 6)):
            ply = draw.randint(0, plies)
            about: dict[str, Any] = {"game": game}
            kind = draw.choice(["hints", "hints", "review", "opinions"])
            if kind == "hints":
                about["ply"] = ply
            elif kind == "review":
                about["player"] = REVIEWER
            else:
                about |= {"ply": ply, "players": ["alphabeta:eval=patterns,depth=6", "greedy"]}
            await live.send(json.dumps({"type": kind, **about}))
            self.asked += 1
            await self._listen(live, draw.uniform(0.5, 8))

    async def _listen(self, live: Any, seconds: float) -> None:
        with contextlib.suppress(asyncio.TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    message = json.loads(await live.recv())
                    self.heard += message["type"] in ("hints", "review", "opinions")
                    self.errors += message["type"] == "error"


def megabytes(pid: int) -> float:
    """Return the resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def watch(pid: int, until: float) -> list[float]:
    """Read the memory every second."""
    found = []
    while time.monotonic() < until:
        found.append(megabytes(pid))
        await asyncio.sleep(1)
    return found


async def soak(port: int, pid: int, seconds: float, pages: int) -> None:
    """Measure, and print the figures."""
    games = make_games()
    begin = megabytes(pid)
    until = time.monotonic() + seconds
    load = Load(port, until)
    watching = asyncio.create_task(watch(pid, until))
    await asyncio.gather(*(load.page(number, games) for number in range(pages)))
    memory = await watching
    await asyncio.sleep(_SECONDS_AFTER)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{pages} pages for {seconds:.0f} s: {load.asked:,} questions, {load.heard:,} answers,")
    print(f"{load.errors} errors")
    print(
        f"memory: {begin:.0f} MB at the beginning, {max(memory):.0f} MB at the peak, "
        f"{memory[len(memory) // 2]:.0f} MB halfway, {megabytes(pid):.0f} MB when all had left"
    )


def wait_for(port: int) -> None:
    """Wait until the server answers."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{port}/api/about")
            return
        time.sleep(0.1)
    raise SystemExit("the server did not begin")


def main() -> None:
    """Start a server and load it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--pages", type=int, default=20)
    chosen = options.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "outflank", "lab", "--port", str(port), "--no-browser"]
        environment = {**os.environ, "OUTFLANK_DATA": folder, "PYTHONFAULTHANDLER": "1"}
        server = subprocess.Popen(command, cwd=folder, env=environment)
        try:
            wait_for(port)
            asyncio.run(soak(port, server.pid, chosen.seconds, chosen.pages))
        finally:
            if server.poll() is not None:
                print(f"the server ended with exit code {server.returncode}")
            server.terminate()
            server.wait(60)


if __name__ == "__main__":
    main()
