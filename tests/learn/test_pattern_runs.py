"""The evaluation by patterns as a run: it resumes, it plays, and its old options still work."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank import _core, cli
from outflank.errors import DataError
from outflank.evaluations import evaluation
from outflank.learn import Run, find_learner, player_of_run, read_status, train_run
from outflank.learn.patterns import (
    PatternsConfig,
    PatternsTrainer,
    gather_positions,
    improve_patterns,
    preset,
)
from outflank.nets.files import load_tensors
from outflank.othello.boards import Boards
from outflank.players import make_player

PATTERNS = find_learner("patterns")
SMOKE = preset("smoke")


def weights_of(run: Path) -> Any:
    return load_tensors(run / "player.safetensors", kind="patterns")[0]["weights"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, weighted_wthor: Path) -> Path:
    """A run that was never interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    ending = train_run(PATTERNS, folder, SMOKE, options={"wthor": weighted_wthor})
    assert ending.finished
    return folder


def test_a_run_does_what_its_parts_do(whole: Path, weighted_wthor: Path) -> None:
    """The first step fits the weights, each other is a round of self-play."""
    positions = gather_positions(SMOKE, wthor=weighted_wthor)
    train = positions.training
    fitted = _core.fit_patterns(
        train.own, train.other, train.score.astype(np.float32), passes=SMOKE.passes, rate=2.0
    )
    improved = improve_patterns(fitted, train, SMOKE.temporal_difference)
    assert np.array_equal(weights_of(whole), improved)
    lines = Run.open(whole).metrics()
    assert [line["step"] for line in lines] == list(range(1, 2 + SMOKE.rounds))
    assert "own_error" not in lines[0]  # only rounds have one
    assert lines[-1]["own_error"] > 0
    assert lines[-1]["held_out"] == len(positions.held_out) > 0


def test_the_fit_finds_the_scores_of_the_games(weighted_wthor: Path) -> None:
    """Of those that it learns from: these games are too few to say much about others."""
    config = dataclasses.replace(SMOKE, passes=40, rounds=0)
    games = gather_positions(config, wthor=weighted_wthor)
    trainer = PatternsTrainer(config, dataclasses.replace(games, held_out=games.training))
    before = trainer.measure()["error"]
    trainer.train_until(1)
    assert trainer.measure()["error"] < 0.5 * before


def test_the_run_plays(whole: Path) -> None:
    assert json.loads((whole / "config.json").read_text())["learner"] == "patterns"
    spec = player_of_run(whole)
    assert spec is not None
    assert spec.startswith("alphabeta:eval=")
    with make_player(spec) as player:
        boards = Boards.start(1)
        assert boards.legal_mask()[0, player.choose_many(boards)[0]]
    own, other = np.array([0x10], np.uint64), np.array([0x20], np.uint64)
    white = np.zeros(1, np.bool_)
    assert np.array_equal(
        evaluation(str(whole)).evaluate(own, other, white),
        _core.PatternEvaluation(weights_of(whole)).evaluate(own, other, white),
    )


def curve(run: Path) -> list[dict[str, Any]]:
    return [{**line, "seconds": 0} for line in Run.open(run).metrics()]


def test_killed_and_resumed_it_ends_the_same(
    whole: Path, weighted_wthor: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "outflank", "learn", "patterns", "--runs", str(tmp_path)]
    command += ["--run", "killed", "--wthor", str(weighted_wthor)]
    folder = tmp_path / "killed"
    process = subprocess.Popen([*command, "--preset", "smoke"], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    lines = folder / "metrics.jsonl"
    while not lines.exists() or lines.read_bytes().count(b"\n") < 4:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert read_status(folder).state == "paused"
    ending = train_run(PATTERNS, folder, options={"wthor": weighted_wthor})
    assert ending.finished
    assert curve(folder) == curve(whole)
    assert np.array_equal(weights_of(folder), weights_of(whole))


def test_saved_between_two_measurements_it_goes_on_exactly(
    weighted_wthor: Path, tmp_path: Path
) -> None:
    positions = gather_positions(SMOKE, wthor=weighted_wthor)
    one, two = (PatternsTrainer(SMOKE, positions) for _ in range(2))
    one.train_until(3)
    one.save(tmp_path)
    two.load(tmp_path)
    one.train_until(6)
    two.train_until(6)
    assert one.measure() == two.measure()
    assert one.learner is not None
    assert two.learner is not None
    assert np.array_equal(one.learner.exact_weights(), two.learner.exact_weights())


def test_a_checkpoint_of_something_else_is_refused(weighted_wthor: Path, tmp_path: Path) -> None:
    positions = gather_positions(SMOKE, wthor=weighted_wthor)
    trainer = PatternsTrainer(SMOKE, positions)
    trainer.train_until(1)
    trainer.save(tmp_path)
    with pytest.raises(DataError, match="another configuration"):
        PatternsTrainer(dataclasses.replace(SMOKE, seed=5), positions).load(tmp_path)
    others = dataclasses.replace(positions, facts={**positions.facts, "games": 1})
    with pytest.raises(DataError, match="other games") as refused:
        PatternsTrainer(SMOKE, others).load(tmp_path)
    assert refused.value.remedy == "same-games"


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("passes=0", "passes: 0; accepted is 1 to"),
        ("epsilon=2", "epsilon: 2.0; accepted is 0 to 1"),
        ("slip=2", "epsilon: 2.0; accepted is 0 to 1"),
        ("trace=-1", "td_lambda: -1.0; accepted is 0 to 1"),
        ("least_opening=20", "least_opening: 20; accepted is at most most_opening, 12"),
    ],
)
def test_settings_that_are_not_accepted(setting: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        PatternsConfig().with_settings([setting])


def outflank(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["outflank", "learn", "patterns", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_the_options_from_before_it_had_runs(
    weighted_wthor: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--wthor", str(weighted_wthor), "--passes", "4", "--years", "2001-2003"]
    assert outflank(monkeypatch, "--out", "one.safetensors", *words, "--json") == 0
    (answer,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert answer.keys() == {
        "positions", "held_out", "error", "error_by_empties", "seconds", "file",
    }  # fmt: skip
    assert answer["file"] == "one.safetensors"
    assert [path.name for path in tmp_path.iterdir()] == ["one.safetensors"]
    assert outflank(monkeypatch, "--out", "two.safetensors", *words) == 0
    assert "held-out ones" in capsys.readouterr().out
    # With a run, they are settings of its configuration.
    words += ["--run", "a", "--preset", "smoke", "--self-play", "1", "--out", "three.safetensors"]
    assert outflank(monkeypatch, *words, "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["event"] == "finished"
    _, config = read_config_of(tmp_path / "runs" / "a")
    assert (config["passes"], config["rounds"], config["years"]) == (4, 1, "2001-2003")
    three = (tmp_path / "three.safetensors").read_bytes()
    assert three == (tmp_path / "runs" / "a" / "player.safetensors").read_bytes()
    assert outflank(monkeypatch, "--out", "no/where.safetensors") == 2
    assert "no: no such folder" in capsys.readouterr().err


def read_config_of(folder: Path) -> tuple[str, dict[str, Any]]:
    run = Run.open(folder)
    return run.learner, run.config
