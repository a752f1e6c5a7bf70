"""What the lab promises when it is under load, or killed."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lab.conftest import LIVE, Page, begin
from outflank import _core
from outflank.errors import DataError
from outflank.lab import analysing
from outflank.lab.tables import _Writer
from outflank.lab.thinking import Pool
from outflank.players import Spec
from strategies import random_game


def test_work_of_a_kind_takes_turns() -> None:
    at_once, most = 0, 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.02)
        with lock:
            at_once -= 1

    async def ask() -> None:
        pool = Pool()
        await asyncio.gather(*(pool.run_in_turn("review", work, _core.Stop()) for _ in range(20)))
        cancelled = asyncio.create_task(pool.run_in_turn("review", work, _core.Stop()))
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        for _ in range(5):  # the places of cancelled work are free again
            await pool.run_in_turn("review", work, _core.Stop())
        await pool.close()

    asyncio.run(ask())
    assert 1 < most <= max(2, _core.available_threads())


@pytest.mark.parametrize(
    ("kind", "function", "about"),
    [
        ("hints", "hint", {"ply": 2}),
        ("opinions", "opinion", {"ply": 2, "players": ["greedy"]}),
        ("review", "review", {"player": "greedy"}),
    ],
)
def test_what_many_pages_ask_for_takes_turns(
    kind: str,
    function: str,
    about: dict[str, Any],
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = _core.available_threads() + 6
    at_once = most = done = 0
    lock = threading.Lock()

    def think(*_: Any) -> dict[str, Any]:
        nonlocal at_once, most, done
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.1)
        with lock:
            at_once -= 1
            done += 1
        return {"spec": "greedy", "name": "Greedy", "thought": None, "error": "no opinion"}

    monkeypatch.setattr(analysing, function, think)
    game = begin(client, moves="f5d6")
    with contextlib.ExitStack() as stack:
        for _ in range(pages):
            Page(stack.enter_context(client.websocket_connect(LIVE))).say(kind, game=game, **about)
        until = time.monotonic() + 30
        while done < pages and time.monotonic() < until:
            time.sleep(0.01)
    assert done == pages
    assert most <= max(2, _core.available_threads())


@pytest.mark.parametrize("plies", [2, 50])
def test_hints_take_little_memory(plies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = []

    def note(spec: str) -> Any:
        specs.append(spec)
        raise DataError("enough")

    monkeypatch.setattr(analysing, "make_player", note)
    with pytest.raises(DataError, match="enough"):
        analysing.hint(random_game(11, plies=plies), _core.Stop(), lambda part: None)
    assert [Spec.parse(spec).options["memory"] for spec in specs] == ["16"]


def test_a_game_is_announced_when_it_is_stored(tmp_path: Path) -> None:
    seen: list[bytes] = []
    writer = _Writer()
    path = tmp_path / "game.json"
    for number in range(50):
        content = str(number).encode()
        writer.write(path, content, lambda: seen.append(path.read_bytes()))
    writer.close()
    assert len(seen) == 50
    assert seen[-1] == b"49"
    # Each was announced after its own content, or a later one, was on the disk.
    assert [int(content) for content in seen] == sorted(int(content) for content in seen)
    assert all(int(content) >= number for number, content in enumerate(seen))


def test_the_memory_of_tables_goes_back_to_the_system() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    def search() -> None:
        solver = _core.Solver(16)
        solver.clear()  # touches all of it

    before = resident()
    for _ in range(4):
        threads = [threading.Thread(target=search) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (resident() - before) * 4096 < 32 << 20
