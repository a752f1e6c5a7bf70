"""By which names an evolved network is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from outflank.errors import DataError
from outflank.evaluations import evaluation
from outflank.evaluations.learned import PLAYER_FILE
from outflank.models import shipped_models
from outflank.players import make_player
from outflank.players.registry import read_spec

SHIPPED = "shipped are intermediate, master, novice"


def test_a_shipped_network_has_a_short_name_and_a_long_one() -> None:
    short, long = make_player("evolved:novice"), make_player("evolved:evolved-novice")
    assert short.fingerprint == long.fingerprint
    assert str(read_spec("evolved:evolved-novice")) == "evolved:novice"
    assert str(read_spec("evolved:evolved-file,depth=3")) == "evolved:evolved-file,depth=3"
    assert str(read_spec("policy:evolved-novice")) == "policy:evolved-novice"


def test_a_runs_folder_stands_for_its_player(tmp_path: Path) -> None:
    shutil.copy(shipped_models()["evolved-novice"].path, tmp_path / PLAYER_FILE)
    run, shipped = make_player(f"evolved:{tmp_path}"), make_player("evolved:novice")
    assert run.fingerprint == shipped.fingerprint
    assert make_player(f"alphabeta:eval={tmp_path},depth=1").fingerprint
    assert evaluation(str(tmp_path)).units == evaluation("evolved-novice").units


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("evolved", f"evolved needs a network: evolved:NAME; {SHIPPED}; a network's file"),
        ("evolved:nobody", f"no such network: 'nobody'; {SHIPPED}; a network's file"),
    ],
)
def test_which_networks_there_are_is_said(spec: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        make_player(spec)


def test_a_folder_without_a_player_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"holds no player\.safetensors"):
        make_player(f"evolved:{tmp_path}")


@pytest.mark.parametrize("name", ["x" * 300, "~nobody-of-this-name"])
def test_a_name_that_no_file_can_have_is_an_unknown_evaluation(name: str) -> None:
    with pytest.raises(ValueError, match="unknown evaluation"):
        make_player(f"alphabeta:eval={name}")
