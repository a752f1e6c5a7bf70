"""`outflank study`, as it is typed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from outflank import cli
from outflank.studies import Claim, Result, find_result, result_path, studies

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("COLUMNS", "200")

    def run_command(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outflank", "study", *map(str, words)])
        capsys.readouterr()
        try:
            cli.main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_command


def test_run_list_and_show(run: Run, studies_folder: Path, wthor: Path, tmp_path: Path) -> None:
    place = ("--out", studies_folder)
    code, out, err = run("run", "imitation-figure-3", *place, "--wthor", wthor, "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert (answer["study"], answer["scale"], answer["paper"]) == ("imitation-figure-3", "smoke", 1)
    assert {"columns", "rows", "notes", "command", "seconds", "versions"} <= answer.keys()

    small = ("--scale", "smoke")  # a larger one, which is shipped, would be shown first
    code, out, _ = run("show", "imitation-figure-3", *small, *place)
    assert code == 0
    assert "top-1 [%]" in out
    assert "line (looks one move ahead), moves 46-60" in out
    assert "* Accuracies are of 500 random examples of each test set." in out
    code, out, _ = run("show", "imitation-figure-3", *small, *place, "--json")
    assert json.loads(out) == answer
    code, out, _ = run("show", "imitation-figure-3", *place, "--json")
    assert json.loads(out)["scale"] == "laptop"

    code, out, _ = run("list", *place, "--json")
    listed = {row["name"]: row["results"] for row in json.loads(out)}
    assert listed.keys() == studies().keys()
    assert listed["imitation-figure-3"] == ["smoke", "laptop"]
    assert "imitation-table-9" in run("list")[1]

    pytest.importorskip("matplotlib", reason="needs matplotlib (the extra train)")
    picture = tmp_path / "figure.png"
    assert run("show", "imitation-figure-3", *small, *place, "--figure", picture)[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_judging_anew(run: Run, tmp_path: Path) -> None:
    """A stored verdict that today's code would not give is replaced, and nothing else is."""
    shipped = find_result(tmp_path, "imitation-table-7", "laptop")
    assert shipped is not None
    result = Result.load(shipped)
    path = result_path(tmp_path, result.study, result.scale)
    wrong = replace(result.claims[0], verdict=Claim.HOLDS)
    assert wrong != result.claims[0]
    replace(result, claims=(wrong, *result.claims[1:-1])).save(path)
    code, out, err = run("judge", "imitation-table-7", "--out", tmp_path, "--json")
    assert (code, err) == (0, "")
    first, last = json.loads(out)
    assert first == {
        "study": "imitation-table-7", "scale": "laptop", "text": wrong.text,
        "before": Claim.HOLDS, "after": Claim.OPEN,
    }  # fmt: skip
    assert (last["before"], last["after"]) == ("", result.claims[-1].verdict)
    assert Result.load(path) == result
    assert "No verdict changed." in run("judge", "--out", tmp_path)[1]
    replace(result, claims=(wrong, *result.claims[1:])).save(path)
    assert "holds -> inconclusive" in run("judge", "--out", tmp_path)[1]


def test_a_stale_result_says_so(run: Run, tmp_path: Path) -> None:
    place = ("--out", tmp_path)
    assert "Stale: imitation-fast" in run("show", "imitation-table-2", *place)[1]
    assert "Stale" not in run("show", "coevolution-figure-4", *place)[1]
    answer = json.loads(run("show", "imitation-table-2", *place, "--json")[1])
    assert answer["stale"].startswith("Stale: imitation-fast")


def test_the_papers_figures_stand_in_brackets() -> None:
    from outflank.cli.study import _cell
    from outflank.studies import Column, Estimate, Row

    row = Row.of("x", {"a": Estimate(58.04, 57.0, 59.0, 9), "b": 2.0}, {"a": 58.1, "c": 3.0})
    cells = [_cell(Column(name, name), row) for name in "abcd"]
    assert cells == ["58.0 ±1.0 (58.1)", "2.0", "(3.0)", ""]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["run", "table"], "no such study: 'table'; studies are imitation-table-2"),
        (["run", "imitation-table-2", "--scale", "big"], "no such scale: 'big'; scales are smoke"),
        (["run", "imitation-table-2", "--wthor", "away"], "away: no such folder"),
        (["run", "imitation-table-2", "--years", "x"], "years 'x': accepted are"),
        (
            ["show", "imitation-table-2", "--scale", "smoke", "--out", "away"],
            "; make one with: outflank study run imitation-table-2",
        ),
    ],
)
def test_wrong_words(
    run: Run, words: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert problem in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_says_that_it_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wthor: Path
) -> None:
    def interrupted(*_: object, **__: object) -> bool:
        return False  # as when Ctrl-C was pressed

    monkeypatch.setattr("outflank.studies.workbench.train", interrupted)
    words = ("run", "imitation-figure-3", "--out", tmp_path, "--wthor", wthor)
    code, _, err = run(*words)
    assert code == 130
    assert "run the same command again to continue" in err
