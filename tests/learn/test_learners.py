"""The registry: every learner says what the command, the page and the documents show."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from outflank.errors import DataError
from outflank.learn import Run, find_learner, learners, train_run
from outflank.learn.learner import Learner

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("learner", learners().values(), ids=list(learners()))
def test_every_learner_is_complete(learner: Learner) -> None:
    assert learner.title.lower().replace("-", "").startswith(learner.name)
    assert learner.default in learner.presets
    for name, preset in learner.presets.items():
        assert preset.text
        config = learner.configure(name)
        assert type(config) is learner.config
        again = learner.config.from_json(json.loads(json.dumps(config.to_json())))
        assert again == config
    names = [field.name for field in learner.config.fields()]
    assert all(field.metadata["text"] for field in learner.config.fields())
    assert set(learner.closed) <= set(names)
    assert not set(learner.config.ALIASES) & set(names)
    assert set(learner.config.ALIASES.values()) <= set(names)
    assert learner.player(Path("nowhere")) is None
    assert all(curve.series and curve.help for curve in learner.curves)


def test_the_page_on_learners_has_them() -> None:
    text = (DOCS / "learners.md").read_text()
    for learner in learners().values():
        needs = ", ".join(map(str, learner.needs)) or "nothing"
        assert f"| `{learner.name}` | {learner.title} | {needs} |" in text


def test_listing_them_needs_no_large_package() -> None:
    large = ["torch", "onnxruntime", "onnx", "matplotlib", "tensorboard", "fastapi"]
    code = (
        "import sys; from outflank.learn import learners; assert learners(); "
        f"print([name for name in {large} if name in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert found.strip() == "[]"


def test_old_names_of_settings_are_read_and_new_ones_written() -> None:
    for name, old in (("coevolution", {"step": 0.1, "rate": 0.5}), ("imitation", {"rate": 0.5})):
        kind = find_learner(name).config
        written = kind.from_json(old).to_json()
        assert not set(old) & set(written)
        assert written["learning_rate"] == 0.5
        assert kind().with_settings(["rate=0.5"]).to_json()["learning_rate"] == 0.5
    assert find_learner("coevolution").config.from_json({"step": 0.1}).to_json()["sigma"] == 0.1
    patterns = find_learner("patterns").config.from_json({"trace": 0.25, "slip": 0.125}).to_json()
    assert (patterns["td_lambda"], patterns["epsilon"]) == (0.25, 0.125)


def test_a_run_of_another_learner_is_refused(tmp_path: Path) -> None:
    with Run.create(tmp_path / "a", {}, learner="patterns"):
        pass
    with pytest.raises(DataError, match="is a run of patterns, not of coevolution"):
        train_run(find_learner("coevolution"), tmp_path / "a")
    with pytest.raises(DataError, match="no such learner: 'magic'; learners are imitation, "):
        find_learner("magic")
