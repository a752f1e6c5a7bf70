"""Training from the page: a real run is started, watched, paused, resumed and played against."""

from __future__ import annotations

import json
import math
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from lab.conftest import Page, begin
from outflank.lab.settings import LabSettings
from outflank.learn import Run, find_learner, learner_of, learners
from outflank.learn.status import BY_HAND, KILLED

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


def test_stopped_is_still_stopped_after_a_restart(
    client: TestClient, settings: LabSettings
) -> None:
    a_run(settings, "one")
    assert client.get("/api/runs/one").json()["state"] == "paused"
    stopped = client.post("/api/runs/one/stop").json()
    assert (stopped["state"], stopped["why"]) == ("stopped", BY_HAND)
    assert client.get("/api/runs/one").json()["state"] == "stopped"
    with Run.resume(settings.runs / "one") as run:
        run.report(step=3)
    assert client.get("/api/runs/one").json()["state"] == "paused"
    with Run.resume(settings.runs / "one") as run:
        run.report(state="finished", step=4)
    assert client.post("/api/runs/one/stop").json()["state"] == "finished"


def test_a_run_of_an_older_version(client: TestClient, settings: LabSettings) -> None:
    """It has no status.json, and its configuration names no learner."""
    run = a_run(settings, "one", learner="")
    (run.folder / "status.json").unlink()
    run.log("stopped at step 3")
    row = client.get("/api/runs/one").json()
    assert (row["state"], row["learner"]) == ("paused", "coevolution")
    run.log("stopped by hand")
    assert client.get("/api/runs/one").json()["state"] == "stopped"
    run.log("resumed at step 3")
    assert client.get("/api/runs/one").json()["state"] == "paused"
    run.log("finished at step 4")
    assert client.post("/api/runs/one/stop").json()["state"] == "finished"
    run.log("resumed at step 4")
    assert client.post("/api/runs/one/stop").json()["state"] == "stopped"
    run.log("finished at step 5")  # from now on, nobody reads the log
    assert client.get("/api/runs/one").json()["state"] == "stopped"


def a_run(settings: LabSettings, name: str, learner: str = "coevolution") -> Run:
    """A run as the command makes it, which nobody trains now."""
    config = find_learner("coevolution").configure("smoke").to_json()
    with Run.create(settings.runs / name, config, learner=learner) as run:
        return run


def test_a_run_whose_process_was_killed(client: TestClient, settings: LabSettings) -> None:
    start(client, settings=[*SMALL, "generations=100000"])
    for _ in range(300):
        if client.get("/api/runs/first").json()["step"] > 2:
            break
        time.sleep(0.1)
    status = json.loads((settings.runs / "first" / "status.json").read_text())
    os.kill(status["pid"], signal.SIGKILL)
    run = wait_for(client, "first", "paused")
    assert (run["why"], run["error"]) == (KILLED, None)
    assert client.post("/api/runs/first/resume").json()["state"] == "running"
    assert client.post("/api/runs/first/stop").json()["state"] == "stopped"


def test_a_run_that_fails_says_why(client: TestClient, settings: LabSettings) -> None:
    run = a_run(settings, "one")
    with Run.resume(run.folder):
        run.save_checkpoint(3, lambda folder: None)
    client.post("/api/runs/one/resume")
    found = wait_for(client, "one", "failed")
    assert "population.safetensors" in found["error"]
    assert json.loads((run.folder / "status.json").read_text())["why"] == found["error"]


