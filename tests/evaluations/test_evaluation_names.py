"""How evaluations are found by name, and what is said about names that nothing has."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import numpy as np
import pytest

import outflank.evaluations.registry
from evaluations.player_texts import random_tuples, text_of
from outflank.errors import DataError, FileError, RecordError, SpecError
from outflank.evaluations import (
    Unit,
    evaluation,
    evaluations,
    fingerprint_of,
    league_entries,
    league_network,
    unit_of,
)
from outflank.evaluations.evolved import EvolvedNetwork
from outflank.players import make_player


def test_all_have_a_name_of_their_own_and_say_what_they_are() -> None:
    listed = evaluations()
    assert len({one.name for one in listed}) == len(listed)
    assert all(one.summary and one.source for one in listed)
    assert {entry.name for entry in league_entries()} <= {one.name for one in listed}


def test_which_are_in_discs() -> None:
    """The others' numbers mean something only beside each other."""
    files = {entry.name for entry in league_entries() if entry.file}
    found = [one.name for one in evaluations() if one.name not in files]
    assert {"iago", "mobility", "evolved-novice", "course"} < set(found)
    in_discs = {name for name in found if unit_of(evaluation(name)) is Unit.DISCS}
    assert in_discs == {"champion", "discs", "patterns"}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("mobilty", "unknown evaluation 'mobilty'; did you mean 'mobility'?"),
        ("Iago", "unknown evaluation 'Iago'; did you mean 'iago'?"),
        ("cocmaes-4+2x", "unknown evaluation 'cocmaes-4+2x'; did you mean 'cocmaes-4+2x2'?"),
    ],
)
def test_a_wrong_name_is_answered_with_the_likely_one(name: str, problem: str) -> None:
    with pytest.raises(SpecError) as caught:
        evaluation(name)
    assert str(caught.value) == problem


def test_a_name_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(SpecError, match="unknown evaluation 'xyz'; there are discs, mobility, swh"):
        evaluation("xyz")


def test_a_player_that_was_not_fetched_is_told_where_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTFLANK_LEAGUE", str(tmp_path / "none"))
    hint = "get the players with: outflank data fetch league"
    with pytest.raises(DataError) as caught:
        evaluation("pb11-etdl")
    assert str(caught.value) == f"{tmp_path / 'none'}: no such folder; {hint}"
    monkeypatch.setenv("OUTFLANK_LEAGUE", str(tmp_path))
    with pytest.raises(DataError) as caught:
        evaluation("pb11-etdl")
    assert str(caught.value) == f"{tmp_path}: no Burrow2011ETDL.player in it; {hint}"


def test_the_store_is_looked_in_without_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OUTFLANK_LEAGUE", raising=False)
    monkeypatch.setenv("OUTFLANK_DATA", str(tmp_path))
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "burrow2011etdl.PLAYER").write_text(text_of(random_tuples(1)))
    assert evaluation("pb11-etdl").evaluate(1, 2, False) != 0


def test_a_file_is_an_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "mine.player"
    path.write_text(text_of(random_tuples(1)))
    assert evaluation(str(path)).evaluate(1, 2, False) != 0
    with pytest.raises(FileError, match=r"none\.player: cannot read: No such file"):
        evaluation(str(tmp_path / "none.player"))
    path.write_text("1 1 1 64 0 0 0")
    with pytest.raises(RecordError) as caught:
        evaluation(str(path))
    assert str(caught.value) == (
        f"{path}: number 4 is '64'; expected square 1 of placement 1 of tuple 1, 0 to 63"
    )


def test_a_file_plays_white_as_its_name_says_or_as_it_is_told(tmp_path: Path) -> None:
    for name, usual in [("mine", "neg"), ("Manning2010GECCO", "inv"), ("burrow2011etdl", "neg")]:
        path = tmp_path / f"{name}.player"
        path.write_text(text_of(random_tuples(1)))
        found = {
            convention: league_network(str(path), convention).evaluate(1, 2, False)
            for convention in (None, "neg", "inv")
        }
        assert found["neg"] != found["inv"]
        assert found[None] == found[usual]


def test_another_convention_is_refused() -> None:
    with pytest.raises(SpecError, match="convention cannot be 'both'; it is neg or inv"):
        league_network("swh", "both")


def test_docstrings() -> None:
    failed, tried = doctest.testmod(outflank.evaluations.registry)
    assert (failed, tried > 0) == (0, True)


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    spec = f"alphabeta:eval={path},depth=1"
    prints = set()
    for seed in (1, 2):
        weights = np.random.default_rng(seed).uniform(-0.2, 0.2, 5900).astype(np.float32)
        EvolvedNetwork("spatial", weights).save(path)
        os.utime(path, ns=(seed, seed))  # written within one tick of the clock
        prints.add(make_player(spec).fingerprint)
        prints.add(make_player(f'hybrid:policy="minimax:eval={path}",stage=1-20').fingerprint)
        assert len(prints) == seed  # the hybrid is the same network with random behind it
    assert fingerprint_of("iago") == make_player("alphabeta:eval=iago,depth=1").fingerprint == ""
    assert EvolvedNetwork("spatial", weights, depth=4).fingerprint != (
        EvolvedNetwork("spatial", weights).fingerprint
    )
