"""Value networks: a small one learns, stops early, survives interruption, names what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank.errors import DataError
from outflank.learn import Run, find_learner, train_run
from outflank.learn.value import ValueConfig, preset
from outflank.models import load_network
from outflank.nets.files import load_tensors
from outflank.othello.boards import Boards

pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
pytest.importorskip("onnx", reason="needs onnx (the extra train)")

LEARNER = find_learner("value")
SMALL = ["years=", "states=200", "maps=4", "nodes=8", "batch=10", "learning_rate=0.02"]


def small(*settings: str) -> ValueConfig:
    return preset("smoke").with_settings([*SMALL, *settings])


def trained(folder: Path, wthor: Path, config: ValueConfig | None, **session: Any) -> Any:
    return train_run(LEARNER, folder, config, options={"wthor": wthor}, **session)


def weights(folder: Path) -> dict[str, Any]:
    last = Run.open(folder).last_checkpoint()
    assert last is not None
    return load_tensors(last.folder / "network.safetensors", kind="network")[0]


def test_it_learns_who_wins(tmp_path: Path, weighted_wthor: Path) -> None:
    """A network that always says 0 has the mean square of the results, about 1."""
    more = ["sets=1-12", "nodes=32", "learning_rate=0.005", "conv_dropout=0", "dense_dropout=0"]
    config = small("states=0", "epochs=8", *more)
    trained(tmp_path / "run", weighted_wthor, config)
    errors = [line["held_out_error"] for line in Run.open(tmp_path / "run").metrics()]
    assert min(errors) < 0.8 < errors[0]
    network = load_network(str(tmp_path / "run"))
    values = network.predict(Boards.start(2)).values
    assert values is not None
    assert values[0] == values[1]
    assert LEARNER.player(tmp_path / "run") is not None


def test_an_interrupted_run_ends_like_an_uninterrupted_one(
    tmp_path: Path, weighted_wthor: Path
) -> None:
    config = small("epochs=4", "patience=2")
    trained(tmp_path / "whole", weighted_wthor, config)
    part = tmp_path / "part"
    ending = trained(part, weighted_wthor, config, hours=1e-9)
    while not ending.finished:
        ending = trained(part, weighted_wthor, None, hours=3e-4)
    one, other = weights(tmp_path / "whole"), weights(part)
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name], err_msg=name)
    lines = [
        [{k: v for k, v in line.items() if k != "seconds"} for line in Run.open(run).metrics()]
        for run in (tmp_path / "whole", part)
    ]
    assert lines[0] == lines[1]


def test_it_stops_when_the_error_falls_no_more(tmp_path: Path, weighted_wthor: Path) -> None:
    config = small("epochs=500", "patience=2", "learning_rate=0")
    ending = trained(tmp_path / "run", weighted_wthor, config)
    assert ending.finished
    assert ending.metrics["epoch"] == 3  # the first, and two that were not better
    again = trained(tmp_path / "run", weighted_wthor, None)
    assert (again.finished, again.step) == (True, ending.step)


def test_the_weights_of_the_lowest_error_are_exported(tmp_path: Path, weighted_wthor: Path) -> None:
    config = small("epochs=30", "patience=3", "learning_rate=0.03")
    trained(tmp_path / "run", weighted_wthor, config)
    lines = Run.open(tmp_path / "run").metrics()
    errors = [line["held_out_error"] for line in lines]
    assert errors[-1] > min(errors)
    exported, _ = load_tensors(tmp_path / "run" / "network.safetensors", kind="network")
    last = weights(tmp_path / "run")
    assert any((exported[name] != last[name]).any() for name in last)


def test_a_training_that_diverges_is_stopped(tmp_path: Path, weighted_wthor: Path) -> None:
    config = small("learning_rate=1000", "max_norm=0")
    with pytest.raises(DataError, match=r"step \d+: .* no.* number.*; try a lower learning rate"):
        trained(tmp_path / "run", weighted_wthor, config)
    status = json.loads((tmp_path / "run" / "status.json").read_text())
    assert status["state"] == "failed"


def test_an_empty_set_of_games_is_named(tmp_path: Path, weighted_wthor: Path) -> None:
    empty = tmp_path / "unfinished.txt"
    empty.write_text("f5d6c3\n")
    with pytest.raises(DataError, match=r"unfinished\.txt: no finished game to learn from"):
        trained(tmp_path / "run", weighted_wthor, small(f"games={empty}"))
    assert not (tmp_path / "run").exists()
    with pytest.raises(DataError, match="there is nothing to learn from: of 240 games"):
        trained(tmp_path / "run", weighted_wthor, small("states=2", "held_out=0.9"))


def test_a_network_beyond_any_machine_is_named(tmp_path: Path, weighted_wthor: Path) -> None:
    with pytest.raises(DataError, match="too many weights; try fewer nodes or layers"):
        trained(tmp_path / "run", weighted_wthor, small("nodes=65536", "dense_layers=2"))


def test_training_goes_on_from_a_network(tmp_path: Path, weighted_wthor: Path) -> None:
    trained(tmp_path / "first", weighted_wthor, small())
    start = f"start={tmp_path / 'first'}"
    trained(tmp_path / "second", weighted_wthor, small(start, "learning_rate=0"))
    found = [
        load_network(str(tmp_path / run)).predict(Boards.start(1)).values
        for run in ("first", "second")
    ]
    assert found[0] == pytest.approx(found[1], abs=1e-6)
    (tmp_path / "first" / "network.safetensors").unlink()  # as it is shipped: .onnx alone
    trained(tmp_path / "from-onnx", weighted_wthor, small(start, "learning_rate=0"))
    third = load_network(str(tmp_path / "from-onnx")).predict(Boards.start(1)).values
    assert found[0] == pytest.approx(third, abs=1e-6)
    with pytest.raises(DataError, match=r"was trained with raw\+corner\+freemove; features are"):
        trained(tmp_path / "third", weighted_wthor, small(start, "features=raw"))


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("features=raw+colours", "no such encoding"),
        ("network=recurrent", "network: 'recurrent'; accepted is convolutional, patterns"),
        ("sets=none", "sets 'none'"),
        ("years=20", "years '20'"),
        ("channels=20", "channels: 20; accepted is 16, 32, 64"),
        ("held_out=1", "held_out: 1"),
    ],
)
def test_wrong_settings_are_named(setting: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        preset("paper").with_settings([setting])


def test_the_papers_configuration() -> None:
    paper = preset("paper")
    assert (paper.learning_rate, paper.momentum, paper.batch, paper.patience) == (0.001, 0.9, 5, 5)
    assert paper.rate_decay == 0.001 / 500
    assert preset("paper-all").sets == "1-7"
