"""Event files, read back as TensorBoard reads them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from outflank import cli
from outflank.errors import OutflankError
from outflank.learn import Run, Settings, find_learner, train_run
from outflank.learn.coevolution import preset

pytest.importorskip("tensorboard", reason="needs TensorBoard (the extra train)")

EVOLUTION = find_learner("coevolution")
SMALL = preset("smoke").with_settings(
    ["shape=only", "depth=1", "deepest=2", "top_depth=2", "generations=6", "checkpoint_every=2"]
)


def scalars(folder: Path, name: str) -> dict[int, float]:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found = EventAccumulator(str(folder))
    found.Reload()
    events = found.Scalars(name)
    assert len({event.step for event in events}) == len(events)  # no step is there twice
    return {event.step: event.value for event in events}


def measured(folder: Path, name: str) -> dict[int, float]:
    return {line["step"]: line[name] for line in Run.open(folder).metrics()}


def train(folder: Path, config: Settings | None, tensorboard: bool = False) -> None:
    options = {"workers": 1}
    train_run(EVOLUTION, folder, config, options=options, tensorboard=tensorboard)


def test_the_setting_writes_what_is_measured(tmp_path: Path) -> None:
    train(tmp_path / "a", SMALL.with_settings(["tensorboard=yes"]))
    for name in ("points", "weight_size", "score"):
        found = scalars(tmp_path / "a" / "tensorboard", name)
        assert found == pytest.approx(measured(tmp_path / "a", name))
        assert list(found) == list(range(1, 7))


def test_nothing_is_written_unasked(tmp_path: Path) -> None:
    train(tmp_path / "a", SMALL)
    assert not (tmp_path / "a" / "tensorboard").exists()
    train(tmp_path / "b", SMALL, tensorboard=True)
    assert scalars(tmp_path / "b" / "tensorboard", "points")


def test_what_a_killed_process_wrote_too_much_is_dropped(tmp_path: Path) -> None:
    """The run goes back to step 4, and its event files say so."""
    folder = tmp_path / "a"
    train(folder, SMALL, tensorboard=True)
    for checkpoint in (folder / "checkpoints").iterdir():
        if checkpoint.name != "step-000000004":
            shutil.rmtree(checkpoint)
    train(folder, None, tensorboard=True)
    assert len(list((folder / "tensorboard").iterdir())) == 2
    found = scalars(folder / "tensorboard", "points")
    assert found == pytest.approx(measured(folder, "points"))
    assert list(found) == list(range(1, 7))


def test_the_option_of_the_command(
    tmp_path: Path, weighted_wthor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--preset", "smoke", "--run", "a", "--runs", str(tmp_path), "--tensorboard", "--json"]
    monkeypatch.setattr(
        sys, "argv", ["outflank", "learn", "patterns", *words, "--wthor", str(weighted_wthor)]
    )
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    found = scalars(tmp_path / "a" / "tensorboard", "error")
    assert found == pytest.approx(measured(tmp_path / "a", "error"))


def test_without_tensorboard_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(OutflankError, match=r"TensorBoard.*pip install 'outflank\[train\]'"):
        train(tmp_path / "a", SMALL, tensorboard=True)
    assert not (tmp_path / "a").exists()
