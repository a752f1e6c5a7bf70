"""Pages that vanish while the lab works for them leave no complaint behind."""

from __future__ import annotations

import asyncio
import gc
import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra lab")

from starlette.websockets import WebSocketDisconnect

from hostile.sockets import Lab, answers, leave_abruptly, torment
from outflank.lab.live import Socket

_TRIES = 12


def test_a_page_that_vanishes(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    try:
        game = lab.begin("f5d6c3d3c4f4f6f3e6e7")
        wishes: list[dict[str, object]] = [
            {"type": "hints", "game": game, "ply": 8},
            {"type": "opinions", "game": game, "ply": 6, "players": ["greedy", "random"]},
            {"type": "review", "game": game, "player": "greedy"},
            {"type": "follow", "what": "run", "name": "none", "on": True},
        ]
        draw = random.Random(2)
        for _ in range(_TRIES):
            with lab.page() as page:
                for wish in wishes:
                    page.send(json.dumps(wish))
                if draw.random() < 0.5:
                    page.recv(timeout=30)
                leave_abruptly(page)
        torment(lab, 90, draw)
        assert answers(lab)
    finally:
        code = lab.end()
    assert lab.complaints == [], "".join(lab.errors)
    assert code == 130


@pytest.mark.parametrize("error", [OSError, RuntimeError, WebSocketDisconnect])
def test_an_answer_that_cannot_be_sent(error: type[Exception]) -> None:
    """Nobody is left to hear of it, so it must not be a task's unheard exception."""
    complaints: list[dict[str, Any]] = []

    async def serve() -> None:
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: complaints.append(context)
        )
        heard = iter(['{"type": "ping"}'])

        async def receive() -> str:
            await asyncio.sleep(0.01)
            try:
                return next(heard)
            except StopIteration:
                raise WebSocketDisconnect from None

        async def send(text: str) -> None:
            raise error

        async def accept() -> None:
            pass

        page: Any = SimpleNamespace(accept=accept, receive_text=receive, send_text=send)
        await Socket(SimpleNamespace(), page).serve()  # type: ignore[arg-type]
        gc.collect()
        await asyncio.sleep(0)

    asyncio.run(serve())
    assert complaints == []
