"""Results of our own runs that are shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from outflank import studies
from outflank.studies import Result, Row, draw, find_result, find_study, result_path

SHIPPED = sorted((Path(studies.__file__).parent / "results").glob("*.json"))


HOURS = {"coevolution-reproduction"}  # of two cores, which it was not given yet


@pytest.mark.parametrize(("paper", "count"), [(1, 11), (4, 15)])
def test_all_of_a_paper_are_there(paper: int, count: int) -> None:
    wanted = {
        f"{one.name}-laptop.json"
        for one in studies.studies().values()
        if one.paper == paper and one.name not in HOURS
    }
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


def test_the_users_own_result_goes_first(tmp_path: Path) -> None:
    assert find_result(tmp_path, "imitation-table-2", "smoke") is None
    own = Result(
        "imitation-table-2", 1, "own", "laptop", {}, (), (Row("mine", {"a": 1.0}),), (), None,
        "", 1.0, {}, "",
    )  # fmt: skip
    path = result_path(tmp_path, own.study, own.scale)
    own.save(path)
    assert find_result(tmp_path, own.study, own.scale) == path
