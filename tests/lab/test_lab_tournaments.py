"""Tournaments from the page: one is started, watched as it fills, stopped, resumed and opened."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lab.conftest import ADDRESS, Page
from outflank.arena import Store, Tournament, TournamentRunner, ladder, random_openings
from outflank.lab import answers
from outflank.lab.app import create_app
from outflank.lab.settings import LabSettings
from outflank.lab.tournaments import Arena
from outflank.models import shipped_models
from outflank.othello import Game


def start(client: TestClient, status: int = 201, **changes: Any) -> Any:
    body = {"players": ["random", "greedy", "playouts:games=2"], "games": 4, "plies": 4}
    answer = client.post("/api/tournaments", json={**body, **changes})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_tournament(client: TestClient, page: Page) -> None:
    begun = start(client)
    page.say("follow", what="tournament", name=begun["id"], on=True)
    over = page.hear(
        lambda m: m["type"] == "tournament" and m["tournament"]["state"] == "finished"
    )["tournament"]
    assert over["games"] == over["total"] == 12
    assert len(over["pairs"]) == 3
    assert [row["games"] for row in over["standings"]] == [8, 8, 8]
    assert over["standings"][0]["elo"] > over["standings"][-1]["elo"]
    assert client.get("/api/ladder").json()["games"] == 12
    assert [one["id"] for one in client.get("/api/tournaments").json()] == [begun["id"]]
    path = f"/api/tournaments/{begun['id']}/games"
    games = client.get(path, params={"pair": 2}).json()
    assert [one["number"] for one in games] == [0, 1, 2, 3]
    assert games[0]["black"] == games[1]["white"]
    assert all(one["plies"] >= 40 for one in games)
    assert {row["name"] for row in over["standings"]} == {"random", "greedy", "playouts (games 2)"}
    opened = client.post(f"{path}/2/1")
    assert opened.status_code == 201
    table = opened.json()
    assert table["result"]["score"] == games[1]["score"]
    assert (table["black"]["name"], table["white"]["name"]) == ("playouts (games 2)", "greedy")
    assert (over["seed"], over["repeats"], over["resumable"]) == (0, False, False)
    assert "no game 9" in client.post(f"{path}/2/9").json()["error"]
    assert "there is no pair 7" in client.get(path, params={"pair": 7}).json()["error"]
    assert "no such tournament" in client.get("/api/tournaments/99").json()["error"]


def test_a_store_without_games(client: TestClient, settings: LabSettings) -> None:
    settings.results.touch()
    for _ in range(2):  # an empty file, and the store that it becomes
        assert client.get("/api/ladder").json() == {"players": [], "games": 0}
        assert client.get("/api/tournaments").json() == []


@pytest.mark.parametrize("games", ["4", "1_4", "\uff14", "1e1", 4.0, True, None])
def test_what_is_no_whole_number(games: object, client: TestClient) -> None:
    assert "games" in start(client, status=422, games=games)["error"]


def test_stopped_and_resumed(client: TestClient) -> None:
    slow = "playouts:games=300"
    begun = start(client, players=["random", slow], games=100)
    assert "being played" in start(client, 400)["error"]
    time.sleep(1)
    stopped = client.post(f"/api/tournaments/{begun['id']}/stop").json()
    assert stopped["state"] == "stopped"
    assert "not being played" in client.post(f"/api/tournaments/{begun['id']}/stop").json()["error"]
    again = client.post(f"/api/tournaments/{begun['id']}/resume").json()
    assert again["id"] == begun["id"]
    assert again["games"] >= stopped["games"]


def wait_for(client: TestClient, number: int, state: str) -> Any:
    for _ in range(300):
        found = client.get(f"/api/tournaments/{number}").json()
        if found["state"] == state:
            return found
        time.sleep(0.1)
    raise AssertionError(f"it is still {found['state']}")


def test_the_same_tournament_and_another_seed(client: TestClient) -> None:
    body: dict[str, Any] = {"players": ["random", "greedy"], "games": 2}
    first = start(client, **body)
    assert not first["again"]
    wait_for(client, first["id"], "finished")
    again = start(client, **body)
    assert (again["id"], again["again"]) == (first["id"], True)
    wait_for(client, first["id"], "finished")
    other = start(client, **body, seed=7)
    assert (other["again"], other["seed"]) == (False, 7)
    assert other["id"] != first["id"]
    wait_for(client, other["id"], "finished")
    path = "/api/tournaments/{}/games/0/0"
    one, two = (client.post(path.format(each["id"])).json() for each in (first, other))
    assert one["moves"][:4] != two["moves"][:4]
    repeated = start(client, **{**body, "games": 4, "plies": 0})
    assert repeated["repeats"]
    wait_for(client, repeated["id"], "finished")


def stored(settings: LabSettings, *players: str) -> int:
    """Enter a tournament into the store of which nothing is played."""
    with Store(settings.results) as store:
        run = TournamentRunner(Tournament(players, (Game(),), 2), store)
        run.close()
        return run.number


def as_json(value: Any) -> Any:
    """What a reader of the JSON of a value sees: tuples are lists there."""
    return json.loads(json.dumps(value))


def test_rows_are_those_of_the_command(settings: LabSettings, client: TestClient) -> None:
    with Store(settings.results) as store:
        with TournamentRunner(
            Tournament(("random", "greedy"), (Game(),), 2), store, workers=1
        ) as run:
            table = run.play()
        number, rated = run.number, ladder(store)
    found = client.get(f"/api/tournaments/{number}").json()
    named = [{"name": row.spec, **row.to_json()} for row in table.players]
    assert without_elo(found["standings"]) == without_elo(as_json(named))
    pair = {"first": "random", "second": "greedy", **table.pairs[0].to_json()}
    assert found["pairs"] == as_json([pair])
    rows = client.get("/api/ladder").json()["players"]
    named = [{"name": row.spec, **row.to_json()} for row in rated.players]
    assert without_elo(rows) == without_elo(as_json(named))


def without_elo(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lab has a scale of its own; rows in the order of their names."""
    bare = [{k: v for k, v in row.items() if k not in ("elo", "interval")} for row in rows]
    return sorted(bare, key=lambda row: str(row["spec"]))