def test_names_of_the_command_and_damaged_runs(client: TestClient, settings: LabSettings) -> None:
    a_run(settings, "good.run-1+" + 60 * "x").add_metrics(3, {"score": 1.0})
    a_run(settings, "no-config")
    (settings.runs / "no-config" / "config.json").write_text("{")
    a_run(settings, "no-metrics")
    (settings.runs / "no-metrics" / "metrics.jsonl").write_text('{"step": 1}\nnothing\n')
    a_run(settings, "odd name")
    rows = {row["name"]: row for row in client.get("/api/runs").json()}
    assert rows.keys() == {"good.run-1+" + 60 * "x", "no-config", "no-metrics"}
    good = rows.pop("good.run-1+" + 60 * "x")
    assert (good["state"], good["step"], good["learner"]) == ("paused", 3, "coevolution")
    assert client.get(f"/api/runs/{good['name']}").json()["metrics"] == [{"step": 3, "score": 1.0}]
    assert {row["state"] for row in rows.values()} == {"failed"}
    assert good.keys() == rows["no-config"].keys()
    assert "not JSON" in rows["no-config"]["error"]
    assert "line 2 is no measurement" in rows["no-metrics"]["error"]
    assert "not JSON" in client.get("/api/runs/no-config").json()["error"]


def test_measurements_are_read_as_they_come(
    client: TestClient, settings: LabSettings, page: Page
) -> None:
    run = a_run(settings, "one")
    run.add_metrics(1, {"score": math.nan, "points": 2.0, "kind": "x", "good": True})
    assert client.get("/api/runs/one").json()["metrics"] == [{"step": 1, "points": 2.0}]
    page.say("follow", what="run", name="one", on=True)
    assert page.hear(lambda m: m["type"] == "run")["metrics"] == [{"step": 1, "points": 2.0}]
    run.add_metrics(2, {"score": 4})
    with (run.folder / "metrics.jsonl").open("a") as half:
        half.write('{"step": 3')
    assert page.hear(lambda m: m["type"] == "run")["metrics"] == [{"step": 2, "score": 4}]
    (run.folder / "other").write_text('{"step": 1}\n')  # cut, as when a run is resumed
    (run.folder / "other").replace(run.folder / "metrics.jsonl")
    assert client.get("/api/runs/one").json()["metrics"] == [{"step": 1}]


def test_only_new_measurements_are_read(client: TestClient, settings: LabSettings) -> None:
    run = a_run(settings, "one")
    run.add_metrics(1, {"score": 3})
    client.get("/api/runs")
    with (run.folder / "metrics.jsonl").open("r+b") as old:
        old.write(b"x")  # nobody looks there again
    run.add_metrics(2, {"score": 4})
    steps = [line["step"] for line in client.get("/api/runs/one").json()["metrics"]]
    assert steps == [1, 2]


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux tells who holds a lock")
def test_a_run_that_the_command_trains(client: TestClient, settings: LabSettings) -> None:
    a_run(settings, "one")
    with Run.resume(settings.runs / "one"):
        row = client.get("/api/runs").json()[0]
        assert (row["state"], row["elsewhere"]) == ("running", True)
        assert "was not started here" in client.post("/api/runs/one/pause").json()["error"]
        assert "was not started here" in client.post("/api/runs/one/stop").json()["error"]
        assert "training already" in client.post("/api/runs/one/resume").json()["error"]
    row = client.get("/api/runs").json()[0]
    assert (row["state"], row["elsewhere"]) == ("paused", False)


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
    for learner in learners().values():
        config = learner.config().to_json()
        assert learner_of(learner.name, config) is learner
        assert learner_of("", config) is learner
    assert learner_of("", {}) is None
    assert learner_of("", {"something": 1}) is None
    assert learner_of("nobody", find_learner("imitation").config().to_json()) is None


def test_old_names_of_settings_say_whose_run_it_is() -> None:
    config = find_learner("coevolution").config().to_json()
    config["step"], config["rate"] = config.pop("sigma"), config.pop("learning_rate")
    del config["tensorboard"]
    assert learner_of("", config) is find_learner("coevolution")


def test_the_page_has_every_learner(client: TestClient) -> None:
    rows = client.get("/api/learners").json()
    assert [row["name"] for row in rows] == list(learners())
    for row in rows:
        learner = find_learner(row["name"])
        assert [one["name"] for one in row["presets"]] == list(learner.presets)
        assert row["default"] in learner.presets
    needs = {row["name"]: row["needs"] for row in rows}
    assert needs["coevolution"] is None
    assert "no such folder" in needs["imitation"]
