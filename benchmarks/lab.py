"""How soon the lab answers a page: alone, while two searches run, and with ten pages playing.

    .venv/bin/python benchmarks/lab.py

A real server in a process of its own; what is timed is a message over the socket and its answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import numpy as np
import websockets
from rich.console import Console
from rich.table import Table

_POSITION = "f5d6c5f4e3c6d3f6e6d7g4c4g5c3f7d2"
_SECONDS = 8.0
_PAGES = 10


class Page:
    """A page's socket, and a game of two people on it."""

    def __init__(self, live: Any, game: str) -> None:
        self.live, self.game = live, game

    async def ask(self, answer: str, **message: Any) -> float:
        """Send a message; return the seconds until an answer of a type comes."""
        began = time.perf_counter()
        await self.live.send(json.dumps({**message}))
        while json.loads(await self.live.recv())["type"] != answer:
            pass
        return time.perf_counter() - began


async def delays(page: Page) -> dict[str, list[float]]:
    """Move, undo and click wrongly for a while."""
    found: dict[str, list[float]] = {"move": [], "undo": [], "wrong move": []}
    until = time.monotonic() + _SECONDS
    about = {"game": page.game}
    while time.monotonic() < until:
        found["move"].append(await page.ask("table", type="move", ply=0, move="f5", **about))
        found["wrong move"].append(await page.ask("error", type="move", ply=1, move="a1", **about))
        found["undo"].append(await page.ask("table", type="undo", **about))
        await asyncio.sleep(0.1)
    return found


async def play_on(client: httpx.AsyncClient, address: str) -> None:
    """A page with a game of two players that search, over and over."""
    players = {"black": "alphabeta:eval=patterns,depth=6", "white": "alphabeta:eval=iago,depth=6"}
    while True:
        game = (await client.post("/api/games", json=players)).json()["id"]
        async with websockets.connect(address) as live:
            await live.send(json.dumps({"type": "join", "game": game}))
            while not json.loads(await live.recv()).get("table", {}).get("result"):
                pass


async def measure(port: int) -> dict[str, dict[str, list[float]]]:
    """Measure alone, beside two searches, and beside ten pages."""
    live_address = f"ws://127.0.0.1:{port}/api/live"
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=600) as client:

        async def search() -> None:
            body = {"moves": _POSITION, "player": "alphabeta:eval=patterns,depth=14"}
            while True:
                await client.post("/api/analyse", json=body)

        game = (await client.post("/api/games", json={})).json()["id"]
        async with websockets.connect(live_address) as live:
            await live.send(json.dumps({"type": "join", "game": game}))
            await live.recv()
            page = Page(live, game)
            found = {"alone": await delays(page)}
            busy: dict[str, Callable[[], list[Awaitable[None]]]] = {
                "beside two searches": lambda: [search(), search()],
                f"beside {_PAGES} pages": lambda: [
                    play_on(client, live_address) for _ in range(_PAGES)
                ],
            }
            for name, work in busy.items():
                tasks = [asyncio.ensure_future(one) for one in work()]
                await asyncio.sleep(1)
                found[name] = await delays(page)
                for task in tasks:
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await task
    return found


def main() -> None:
    """Print the table."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "outflank", "lab", "--port", str(port), "--no-browser"]
        environment = {**os.environ, "OUTFLANK_DATA": folder}
        server = subprocess.Popen(command, cwd=folder, env=environment)
        try:
            _wait_for(port)
            found = asyncio.run(measure(port))
        finally:
            server.terminate()
            server.wait(30)
    table = Table("", "message", "median, ms", "95% within, ms", "times")
    for situation, kinds in found.items():
        for kind, seconds in kinds.items():
            half, most = np.percentile(np.array(seconds) * 1000, [50, 95])
            table.add_row(situation, kind, f"{half:.1f}", f"{most:.1f}", str(len(seconds)))
    console = Console()
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    console.print(table)


def _wait_for(port: int) -> None:
    for _ in range(300):
        with contextlib.suppress(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{port}/api/about")
            return
        time.sleep(0.1)
    raise SystemExit("the server did not begin")


if __name__ == "__main__":
    main()