def test_one_elo_for_one_player(settings: LabSettings, client: TestClient) -> None:
    """In the list of players, in a tournament and on the ladder."""
    deep, other = "alphabeta:eval=discs,depth=2,memory=16", "alphabeta:eval=discs,depth=1,memory=16"
    with Store(settings.results) as store:
        openings = tuple(random_openings(6, 4, seed=1))
        with TournamentRunner(Tournament(("random", "greedy", deep), openings, 8), store) as run:
            run.play()
        with TournamentRunner(Tournament((other, other + "7"), openings, 2), store) as apart:
            pass
    listed = client.get("/api/players").json()["groups"]
    shipped = {one["spec"]: one["elo"] for group in listed for one in group["players"]}
    standings = client.get(f"/api/tournaments/{run.number}").json()["standings"]
    elo = {row["spec"]: row["elo"] for row in standings}
    assert (elo["random"], elo["greedy"]) == (shipped["random"], shipped["greedy"]) == (0, 187)
    assert {row["spec"]: row["elo"] for row in client.get("/api/ladder").json()["players"]} == elo
    assert 0 < elo[deep] < 1500  # on the same scale, though nobody shipped it
    unknown = client.get(f"/api/tournaments/{apart.number}").json()["standings"]
    assert [row["elo"] for row in unknown] == [None, None]  # nothing connects them with it


def test_a_tournament_is_resumed_after_a_restart(settings: LabSettings) -> None:
    with TestClient(create_app(settings), base_url=ADDRESS):
        pass  # the store's folder is there now
    number = stored(settings, "random", "alphabeta:eval=iago,depth=1,memory=16")
    strange = stored(settings, "random", "alphabeta:eval=iago,depth=1,memory=17")
    deep = stored(settings, "random", "alphabeta:eval=iago,depth=20,memory=16")
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        rows = {row["id"]: row for row in client.get("/api/tournaments").json()}
        assert {key: row["resumable"] for key, row in rows.items()} == {
            number: True, strange: False, deep: False,
        }  # fmt: skip
        assert rows[number]["state"] == "stopped"
        assert client.post(f"/api/tournaments/{number}/resume").json()["id"] == number
        assert wait_for(client, number, "finished")["games"] == 2
        answer = client.post(f"/api/tournaments/{number}/resume").json()
        assert "finished already" in answer["error"]
        for other in (strange, deep):
            answer = client.post(f"/api/tournaments/{other}/resume").json()
            assert "not in the lab's list" in answer["error"]


def test_players_that_have_learned_since_are_others(
    settings: LabSettings, tmp_path: Path, client: TestClient
) -> None:
    shipped = {name: model.path for name, model in shipped_models().items()}
    novice, master = shipped["evolved-novice"], shipped["evolved-master"]
    network = settings.runs / "mine" / "player.safetensors"
    network.parent.mkdir(parents=True)
    (network.parent / "config.json").write_text('{"learner": "coevolution"}')
    shutil.copy(novice, network)
    number = stored(settings, "random", f"evolved:{network}")
    shutil.copy(master, network)
    row = client.get(f"/api/tournaments/{number}").json()
    assert row["names"] == ["random", "mine"]
    answer = client.post(f"/api/tournaments/{number}/resume").json()
    assert "has learned since" in answer["error"]
    assert len(client.get("/api/tournaments").json()) == 1


def test_a_process_that_does_not_end_is_killed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = start(client, players=["random", "playouts:games=5000"], games=100)
    lab = client.app.state.lab  # type: ignore[attr-defined]
    process = lab.arena._processes[begun["id"]].process
    monkeypatch.setattr(process, "terminate", lambda: None)
    monkeypatch.setattr("outflank.lab.tournaments._SECONDS_TO_END", 0.3)
    stopped = client.post(f"/api/tournaments/{begun['id']}/stop").json()
    assert (stopped["state"], stopped["error"]) == ("stopped", None)
    assert process.returncode == -9
    assert stopped["resumable"]


def test_followers_do_not_rate_a_tournament_that_stands_still(
    settings: LabSettings, client: TestClient, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = stored(settings, "random", "greedy")
    asked: list[int] = []
    details = Arena.details

    def counted(arena: Arena, one: int) -> answers.TournamentDetails:
        asked.append(one)
        return details(arena, one)

    monkeypatch.setattr("outflank.lab.tournaments._SECONDS_BETWEEN_LOOKS", 0.01)
    monkeypatch.setattr(Arena, "details", counted)
    page.say("follow", what="tournament", name=number, on=True)
    assert page.hear(lambda m: m["type"] == "tournament")["tournament"]["games"] == 0
    time.sleep(0.5)
    assert asked == [number]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"players": ["random", "gtp:cmd=sh"]}, "no such player here"),
        ({"players": ["random", "random", "greedy"]}, "named twice"),
        ({"games": 3}, "an even number"),
    ],
)
def test_what_cannot_be_played(client: TestClient, changes: Any, problem: str) -> None:
    assert problem in start(client, 400, **changes)["error"]


def test_bodies_are_checked(client: TestClient) -> None:
    assert "players" in start(client, 422, players=["random"])["error"]
    assert "games" in start(client, 422, games=100_000)["error"]
