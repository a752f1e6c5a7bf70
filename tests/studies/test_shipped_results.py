"""Results of our own runs that are shipped."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from outflank import studies
from outflank.studies import Result, Row, draw, find_result, find_study, result_path

PAPERS = json.loads((Path(studies.__file__).parent / "papers.json").read_text())
SHIPPED = sorted((Path(studies.__file__).parent / "results").glob("*.json"))

NOT_RUN = {  # hours and days of two cores
    "imitation-comparisons", "coevolution-reproduction",
}  # fmt: skip


@pytest.mark.parametrize(("paper", "count"), [(1, 11), (2, 8), (3, 7), (4, 15)])
def test_all_of_a_paper_are_there(paper: int, count: int) -> None:
    names = {one.name for one in studies.studies().values() if one.paper == paper} - NOT_RUN
    names = {name for name in names if not name.startswith("coevolution-repaired-")}
    wanted = {f"{name}-laptop.json" for name in names}
    assert len(wanted) == count
    assert wanted <= {path.name for path in SHIPPED}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_result_is_whole(path: Path, tmp_path: Path) -> None:
    result = Result.load(path)
    study = find_study(result.study)
    assert find_result(tmp_path, study.name, result.scale) == path
    assert result.scale != "smoke"  # figures of that scale mean nothing
    assert any(row.values for row in result.rows)
    assert all(row.values or row.paper for row in result.rows)
    assert not any(word.startswith(("/", "..")) for word in result.command.split())
    if result.plot is not None:
        draw(result, tmp_path / "figure.svg")
        assert (tmp_path / "figure.svg").stat().st_size > 1000


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_claims_are_what_the_code_says_of_the_rows(path: Path) -> None:
    """If not: outflank study judge --out src/outflank/studies, and make figures-in-docs."""
    result = Result.load(path)
    assert find_study(result.study).judged(result).claims == result.claims


def test_rows_that_are_turned_upside_down_are_judged_otherwise() -> None:
    judged = 0
    for path in SHIPPED:
        result = Result.load(path)
        if find_study(result.study).judge is None:
            continue  # studies of self-play judge when they are run
        if not result.claims or result.measured or result.plot is not None:
            continue  # of those with a plot or measured figures, more than rows is judged
        rows = tuple(
            replace(row, values=_turned(row.values), intervals=_turned_pairs(row.intervals))
            for row in result.rows
        )
        changed = find_study(result.study).judged(replace(result, rows=rows))
        assert changed.claims != result.claims
        judged += 1
    assert judged >= 7


def _turned(values: Mapping[str, float]) -> dict[str, float]:
    return {name: 100 - value for name, value in values.items()}


def _turned_pairs(intervals: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    return {name: [100 - high, 100 - low] for name, (low, high) in intervals.items()}


def test_figures_of_the_papers_are_those_of_the_data_file() -> None:
    """What each result printed beside ours when it was made, against papers.json."""
    compared = 0
    for path in SHIPPED:
        result = Result.load(path)
        table = result.study.removeprefix("imitation-")
        if result.paper != 1 or not table.startswith("table-"):
            continue
        columns = PAPERS["1"][table]["columns"]
        printed = {
            name: dict(zip(columns, figures, strict=True))
            for name, figures in PAPERS["1"][table]["rows"].items()
        }
        stored = [dict(row.paper) for row in result.rows if row.paper]
        assert sorted(map(_sorted, stored)) == sorted(map(_sorted, printed.values()))
        compared += len(stored)
    assert compared > 30


def _sorted(figures: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(figures.items())


def test_the_users_own_result_goes_first(tmp_path: Path) -> None:
    assert find_result(tmp_path, "imitation-table-2", "smoke") is None
    own = Result(
        "imitation-table-2", 1, "own", "laptop", {}, (), (Row("mine", {"a": 1.0}),), (), None,
        "", 1.0, {}, "",
    )  # fmt: skip
    path = result_path(tmp_path, own.study, own.scale)
    own.save(path)
    assert find_result(tmp_path, own.study, own.scale) == path
