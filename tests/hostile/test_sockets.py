"""Pages that vanish while the lab works for them leave no complaint behind."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the extra lab")

from hostile.sockets import Lab, answers, leave_abruptly, torment

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
