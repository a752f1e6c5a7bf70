"""The socket: hints, opinions, reviews; and messages that make no sense."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from lab.conftest import LIVE, Page, begin
from outflank import _core
from outflank.lab.settings import LabSettings
from outflank.othello import Game, Move
from strategies import random_game

ENDGAME = random_game(11, plies=50)


def test_hints_get_deeper_and_are_exact_near_the_end(client: TestClient, page: Page) -> None:
    game = begin(client, moves=ENDGAME.transcript)
    page.say("hints", game=game, ply=20)
    early = page.hear(lambda m: bool(m.get("done")))
    assert not early["exact"]
    assert set(early["values"]) == names(ENDGAME, 20)
    assert early["depth"] == 10
    ply = len(ENDGAME.moves)
    page.say("hints", game=game, ply=ply)
    last = page.hear(lambda m: bool(m.get("done")) and m["ply"] == ply)
    scored, _ = _core.Solver(1).solve_moves(*ENDGAME.position.bits)
    assert last["exact"]
    assert last["values"] == {Move(move).name: score for move, score in scored}
    page.say("hints", game=game, ply=None)
    page.say("hints", game=game, ply=99)
    assert "there is no ply 99" in page.error()


def names(game: Game, ply: int) -> set[str]:
    return {move.name for move in list(game.positions())[ply].legal_moves}


def test_opinions(client: TestClient, page: Page) -> None:
    game = begin(client, moves="f5d6")
    players = ["policy:imitation-fast", "greedy", "alphabeta:eval=discs,depth=2"]
    page.say("opinions", game=game, ply=2, players=players)
    found = page.hear(lambda m: m["type"] == "opinions" and len(m["players"]) == 3)["players"]
    assert [one["spec"] for one in found] == players
    assert all(one["thought"]["move"] in ("c3", "c4", "c5", "c6", "c7") for one in found)
    page.say("opinions", game=game, ply=2, players=["policy:/etc/passwd"])
    assert "no such player" in page.error()


def test_one_opinion_that_fails_does_not_end_the_others(
    client: TestClient, page: Page, settings: LabSettings
) -> None:
    settings.engines.write_text(json.dumps({"Broken": "gtp:cmd=false", "Odd": "policy:/none"}))
    game = begin(client, moves="f5d6")
    page.say("opinions", game=game, ply=2, players=["engine:Broken", "engine:Odd", "greedy"])
    broken, odd, good = page.hear(lambda m: m["type"] == "opinions" and len(m["players"]) == 3)[
        "players"
    ]
    assert (broken["spec"], broken["name"], broken["thought"]) == ("engine:Broken", "Broken", None)
    assert "false: ended" in broken["error"]
    assert odd["error"]
    assert good["thought"]["move"]
    assert "error" not in good


def test_a_job_that_fails_is_told(
    client: TestClient, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("outflank.lab.analysing.hint", broken)
    page.say("hints", game=begin(client), ply=0)
    assert page.error() == "it failed: by nothing"


def test_reviews_agree_with_the_solver(client: TestClient, page: Page) -> None:
    whole = random_game(11)
    game = begin(client, moves=whole.transcript)
    page.say("review", game=game, player="alphabeta:eval=patterns,depth=1")
    last = page.hear(lambda m: m["type"] == "review" and m["done"] == m["of"])
    assert [one["move"] for one in last["moves"]] == [move.name for move in whole.moves]
    assert last["moves"][-1]["exact"]
    assert last["moves"][-1]["value"] == whole.score  # black's view
    for one, position in zip(last["moves"], whole.positions(), strict=False):
        assert one["side"] == position.turn.value
        assert one["loss"] >= 0
        if one["exact"] and one["line"]:
            assert one["line"][0] == one["best"]
    page.say("review", game=game, player=None)


def test_a_run_that_is_not_there_cannot_be_followed(page: Page) -> None:
    page.say("follow", what="run", name="nothing", on=True)
    assert "no such run" in page.error()
    page.say("follow", what="tournament", name=7, on=True)
    assert "no tournament" in page.error()


WRONG = [
    "", "nothing", "[]", "1", "null", '"ping"', "{}", '{"type": 3}', '{"type": "fly"}',
    '{"type": "join"}', '{"type": "join", "game": "../../etc/passwd"}',
    '{"type": "join", "game": "aaaaaaaaaaaa", "more": 1}',
    '{"type": "join", "game": "aaaaaaaaaaaa"}',
    '{"type": "move", "game": "aaaaaaaaaaaa", "ply": -1, "move": "f5"}',
    '{"type": "move", "game": "aaaaaaaaaaaa", "ply": 1e99, "move": "f5"}',
    '{"type": "delay", "game": "aaaaaaaaaaaa", "seconds": "NaN"}', "[" * 10_000, "{" * 60_000,
    '{"type": "opinions", "game": "aaaaaaaaaaaa", "ply": 0, "players": ["x", "x"]}',
    '{"type": "ping", "x": "' + "y" * 70_000 + '"}',
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_wrong_messages_are_told_and_the_server_goes_on(page: Page, text: str) -> None:
    page.socket.send_text(text)
    assert page.error()
    page.say("ping")
    assert page.hear(lambda m: m["type"] == "pong")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
TYPES = st.sampled_from(
    ["join", "leave", "move", "undo", "redo", "swap", "restart", "pause", "go", "stop", "goto",
     "resign", "delay", "hints", "opinions", "review", "follow", "ping"]
)  # fmt: skip
SENSIBLE = st.fixed_dictionaries(
    {"type": TYPES},
    optional={
        "ply": st.integers(-2, 70) | VALUES,
        "move": st.sampled_from(["f5", "d6", "a1", "pass", "xx"]) | VALUES,
        "seconds": st.floats() | VALUES,
        "side": st.sampled_from(["black", "white", "red"]),
        "players": st.lists(st.sampled_from(["greedy", "random", "gtp:cmd=sh"]), max_size=3),
        "player": st.none() | st.just("greedy"),
        "what": st.sampled_from(["run", "tournament"]),
        "name": st.just("nothing") | st.integers(),
        "on": st.booleans(),
    },
)


@limits(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=st.lists(SENSIBLE | VALUES, max_size=12), real=st.booleans())
def test_any_messages_in_any_order(client: TestClient, messages: list[Any], real: bool) -> None:
    game = begin(client, black="greedy" if real else "human", white="human")
    with client.websocket_connect(LIVE) as socket:
        page = Page(socket)
        for message in messages:
            if isinstance(message, dict) and "type" in message:
                message = {"game": game, **message}
            socket.send_text(json.dumps(message))
        page.say("ping")
        assert page.hear(lambda m: m["type"] == "pong")
    assert client.get(f"/api/games/{game}").status_code == 200


def test_bytes_end_the_connection(page: Page) -> None:
    page.socket.send_bytes(b"\x00\x01")
    with pytest.raises(WebSocketDisconnect):
        page.hear(lambda m: False)


def test_a_flood_ends_the_connection(page: Page) -> None:
    with pytest.raises(WebSocketDisconnect):  # noqa: PT012
        for _ in range(400):
            page.say("ping")
        page.hear(lambda m: False)
    assert any("too many" in m.get("message", "") for m in page.heard)
