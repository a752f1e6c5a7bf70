"""`outflank learn imitation test`, as it is typed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from outflank import cli
from outflank.learn import Run, train
from outflank.learn.imitation import gather_material, make_trainer, preset

Test = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, weighted_wthor: Path) -> Path:
    """The folder of a run of a small line network."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    settings = ["examples=2000", "epochs=1", "split=example", "dataset=original"]
    config = preset("line-smoke").with_settings(settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OUTFLANK_DATA", str(tmp_path_factory.mktemp("store")))
        trainer = make_trainer(config, gather_material(config, wthor=weighted_wthor))
        with Run.create(folder, config.to_json()) as run:
            assert train(run, trainer)
    return folder


@pytest.fixture
def test(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Test:
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: object) -> tuple[int, str, str]:
        arguments = ["outflank", "learn", "imitation", "test", *map(str, words)]
        monkeypatch.setattr(sys, "argv", arguments)
        capsys.readouterr()
        try:
            cli.main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_for_programs(test: Test, trained: Path, weighted_wthor: Path) -> None:
    code, out, err = test(trained, "--wthor", weighted_wthor, "--years", "2001-2002", "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert {"examples", "accuracy", "top3", "legal", "by_ply"} <= answer.keys()
    assert 0 < answer["accuracy"] < answer["top3"] <= 1
    assert answer["legal"] == 1  # the line network scores legal moves only
    assert sum(answer["examples_by_ply"].values()) == answer["examples"] > 4000
    assert set(answer["seconds_per_position"]) == {"256", "1"}
    assert (answer["set"], answer["years"]) == ("all", "2001-2002")
    assert "trained on games of 2001-2002" in answer["warning"]
    assert "ties on symmetric boards" in answer["ties"]
    assert 0 < answer["value_mse"] < 4


@pytest.mark.parametrize("split", ["original", "unseen", "unique-s"])
def test_held_out(test: Test, trained: Path, weighted_wthor: Path, split: str) -> None:
    words = [trained, "--wthor", weighted_wthor, "--split", split]
    code, out, _ = test(*words, "--examples", 50, "--json")
    answer = json.loads(out)
    assert (code, answer["set"], answer["examples"], answer["seed"]) == (0, split, 50, 1)
    assert bool(answer["warning"]) == (split == "unique-s")


def test_for_people(test: Test, trained: Path, weighted_wthor: Path) -> None:
    words = [trained, "--wthor", weighted_wthor, "--split", "unique-s", "--examples", 100]
    code, out, err = test(*words, "--seed", 4)
    assert code == 0
    assert "among the 3 highest" in out
    assert "equal scores count against the move" in out
    assert "Note: the network's split had the seed 1" in err


def test_several_as_one(test: Test, trained: Path, weighted_wthor: Path) -> None:
    """The mean of a network with itself is that network; with another one it is another."""

    def answer(*words: object) -> dict[str, Any]:
        code, out, _ = test(*words, "--wthor", weighted_wthor, "--examples", 400, "--json")
        assert code == 0
        found: dict[str, Any] = json.loads(out)
        return found

    alone, doubled = answer(trained), answer(f"{trained}+{trained}")
    assert doubled["accuracy"] == alone["accuracy"]
    assert doubled["loss"] == pytest.approx(alone["loss"], rel=1e-5)
    mixed = answer(f"{trained}+imitation-0ply")
    assert mixed["loss"] != pytest.approx(alone["loss"], rel=1e-3)
    assert mixed["network"] == "line+line-0ply"
    assert "trained on games of" in mixed["warning"]
    every = answer(trained, "--symmetric")
    assert (alone["symmetric"], every["symmetric"]) == (False, True)
    assert every["accuracy"] == alone["accuracy"]  # a line network is symmetric by itself
    assert every["ties"] == alone["ties"]
    words = [trained, "--wthor", weighted_wthor, "--examples", 50, "--symmetric"]
    assert f"{trained.name}, over mirror images: " in test(*words)[1]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--years", "2001-2009"], "no games of 2004-2009; years there are 2001-2003"),
        (["--years", "last"], "years 'last': accepted are 2004, 1977-2015 and -2000"),
        (["--split", "hard"], "no such test set: 'hard'"),
        (["--split", "original", "--held-out", "2"], "invalid value for '--held-out'"),
        (["--split", "original", "--held-out", "0"], "nothing is left to test with"),
    ],
)
def test_wrong_words(
    test: Test, trained: Path, weighted_wthor: Path, words: list[str], problem: str
) -> None:
    code, out, err = test(trained, "--wthor", weighted_wthor, *words)
    assert (code, out) == (2, "")
    assert problem in err
    assert len(err.splitlines()) == 1


def test_wrong_places(test: Test, trained: Path, tmp_path: Path) -> None:
    places: list[tuple[list[object], str]] = [
        ([trained, "--wthor", tmp_path], "no WTH_*.wtb files in it"),
        ([trained, "--wthor", tmp_path / "away"], "no such folder"),
        (["nobody"], "no such network: 'nobody'"),
        ([tmp_path], "holds no network"),
    ]
    for words, problem in places:
        code, _, err = test(*words)
        assert (code, len(err.splitlines())) == (2, 1)
        assert problem in err
