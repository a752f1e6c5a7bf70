"""A run's folder survives what can happen to it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from outflank.errors import DataError, FileError
from outflank.learn import Run


def save_nothing(folder: Path) -> None:
    (folder / "weights").write_bytes(b"1")


def steps(run: Run) -> list[int]:
    return [checkpoint.step for checkpoint in run.checkpoints()]


def test_a_run_comes_back(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {"seed": 3}) as run:
        run.add_metrics(5, {"loss": 0.5})
        run.save_checkpoint(5, save_nothing, score=0.25)
    found = Run.open(tmp_path / "a")
    assert found.config == {"seed": 3}
    assert found.metrics() == [{"step": 5, "loss": 0.5}]
    last = found.last_checkpoint()
    assert last is not None
    assert (last.step, last.score) == (5, 0.25)
    assert (last.folder / "weights").read_bytes() == b"1"
    assert "begun" in (tmp_path / "a" / "log.txt").read_text()


def test_a_run_is_begun_once(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}):
        pass
    with pytest.raises(FileError, match=r"there is one already$"):
        Run.create(tmp_path / "a", {})
    with pytest.raises(DataError, match=r"not a run"):
        Run.resume(tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_a_run_that_died_before_it_had_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "a" / "checkpoints").mkdir(parents=True)
    with Run.create(tmp_path / "a", {"seed": 1}) as run:
        assert run.config == {"seed": 1}


def test_two_processes_cannot_train_one_run(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}):
        with pytest.raises(FileError, match="another process is training this run"):
            Run.resume(tmp_path / "a")
        Run.open(tmp_path / "a")  # looking is allowed
        code = f"from outflank.learn import Run; from pathlib import Path; Run.resume(Path({str(tmp_path / 'a')!r}))"  # noqa: E501
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert "another process is training this run" in other.stderr
    with Run.resume(tmp_path / "a"):
        pass


def test_the_last_two_checkpoints_and_the_best_are_kept(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}) as run:
        for step, score in ((1, 0.1), (2, 0.9), (3, 0.9), (4, None), (5, 0.3), (6, 0.2)):
            run.save_checkpoint(step, save_nothing, score=score)
        assert steps(run) == [2, 5, 6]
        best = run.best_checkpoint()
        assert best is not None
        assert best.step == 2
        assert sorted(path.name for path in (tmp_path / "a" / "checkpoints").iterdir()) == [
            "step-000000002",
            "step-000000005",
            "step-000000006",
        ]


def test_a_checkpoint_that_fails_leaves_the_others(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").write_bytes(b"1")
        raise OSError(28, "No space left on device")

    with Run.create(tmp_path / "a", {}) as run:
        run.save_checkpoint(1, save_nothing)
        with pytest.raises(FileError, match="No space left"):
            run.save_checkpoint(2, fail)
        assert steps(run) == [1]
    with Run.resume(tmp_path / "a") as run:
        assert steps(run) == [1]
        run.save_checkpoint(2, save_nothing)
        assert steps(run) == [1, 2]
        run.save_checkpoint(2, save_nothing)  # once more at the same step
        assert steps(run) == [1, 2]


def test_what_came_after_the_checkpoint_is_cut_off(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}) as run:
        for step in (1, 2, 3):
            run.add_metrics(step, {"loss": 1 / step})
            if step == 2:
                run.save_checkpoint(step, save_nothing)
    metrics = tmp_path / "a" / "metrics.jsonl"
    with metrics.open("a") as stream:
        stream.write('{"step": 4, "lo')  # killed while it wrote
    assert [line["step"] for line in Run.open(tmp_path / "a").metrics()] == [1, 2, 3]
    with Run.resume(tmp_path / "a") as run:
        assert [line["step"] for line in run.metrics()] == [1, 2]
        run.add_metrics(3, {"loss": 0.3})
    assert [json.loads(line)["step"] for line in metrics.read_text().splitlines()] == [1, 2, 3]


def test_damaged_files_are_named(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}):
        pass
    (tmp_path / "a" / "metrics.jsonl").write_text("nonsense\n")
    with pytest.raises(DataError, match=r"metrics\.jsonl: line 1 is no measurement"):
        Run.open(tmp_path / "a").metrics()
    (tmp_path / "a" / "config.json").write_text("{")
    with pytest.raises(DataError, match=r"config\.json: not JSON"):
        Run.open(tmp_path / "a")
