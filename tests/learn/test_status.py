"""What a run is doing, as its folder says."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from outflank.errors import DataError, OutflankError
from outflank.learn import Run, read_status, train
from outflank.learn.status import BY_HAND, KILLED, Status, stop_by_hand


class Counting:
    """A trainer that counts, and fails at a step if it should."""

    score = ""

    def __init__(self, steps: int = 10, fails_at: int = -1) -> None:
        self.step, self.steps, self.fails_at = 0, steps, fails_at

    @property
    def pace(self) -> tuple[int, int]:
        return 2, 4

    def train_until(self, step: int) -> Mapping[str, float]:
        if step >= self.fails_at > 0:
            raise DataError("something\nbroke")
        self.step = step
        return {"loss": 1 / step}

    def measure(self) -> Mapping[str, Any]:
        return {"loss": 1 / self.step}

    def save(self, folder: Path) -> None:
        (folder / "step").write_text(str(self.step))

    def load(self, folder: Path) -> None:
        self.step = int((folder / "step").read_text())

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        pass


def test_it_is_running_and_then_finished(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}, learner="counting") as run:
        assert read_status(run.folder).state == "running"
        assert train(run, Counting())
    found = read_status(tmp_path / "a")
    assert (found.state, found.why, found.step, found.steps) == ("finished", "", 10, 10)
    assert found.seconds is not None
    assert found.remaining is None
    assert found.changed
    content = json.loads((tmp_path / "a" / "status.json").read_text())
    assert (content["state"], content["step"], content["steps"]) == ("finished", 10, 10)


def test_the_time_is_over(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}) as run:
        assert not train(run, Counting(), hours=0)
    found = read_status(tmp_path / "a")
    assert (found.state, found.step, found.steps) == ("paused", 0, 10)
    assert found.why == "reached the time limit of 0 hours"
    assert Run.open(tmp_path / "a").last_checkpoint() is not None
    with Run.resume(tmp_path / "a") as run:
        assert read_status(run.folder).why == ""
        assert train(run, Counting())
    assert read_status(tmp_path / "a").state == "finished"


def test_a_failure_is_kept_in_one_line(tmp_path: Path) -> None:
    with (
        pytest.raises(DataError, match="something"),
        Run.create(tmp_path / "a", {}) as run,
    ):
        train(run, Counting(fails_at=6))
    found = read_status(tmp_path / "a")
    assert (found.state, found.why) == ("failed", "something broke")
    with Run.resume(tmp_path / "a") as run:  # it may be mended
        assert train(run, Counting())
    assert read_status(tmp_path / "a").state == "finished"


def test_a_run_that_was_left_without_training(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}):
        pass
    assert read_status(tmp_path / "a").state == "paused"
    with pytest.raises(KeyboardInterrupt), Run.resume(tmp_path / "a"):
        raise KeyboardInterrupt
    assert read_status(tmp_path / "a").state == "paused"
    assert "interrupted" in read_status(tmp_path / "a").why


def test_a_process_that_was_killed(tmp_path: Path) -> None:
    code = (
        "import os, signal; from pathlib import Path; from outflank.learn import Run; "
        f"Run.create(Path({str(tmp_path / 'a')!r}), {{}}); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert json.loads((tmp_path / "a" / "status.json").read_text())["state"] == "running"
    found = read_status(tmp_path / "a")
    assert (found.state, found.why) == ("paused", KILLED)


def test_only_a_paused_run_is_stopped_by_hand(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}) as run:
        stop_by_hand(run.folder)
        assert read_status(run.folder).state == "running"
    stop_by_hand(run.folder)
    assert read_status(run.folder).state == "stopped"
    assert read_status(run.folder).why == BY_HAND
    with pytest.raises(OutflankError, match="only the process that trains"):
        Run.open(tmp_path / "a").report(step=1)


@pytest.mark.parametrize(
    ("log", "state"),
    [
        ("begun", "paused"),
        ("stopped at step 4", "paused"),
        ("stopped by hand", "stopped"),
        ("finished at step 4", "finished"),
        ("finished at step 4\n2020-01-01 00:00:00+00:00 resumed at step 4", "paused"),
    ],
)
def test_a_run_of_an_older_version(log: str, state: str, tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}) as run:
        run.save_checkpoint(4, lambda folder: None)
    (tmp_path / "a" / "status.json").unlink()
    (tmp_path / "a" / "log.txt").write_text(f"2020-01-01 00:00:00+00:00 {log}\n")
    found = read_status(tmp_path / "a")
    assert (found.state, found.step) == (state, 4)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "not JSON"),
        ("[]", "holds a list"),
        ("{}", "state: None; accepted is running, paused"),
        ('{"state": "asleep"}', "state: 'asleep'"),
        ('{"state": "paused", "step": "x"}', "step: 'x'"),
    ],
)
def test_a_damaged_status_is_named_and_mended(content: str, problem: str, tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}) as run:
        pass
    (tmp_path / "a" / "status.json").write_text(content)
    with pytest.raises(DataError, match=rf"status\.json: .*{problem}"):
        read_status(run.folder)
    with Run.resume(tmp_path / "a"):
        pass
    assert read_status(run.folder).state == "paused"


def test_fields_of_a_newer_version_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "status.json").write_text('{"state": "finished", "step": 3, "mood": "good"}')
    assert read_status(tmp_path) == Status("finished", step=3)
