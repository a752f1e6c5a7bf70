"""Engines of others in the lab: they can be ended while they think."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from lab.conftest import Page, begin
from outflank import _core
from outflank.errors import ThinkingStoppedError
from outflank.lab import analysing
from outflank.lab.roster import Roster
from outflank.lab.settings import LabSettings
from outflank.othello import Game
from outflank.players import make_player

ENGINE = Path(__file__).parents[1] / "protocols" / "faulty_engine.py"


@pytest.fixture(autouse=True)
def slow(settings: LabSettings) -> None:
    """An engine that does not answer within a minute."""
    spec = f'gtp:cmd="{sys.executable} {ENGINE} gtp hangs"'
    settings.engines.write_text(json.dumps({"Slow": spec}))


def test_leaving_ends_an_engine_that_thinks(client: TestClient, page: Page) -> None:
    game = begin(client, black="engine:Slow", white="human")
    page.say("join", game=game)
    assert page.table(lambda t: t["thinking"])["can_stop"] is False
    page.say("stop", game=game)
    assert "Slow cannot move at once" in page.error()
    time.sleep(0.5)  # it has been asked now
    page.say("pause", game=game)
    page.table(lambda t: t["paused"])
    table = client.app.state.lab.tables.find(game)  # type: ignore[attr-defined]
    assert table._seats.in_use.acquire(timeout=10)
    table._seats.in_use.release()
    page.say("swap", game=game)
    page.say("go", game=game)
    page.say("move", game=game, ply=0, move="f5")
    table = page.table(lambda t: t["moves"])
    assert (table["thinking"], table["result"]) == ("white", None)


@pytest.mark.parametrize("what", ["think", "opinion", "review"])
def test_an_engine_is_ended_by_whoever_does_not_wait(settings: LabSettings, what: str) -> None:
    roster, game, stop = Roster(settings), Game.from_transcript("f5d6"), _core.Stop()
    name = "engine:Slow"
    asked: dict[str, Callable[[], object]] = {
        "think": lambda: roster.make(name).think(game, stop=stop),
        "opinion": lambda: analysing.opinion(name, roster, game, stop),
        "review": lambda: analysing.review(name, roster, game, stop, lambda part: None),
    }
    threading.Timer(0.5, stop.set).start()
    began = time.monotonic()
    with pytest.raises(ThinkingStoppedError):
        asked[what]()
    assert time.monotonic() - began < 10


def test_what_engines_answer_in() -> None:
    program = sys.executable
    assert make_player(f"nboard:cmd={program}").unit == "discs"
    assert make_player(f"edax:path={program}").unit == "discs"
    assert make_player(f"gtp:cmd={program}").unit == "own"
