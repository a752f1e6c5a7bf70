"""Training from the page: a real run is started, watched, paused, resumed and played against."""

from __future__ import annotations

import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from lab.conftest import Page, begin
from outflank.lab.learners import LEARNERS, learner_of
from outflank.lab.settings import LabSettings

SMALL = ["shape=only", "depth=1", "deepest=2", "top_depth=2", "checkpoint_every=2"]


def start(client: TestClient, status: int = 201, **changes: Any) -> Any:
    body = {"learner": "coevolution", "preset": "smoke", "name": "first", "settings": SMALL}
    answer = client.post("/api/runs", json={**body, **changes})
    assert answer.status_code == status, answer.text
    return answer.json()


def wait_for(client: TestClient, name: str, *states: str) -> Any:
    for _ in range(600):
        run = client.get(f"/api/runs/{name}").json()
        if run["state"] in states:
            return run
        time.sleep(0.1)
    raise AssertionError(f"it is still {run['state']}")


def test_from_beginning_to_end(client: TestClient, page: Page) -> None:
    begun = start(client)
    assert (begun["name"], begun["learner"]) == ("first", "coevolution")
    page.say("follow", what="run", name="first", on=True)
    seen: list[float] = []

    def is_over(message: dict[str, Any]) -> bool:
        if message["type"] == "run":
            seen.extend(line["step"] for line in message["metrics"])
            return bool(message["run"]["state"] == "finished")
        return False

    page.hear(is_over)
    page.say("follow", what="run", name="first", on=False)
    run = wait_for(client, "first", "finished")
    assert seen == list(range(1, 21)) == [line["step"] for line in run["metrics"]]
    names = {series["name"] for curve in run["curves"] for series in curve["series"]}
    assert names <= set(run["metrics"][0])
    assert run["config"]["shape"] == "only"
    # It plays.
    assert run["player"] == "run:first"
    game = begin(client, black="human", white="run:first")
    page.say("join", game=game)
    page.say("move", game=game, ply=0, move="f5")
    assert page.table(lambda t: len(t["moves"]) == 2)["white"]["name"] == "first"
    groups = {group["id"] for group in client.get("/api/players").json()["groups"]}
    assert "runs" in groups
    assert "is finished" in client.post("/api/runs/first/resume").json()["error"]


def test_paused_resumed_and_stopped(client: TestClient, settings: LabSettings) -> None:
    start(client, settings=[*SMALL, "generations=100000"])
    assert "already" in start(client, 400)["error"]
    for _ in range(300):
        if client.get("/api/runs/first").json()["step"] > 2:
            break
        time.sleep(0.1)
    paused = client.post("/api/runs/first/pause").json()
    assert paused["state"] == "paused"
    assert "not training" in client.post("/api/runs/first/pause").json()["error"]
    at = paused["step"]
    assert client.post("/api/runs/first/resume").json()["state"] == "running"
    assert "already" in client.post("/api/runs/first/resume").json()["error"]
    for _ in range(300):
        if client.get("/api/runs/first").json()["step"] > at:
            break
        time.sleep(0.1)
    stopped = client.post("/api/runs/first/stop").json()
    assert stopped["state"] == "stopped"
    assert stopped["step"] > at
    assert (settings.runs / "first" / "player.safetensors").is_file()
    assert [one["name"] for one in client.get("/api/runs").json()] == ["first"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"learner": "magic"}, "no such learner"),
        ({"preset": "none"}, "none"),
        ({"name": "../up"}, "a run's name has"),
        ({"name": ""}, "a run's name has"),
        ({"settings": ["population=3"]}, "population: 3"),
        ({"settings": ["--out=/etc"]}, "not a setting"),
        ({"settings": ["nothing=1"]}, "nothing"),
        ({"learner": "imitation", "settings": ["start=/etc/passwd"]}, "not a setting"),
        ({"learner": "imitation", "settings": ["lessons=x"]}, "not a setting"),
        ({"learner": "imitation", "settings": []}, "no such folder"),
    ],
)
def test_what_cannot_be_started_is_explained(
    client: TestClient, settings: LabSettings, changes: dict[str, Any], problem: str
) -> None:
    assert problem in start(client, 400, **changes)["error"]
    assert not settings.runs.exists()


def test_every_learner_knows_its_runs() -> None:
    for learner in LEARNERS.values():
        assert learner_of(learner.config().to_json()) is learner
    assert learner_of({}) is None
    assert learner_of({"something": 1}) is None
