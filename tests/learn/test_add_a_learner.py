"""docs/add-a-learner.md, followed step by step: its learner is in the command and in the lab."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from learn.toy_learner import MODULE, PAGE, write_toy_learner
from outflank.errors import OutflankError
from outflank.learn import learners, player_of_run, read_status, registry


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What makes the toy known, in this process and in those that it starts."""
    added = write_toy_learner(tmp_path / "package")
    monkeypatch.syspath_prepend(added["PYTHONPATH"])
    for name, value in added.items():
        monkeypatch.setenv(name, value)
    return {**os.environ}


def command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "outflank", "learn", *words],
        cwd=cwd, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def test_the_line_of_the_registry(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(registry.VARIABLE)
    assert "bandit" not in learners()
    assert f'+    "{MODULE}",\n' in PAGE.read_text()
    line = MODULE.replace("outflank.learn.", "")  # the toy is a package outside of ours
    monkeypatch.setattr(registry, "MODULES", (*registry.MODULES, line))
    assert list(learners())[-1] == "bandit"


def test_it_is_in_the_command(environment: dict[str, str], tmp_path: Path) -> None:
    listed = {
        row["name"]: row for row in json.loads(command("list", "--json", cwd=tmp_path).stdout)
    }
    assert listed["bandit"]["title"] == "Bandit: find the best of some simple players"
    assert listed["bandit"]["presets"] == ["usual", "smoke"]
    assert listed["bandit"]["needs"] == []
    assert "bandit" in command("list", cwd=tmp_path).stdout
    shown = command("bandit", "--preset", "usual", "--fields", cwd=tmp_path)
    assert "players to choose from" in " ".join(shown.stdout.split())
    words = ["bandit", "--preset", "smoke", "--run", "first", "--json"]
    ended = command(*words, "--hours", "0", "--set", "seed=3", cwd=tmp_path)
    assert json.loads(ended.stdout.splitlines()[-1])["event"] == "stopped", ended.stderr
    folder = tmp_path / "runs" / "first"
    assert read_status(folder).state == "paused"
    assert json.loads((folder / "config.json").read_text())["learner"] == "bandit"
    ended = command("bandit", "--run", "first", "--resume", "--json", cwd=tmp_path)
    last = json.loads(ended.stdout.splitlines()[-1])
    assert (last["event"], last["step"]) == ("finished", 8)
    assert last["metrics"]["best"] == "greedy"
    assert player_of_run(folder) == "greedy"
    again = command(*words, cwd=tmp_path)
    assert (again.returncode, "--resume continues it" in again.stderr) == (2, True)
    other = command("coevolution", "--run", "first", "--resume", cwd=tmp_path)
    assert (other.returncode, "is a run of bandit" in other.stderr) == (2, True)


def test_killed_and_resumed_it_ends_the_same(environment: dict[str, str], tmp_path: Path) -> None:
    words = ["bandit", "--preset", "usual", "--run"]
    assert command(*words, "whole", cwd=tmp_path).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "outflank", "learn", *words, "killed"],
        cwd=tmp_path, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    lines = tmp_path / "runs" / "killed" / "metrics.jsonl"
    deadline = time.monotonic() + 60
    while not lines.exists() or lines.read_bytes().count(b"\n") < 6:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert read_status(tmp_path / "runs" / "killed").state == "paused"
    assert command("bandit", "--run", "killed", "--resume", cwd=tmp_path).returncode == 0

    def metrics(run: str) -> list[dict[str, Any]]:
        text = (tmp_path / "runs" / run / "metrics.jsonl").read_text()
        return [{**json.loads(line), "seconds": 0} for line in text.splitlines()]

    assert metrics("killed") == metrics("whole")
    assert len(metrics("whole")) == 50


def test_it_is_in_the_lab(environment: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("fastapi", reason="needs the extra lab")
    from starlette.testclient import TestClient

    from lab.conftest import ADDRESS, settings_in
    from outflank.lab.app import create_app

    with TestClient(create_app(settings_in(tmp_path)), base_url=ADDRESS) as client:
        rows = {row["name"]: row for row in client.get("/api/learners").json()}
        assert rows["bandit"]["default"] == "smoke"
        assert rows["bandit"]["needs"] is None
        body = {"learner": "bandit", "preset": "smoke", "name": "toy", "settings": ["epsilon=0.1"]}
        closed = client.post("/api/runs", json={**body, "settings": ["arms=greedy"]})
        assert "not a setting" in closed.json()["error"]
        assert client.post("/api/runs", json=body).status_code == 201
        for _ in range(300):
            run = client.get("/api/runs/toy").json()
            if run["state"] != "running":
                break
            time.sleep(0.1)
        assert (run["state"], run["learner"], run["step"]) == ("finished", "bandit", 8), run
        assert run["player"] == "run:toy"
        assert run["curves"][0]["series"][0]["name"] == "winning_rate"
        assert run["config"]["epsilon"] == 0.1
        players = client.get("/api/players").json()["groups"]
        assert any(one["name"] == "toy" for group in players for one in group["players"])


@pytest.mark.parametrize(
    ("module", "problem"),
    [
        ("nowhere.learner", "nowhere.learner: not a module with a LEARNER"),
        ("json", "json: not a module with a LEARNER"),
    ],
)
def test_a_module_that_is_no_learner(
    module: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(registry.VARIABLE, module)
    with pytest.raises(OutflankError, match=problem):
        learners()
