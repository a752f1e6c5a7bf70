"""What the lab promises when it is under load, or killed."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

from outflank import _core
from outflank.lab.tables import _Writer
from outflank.lab.thinking import Pool


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
