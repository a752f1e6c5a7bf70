"""Games in the lab: people and players at a table, over the socket."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from lab.conftest import ADDRESS, LIVE, Page, begin
from outflank.lab.app import create_app
from outflank.lab.seats import Seats
from outflank.lab.settings import LabSettings
from outflank.othello import Color, Game, Move
from outflank.players import Player, Thought
from outflank.players.search import AlphaBetaPlayer
from outflank.players.simple import GreedyPlayer

GREEDY = "greedy"


def moves_of(table: dict[str, Any]) -> list[str]:
    return list(table["moves"])


def test_a_person_plays_a_player(client: TestClient, page: Page) -> None:
    game = begin(client, black="human", white=GREEDY)
    page.say("join", game=game)
    assert page.table()["plies"][0]["legal"] == ["d3", "c4", "f5", "e6"]
    page.say("move", game=game, ply=0, move="f5")
    answered = page.table(lambda table: len(table["moves"]) == 2)
    assert answered["moves"][0] == "f5"
    assert answered["plies"][2]["turn"] == "black"
    assert answered["thinking"] is None
    assert answered["thoughts"]["1"]["move"] == answered["moves"][1]
    assert answered["white"] == {"spec": GREEDY, "name": "greedy", "human": False}


def test_a_whole_game_between_players(client: TestClient, page: Page) -> None:
    game = begin(client, black="random", white="alphabeta:eval=discs,depth=2")
    page.say("join", game=game)
    table = page.table(lambda table: table["result"] is not None)
    played = Game.from_moves(table["moves"])
    assert played.is_over
    assert table["result"]["score"] == played.score
    assert table["result"]["reason"] == "board"
    assert table["clock"]["running"] is None
    assert [place["over"] for place in table["plies"]] == [False] * len(played) + [True]


def test_wrong_moves_are_explained(client: TestClient, page: Page) -> None:
    game = begin(client, black="human", white="human")
    page.say("join", game=game)
    for ply, move, problem in [
        (0, "a1", "a1 is illegal: it outflanks no white disc"),
        (0, "d4", "d4 is illegal: the square is taken"),
        (0, "pass", "black may not pass: there are legal moves"),
        (0, "z9", "z9"),
        (7, "f5", "there is no ply 7; the game has 0"),
    ]:
        page.say("move", game=game, ply=ply, move=move)
        assert problem in page.error()
    page.say("undo", game=game)
    assert "nothing to undo" in page.error()
    page.say("redo", game=game)
    assert "nothing to redo" in page.error()


def test_undo_and_redo_go_to_the_persons_choices(client: TestClient, page: Page) -> None:
    game = begin(client, black="human", white=GREEDY)
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    whole = moves_of(page.table(lambda table: len(table["moves"]) == 2))
    page.say("undo", game=game)
    table = page.table(lambda table: not table["moves"])
    assert table["future"] == whole
    page.say("redo", game=game)
    table = page.table(lambda table: len(table["moves"]) == 2)
    assert (table["moves"], table["future"]) == (whole, [])
    page.say("undo", game=game)
    page.say("move", game=game, ply=0, move="d3")
    table = page.table(lambda table: len(table["moves"]) == 2 and table["moves"][0] == "d3")
    assert table["future"] == []


def test_playing_from_an_earlier_moment_begins_a_branch(client: TestClient, page: Page) -> None:
    game = begin(client, moves="f5d6c3d3c4")
    page.say("join", game=game)
    assert page.table()["opening"] == "Tiger"
    page.say("move", game=game, ply=2, move="c4")
    assert moves_of(page.table(lambda t: len(t["moves"]) == 3)) == ["f5", "d6", "c4"]


def test_a_moment_becomes_the_present(client: TestClient, page: Page) -> None:
    game = begin(client, moves="f5d6c3d3c4")
    page.say("join", game=game)
    page.say("goto", game=game, ply=2)
    table = page.table(lambda t: len(t["moves"]) == 2)
    assert table["future"] == ["c3", "d3", "c4"]
    page.say("move", game=game, ply=2, move="c3")  # what was played there
    assert page.table(lambda t: len(t["moves"]) == 3)["future"] == ["d3", "c4"]
    page.say("goto", game=game, ply=9)
    assert "there is no ply 9" in page.error()


def test_forced_passes_are_played(client: TestClient, page: Page) -> None:
    """After a5 white has no move."""
    start = "-OX-----" + "-" * 48 + "------OX X"
    game = begin(client, start=start, black="human", white="human")
    page.say("join", game=game)
    page.table()
    page.say("move", game=game, ply=0, move="a1")
    table = page.table(lambda t: t["moves"])
    assert moves_of(table) == ["a1", "pass"]
    assert table["plies"][-1]["turn"] == "black"


def test_resigning_swapping_and_beginning_again(client: TestClient, page: Page) -> None:
    game = begin(client, black="human", white=GREEDY)
    page.say("join", game=game)
    page.say("resign", game=game, side="black")
    result = page.table(lambda t: t["result"])["result"]
    assert (result["winner"], result["reason"]) == ("white", "resigned")
    page.say("move", game=game, ply=0, move="f5")
    assert "the game is over" in page.error()
    page.say("restart", game=game)
    assert page.table(lambda t: t["result"] is None)["moves"] == []
    page.say("swap", game=game)
    table = page.table(lambda t: len(t["moves"]) == 1)  # the player has black now
    assert table["black"]["spec"] == GREEDY
    assert table["white"]["human"]


def test_it_is_not_your_turn(client: TestClient, page: Page) -> None:
    game = begin(client, black="human", white="alphabeta:eval=iago,depth=14,time=20")
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    page.table(lambda t: t["thinking"] == "white")
    page.say("move", game=game, ply=1, move="d6")
    assert "it is the turn of iago (depth 14, time 20)" in page.error()
    thought = page.hear(lambda m: m["type"] == "thinking")["thought"]
    assert thought["line"]
    page.say("stop", game=game)  # it must move now
    assert len(page.table(lambda t: len(t["moves"]) == 2)["moves"]) == 2


def test_leaving_a_game_cancels_its_search(client: TestClient, page: Page) -> None:
    game = begin(client, black="alphabeta:eval=iago,depth=14,time=60", white="human")
    page.say("join", game=game)
    page.table(lambda t: t["thinking"] == "black")
    page.say("leave", game=game)
    began = time.monotonic()
    page.say("ping")
    page.hear(lambda m: m["type"] == "pong")
    assert client.get(f"/api/games/{game}").json()["thinking"] is None
    assert time.monotonic() - began < 5


def test_a_clock_that_runs_out_loses(client: TestClient, page: Page) -> None:
    game = begin(client, minutes=0.005)
    page.say("join", game=game)
    result = page.table(lambda t: t["result"])["result"]
    assert (result["winner"], result["reason"]) == ("white", "time")


def test_players_wait_between_moves_and_when_paused(client: TestClient, page: Page) -> None:
    game = begin(client, black=GREEDY, white=GREEDY, delay=60, paused=True)
    page.say("join", game=game)
    assert page.table()["clock"]["running"] is None
    page.say("go", game=game)
    assert page.table()["thinking"] == "black"
    page.say("pause", game=game)
    assert page.table(lambda t: t["paused"])["moves"] == []
    page.say("delay", game=game, seconds=0)
    page.say("step", game=game)
    assert len(page.table(lambda t: t["paused"] and t["moves"])["moves"]) == 1
    page.say("delay", game=game, seconds=0)
    page.say("go", game=game)
    assert page.table(lambda t: len(t["moves"]) >= 3)


def test_a_handicap(client: TestClient, page: Page) -> None:
    game = begin(client, black="human", white="policy:imitation-fast", budget=10)
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    assert page.table(lambda t: len(t["moves"]) == 2)["budget"] == 10


def test_a_game_survives_the_server(settings: LabSettings) -> None:
    app = create_app(settings)
    with TestClient(app, base_url=ADDRESS) as client:
        game = begin(client, black="human", white=GREEDY, moves="f5d6")
        with client.websocket_connect(LIVE) as socket:
            page = Page(socket)
            page.say("join", game=game)
            page.say("move", game=game, ply=2, move="c3")
            before = page.table(lambda t: len(t["moves"]) == 4)
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        after = client.get(f"/api/games/{game}").json()
        for part in ("moves", "plies", "black", "white", "thoughts", "created"):
            assert after[part] == before[part]
        assert [one["id"] for one in client.get("/api/games").json()] == [game]
        assert client.delete(f"/api/games/{game}").status_code == 204
        assert client.get(f"/api/games/{game}").status_code == 404
        assert client.delete(f"/api/games/{game}").status_code == 404


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 9}', '{"format": 1, "id": 3}'])
def test_a_damaged_game_is_told_and_the_others_go_on(
    settings: LabSettings, client: TestClient, content: str
) -> None:
    good = begin(client)
    (settings.games / "games" / "aaaaaaaaaaaa.json").write_text(content)
    answer = client.get("/api/games/aaaaaaaaaaaa")
    assert answer.status_code == 400
    assert "not a game of the lab" in answer.json()["error"]
    listed = {one["id"]: one for one in client.get("/api/games").json()}
    assert "problem" in listed["aaaaaaaaaaaa"]
    assert listed[good]["plies"] == 0


def test_two_pages_see_the_same_game(client: TestClient) -> None:
    game = begin(client)
    with (
        client.websocket_connect(LIVE) as one,
        client.websocket_connect(LIVE) as two,
    ):
        first, second = Page(one), Page(two)
        for page in (first, second):
            page.say("join", game=game)
            page.table()
        first.say("move", game=game, ply=0, move="f5")
        assert moves_of(second.table(lambda t: t["moves"])) == ["f5"]


def test_the_speed_is_changed_while_players_play(client: TestClient, page: Page) -> None:
    game = begin(client, black=GREEDY, white=GREEDY, delay=60)
    page.say("join", game=game)
    page.table(lambda t: t["thinking"] == "black")
    page.say("delay", game=game, seconds=50)
    page.table(lambda t: t["delay"] == 50)
    page.say("delay", game=game, seconds=0.01)  # at once, not after what is left of the 50
    assert page.table(lambda t: len(t["moves"]) >= 2)


def test_who_only_watches_does_not_set_a_game_going(client: TestClient, page: Page) -> None:
    game = begin(client, black=GREEDY, white=GREEDY, delay=1, minutes=5)
    page.say("join", game=game, watch=True)
    assert page.table()["clock"]["running"] is None
    page.say("ping")
    page.hear(lambda m: m["type"] == "pong")
    with client.websocket_connect(LIVE) as socket:
        other = Page(socket)
        other.say("join", game=game)
        assert other.table()["thinking"] == "black"
        assert page.table(lambda t: t["clock"]["running"])["thinking"] == "black"
        other.say("join", game=game, watch=True)
        assert page.table()["thinking"] is None
        other.say("join", game=game)
        assert page.table()["thinking"] == "black"
    assert page.table(lambda t: t["thinking"] is None)["result"] is None
    page.say("join", game=game, watch=1)
    assert "watch" in page.error()


def test_the_list_tells_where_people_play(client: TestClient) -> None:
    played, watched = begin(client, white=GREEDY), begin(client, black=GREEDY, white="random")
    listed = {one["id"]: one["human"] for one in client.get("/api/games").json()}
    assert listed[played] == {"black": True, "white": False}
    assert listed[watched] == {"black": False, "white": False}


def test_a_forgotten_game_does_not_come_back(
    client: TestClient, page: Page, settings: LabSettings
) -> None:
    game = begin(client, black="human", white="alphabeta:eval=iago,depth=14,time=60")
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    page.table(lambda t: t["thinking"] == "white")
    assert client.delete(f"/api/games/{game}").status_code == 204
    assert page.hear(lambda m: m["type"] == "gone")["game"] == game
    page.say("leave", game=game)
    page.say("move", game=game, ply=1, move="d6")
    assert "no such game" in page.error()
    page.say("join", game=game)
    assert "no such game" in page.error()
    assert not list((settings.games / "games").iterdir())
    assert client.get("/api/games").json() == []


@pytest.mark.parametrize(
    ("given", "words"), [(("by nothing",), "by nothing"), ((), "ZeroDivisionError")]
)
def test_a_player_that_fails_loses(
    client: TestClient,
    page: Page,
    monkeypatch: pytest.MonkeyPatch,
    given: tuple[str, ...],
    words: str,
) -> None:
    def broken(*_: object, **__: object) -> Thought:
        raise ZeroDivisionError(*given)

    monkeypatch.setattr(GreedyPlayer, "think", broken)
    game = begin(client, black=GREEDY, white="human")
    page.say("join", game=game)
    result = page.table(lambda t: t["result"])["result"]
    assert (result["winner"], result["reason"]) == ("white", "error")
    assert result["text"] == f"greedy failed: it failed: {words}"


def test_a_player_that_plays_wrongly_loses(
    client: TestClient, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GreedyPlayer, "think", lambda *_, **__: Thought(Move("a1")))
    game = begin(client, black=GREEDY, white="human")
    page.say("join", game=game)
    assert "a1 is illegal" in page.table(lambda t: t["result"])["result"]["text"]


def test_a_player_is_told_to_move_before_it_thinks(
    client: TestClient, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, ready = Seats.player, threading.Event()

    def slow(seats: Seats, side: Color) -> Player:
        ready.wait(30)
        return make(seats, side)

    monkeypatch.setattr(Seats, "player", slow)
    game = begin(client, black="alphabeta:eval=iago,depth=14,time=60", white="human")
    page.say("join", game=game)
    assert page.table(lambda t: t["thinking"])["can_stop"]
    page.say("stop", game=game)
    page.say("ping")
    page.hear(lambda m: m["type"] == "pong")
    ready.set()
    table = page.table(lambda t: t["moves"])
    assert table["thoughts"]["0"]["depth"] == 1
    assert table["can_stop"] is None


def test_not_every_player_can_be_hurried(client: TestClient, page: Page) -> None:
    game = begin(client, black="playouts:games=5000", white="human")
    page.say("join", game=game)
    assert page.table(lambda t: t["thinking"])["can_stop"] is False
    page.say("stop", game=game)
    assert "playouts (games 5000) cannot move at once" in page.error()


def test_leaving_gives_no_time_back(client: TestClient, page: Page) -> None:
    game = begin(client, minutes=5)
    page.say("join", game=game)
    page.table()
    time.sleep(0.3)
    page.say("leave", game=game)
    page.say("ping")
    page.hear(lambda m: m["type"] == "pong")
    assert 0.3 <= client.get(f"/api/games/{game}").json()["clock"]["black"] < 5


def test_clocks_go_back_with_the_moves(client: TestClient, page: Page) -> None:
    game = begin(client, minutes=0.02)  # 1.2 seconds
    page.say("join", game=game)
    page.table()
    time.sleep(0.2)
    page.say("move", game=game, ply=0, move="f5")
    assert page.table(lambda t: t["result"])["result"]["reason"] == "time"
    page.say("goto", game=game, ply=1)
    table = page.table(lambda t: t["result"] is None)
    assert table["clock"]["black"] >= 0.2
    assert table["clock"]["white"] < 0.5
    page.say("undo", game=game)
    clock = page.table(lambda t: not t["moves"])["clock"]
    assert max(clock["black"], clock["white"]) < 0.2
    page.say("redo", game=game)
    clock = page.table(lambda t: t["moves"])["clock"]
    assert clock["black"] >= 0.2
    page.say("move", game=game, ply=0, move="d3")  # another beginning
    assert page.table(lambda t: t["moves"] == ["d3"])["clock"]["white"] < 0.2


def test_beginning_again_keeps_the_opening(client: TestClient, page: Page) -> None:
    game = begin(client, moves="f5d6c3")
    page.say("join", game=game)
    assert page.table()["given"] == 3
    page.say("move", game=game, ply=3, move="d3")
    page.say("goto", game=game, ply=1)
    page.say("restart", game=game)
    page.table(lambda t: len(t["moves"]) == 1)
    table = page.table(lambda t: not t["future"])
    assert moves_of(table) == ["f5", "d6", "c3"]
    page.say("move", game=game, ply=1, move="f4")  # another opening: of it, one move is left
    page.say("restart", game=game)
    page.table(lambda t: moves_of(t) == ["f5", "f4"])
    assert moves_of(page.table()) == ["f5"]
    page.say("goto", game=game, ply=0)
    page.say("move", game=game, ply=0, move="d3")
    assert page.table(lambda t: moves_of(t) == ["d3"])["given"] == 0


def test_there_is_nothing_to_take_back_before_your_first_choice(
    client: TestClient, page: Page
) -> None:
    game = begin(client, black=GREEDY, white="human")
    page.say("join", game=game)
    table = page.table(lambda t: len(t["moves"]) == 1)
    assert not table["can_undo"]
    page.say("undo", game=game)
    assert "nothing to undo" in page.error()
    page.say("move", game=game, ply=1, move=table["plies"][1]["legal"][0])
    assert page.table(lambda t: len(t["moves"]) == 3)["can_undo"]
    page.say("undo", game=game)
    assert len(page.table()["moves"]) == 1


def test_a_handicap_never_changes_the_player(client: TestClient, page: Page) -> None:
    chosen = "policy:imitation-0ply,temperature=1"
    game = begin(client, black="human", white=chosen, budget=10)
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    table = page.table(lambda t: len(t["moves"]) == 2)
    name = "imitation-0ply, gives away up to 10 discs"
    assert (table["black"]["name"], table["white"]["name"]) == ("You", name)
    lab = client.app.state.lab  # type: ignore[attr-defined]
    player = lab.tables.find(game)._seats._players["white"]
    assert (player.kind, player.name, player.discs) == ("lenient", "imitation-0ply", 10)
    body = {"black": "human", "white": "alphabeta:eval=iago,depth=3", "budget": 10}
    refused = client.post("/api/games", json=body)
    assert (refused.status_code, refused.json()["error"]) == (
        400, "iago (depth 3) plays without a handicap; only networks can have one",
    )  # fmt: skip


def test_undo_takes_back_a_resignation_alone(client: TestClient, page: Page) -> None:
    game = begin(client, black="human", white=GREEDY)
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    page.table(lambda t: len(t["moves"]) == 2)
    page.say("resign", game=game, side="black")
    resigned = page.table(lambda t: t["result"])
    assert resigned["result"]["text"] == "Black resigns: White wins."
    assert resigned["can_undo"]
    page.say("undo", game=game)
    table = page.table(lambda t: t["result"] is None)
    assert (table["moves"], table["future"]) == (resigned["moves"], [])
    page.say("undo", game=game)
    assert page.table()["moves"] == []


def test_the_list_says_which_games_were_played(client: TestClient, page: Page) -> None:
    """Not those that were only set up, or opened from a file."""
    untouched = begin(client, black="human", white=GREEDY, moves="f5d6")
    begun = begin(client, black="human", white="human", moves="f5d6")
    page.say("join", game=begun)
    page.say("move", game=begun, ply=2, move="c3")
    page.table(lambda t: len(t["moves"]) == 3)
    token = client.post("/api/records", content=b"f5d6c3").json()["token"]
    opened = client.post(f"/api/records/{token}/0").json()["id"]
    played = {row["id"]: row["played"] for row in client.get("/api/games").json()}
    assert played == {untouched: False, begun: True, opened: False}
    page.say("join", game=opened)
    page.say("move", game=opened, ply=3, move="d3")
    page.table(lambda t: len(t["moves"]) == 4 and t["id"] == opened)
    played = {row["id"]: row["played"] for row in client.get("/api/games").json()}
    assert played[opened]  # it was played on


def test_players_are_let_go_when_nobody_plays(
    client: TestClient, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outflank.lab.seats._SECONDS_KEPT", 0.05)
    closed: list[str] = []
    monkeypatch.setattr(AlphaBetaPlayer, "close", lambda player: closed.append(player.eval))
    game = begin(client, black="human", white="alphabeta:eval=iago,depth=1")
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    table = page.table(lambda t: len(t["moves"]) == 2)
    page.say("leave", game=game)
    page.say("join", game=game, watch=True)
    for _ in range(200):
        if closed:
            break
        time.sleep(0.05)
    assert closed == ["iago"]
    page.say("join", game=game)
    page.say("move", game=game, ply=2, move=table["plies"][2]["legal"][0])
    assert page.table(lambda t: len(t["moves"]) == 4)


def test_a_player_thinks_while_a_person_does(
    client: TestClient, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    about: list[str] = []
    monkeypatch.setattr(
        GreedyPlayer,
        "start_pondering",
        lambda self, position: about.append(position.turn.value),
        raising=False,
    )
    game = begin(client, black="human", white=GREEDY)
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    page.table(lambda table: len(table["moves"]) == 2)
    assert about == ["black"]
    both = begin(client, black=GREEDY, white=GREEDY)
    page.say("join", game=both)
    page.table(lambda table: table["id"] == both and table["result"] is not None)
    assert about == ["black"]
