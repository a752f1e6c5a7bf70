"""Tournaments from the page: one is started, watched as it fills, stopped, resumed and opened."""

from __future__ import annotations

import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from lab.conftest import Page


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
    assert table["black"]["name"] == games[1]["black"]
    assert "no game 9" in client.post(f"{path}/2/9").json()["error"]
    assert "there is no pair 7" in client.get(path, params={"pair": 7}).json()["error"]
    assert "no such tournament" in client.get("/api/tournaments/99").json()["error"]


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
