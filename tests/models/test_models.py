"""Networks by name, by run and by file; with shipped ones and without."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from outflank import models
from outflank._core import LineNetwork
from outflank.errors import DataError, FileError
from outflank.evaluations.patterns import save_patterns
from outflank.learn.imitation import hold_out, measure, training_of, why_not_held_out
from outflank.models import finding
from outflank.nets import Card
from outflank.nets.line import LinePolicy
from outflank.othello import Move, Position
from outflank.othello.boards import Boards
from outflank.players import make_player


def save_network(path: Path, seed: int = 1, name: str = "") -> Path:
    network = LineNetwork(channels=16, hidden=16, blocks=0, afterstates=False, seed=seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    LinePolicy(network, Card("line-0ply", "pieces", name)).save(path)
    return path


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped networks of the test's own."""
    folder = tmp_path / "shipped"
    for seed, name in enumerate(("imitation-fast", "imitation-slow", "value-small")):
        save_network(folder / f"{name}.safetensors", seed)
        (folder / f"{name}.md").write_text(f"# {name}\n\nA network called {name}.\n\nMore.\n")
    monkeypatch.setattr(finding, "_FOLDER", folder)
    return folder


@pytest.fixture
def nothing_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(finding, "_FOLDER", tmp_path / "empty")


def test_what_is_really_shipped_can_be_used() -> None:
    for name, model in models.shipped_models().items():
        assert model.name == name
        assert model.bytes > 1000
        assert model.summary
    for name, model in models.shipped_networks().items():
        assert model.card.architecture
        assert models.find_network_file(name) == model.path
        network = models.load_network(model.path, threads=1)
        prediction = network.predict(Boards.start(1))
        if network.has_policy:
            assert np.isfinite(prediction.logits[0, [19, 26, 37, 44]]).all()
        else:
            assert prediction.values is not None
            assert abs(prediction.values[0]) < 0.5


def test_shipped_weights_are_small_and_begin_as_people_do() -> None:
    sizes = {name: model.bytes for name, model in models.shipped_models().items()}
    assert max(sizes.values()) < 20_000_000
    assert sum(path.stat().st_size for path in finding._FOLDER.iterdir()) < 80_000_000
    for name in ("imitation-fast", "imitation-0ply"):
        with make_player(f"policy:{name}") as player:
            assert player.choose(Position.start()) == Move("f5")


def test_the_accuracy_of_a_shipped_network(wthor_paper_data: Path) -> None:
    network = models.load_network(models.find_network_file("imitation-0ply"))
    exam = hold_out(
        "unseen", wthor=wthor_paper_data, trained=training_of(network.card), at_most=20_000
    )
    assert why_not_held_out(exam, network.card) == ""
    assert measure(network, exam.examples).accuracy > 0.59


def test_a_plus_may_be_in_a_name(tmp_path: Path, shipped: Path) -> None:
    one = save_network(tmp_path / "c++" / "a.safetensors", 1)
    two = save_network(tmp_path / "c++" / "b+c.safetensors", 2)
    assert models.find_network_files(f"{one}+imitation-fast+{two}") == [
        one, shipped / "imitation-fast.safetensors", two,
    ]  # fmt: skip
    with pytest.raises(DataError, match="no such network: 'd'"):
        models.find_network_files(f"{two}+d+e")


def test_shipped_networks_are_found_by_name(shipped: Path) -> None:
    found = models.shipped_models()
    assert list(found) == ["imitation-fast", "imitation-slow", "value-small"]
    fast = found["imitation-fast"]
    assert models.find_network_file("imitation-fast") == fast.path
    assert fast.summary == "A network called imitation-fast."
    assert fast.text.startswith("# imitation-fast")
    assert fast.bytes == fast.path.stat().st_size
    assert fast.card.architecture == "line-0ply"


def test_an_evaluation_is_no_network(shipped: Path) -> None:
    save_patterns(shipped / "patterns.safetensors", np.zeros((2, 2), np.int16), {})
    assert "patterns" in models.shipped_models()
    assert "patterns" not in models.shipped_networks()
    with pytest.raises(DataError, match="no such network: 'patterns'"):
        models.find_network_file("patterns")


def test_a_card_without_text_has_no_summary(shipped: Path) -> None:
    (shipped / "imitation-fast.md").write_text("# imitation-fast\n")
    assert models.shipped_models()["imitation-fast"].summary == ""


def test_wildcards_find_shipped_networks(shipped: Path) -> None:
    names = [path.stem for path in models.find_network_files("imitation-*")]
    assert names == ["imitation-fast", "imitation-slow"]
    names = [path.stem for path in models.find_network_files("value-small+imitation-?low")]
    assert names == ["value-small", "imitation-slow"]


def test_of_two_shipped_files_the_one_plays_that_needs_no_torch(shipped: Path) -> None:
    (shipped / "imitation-slow.onnx").write_bytes(b"")
    assert models.find_network_file("imitation-slow") == shipped / "imitation-slow.onnx"


def test_files_and_runs_are_found(nothing_shipped: None, tmp_path: Path) -> None:
    file = save_network(tmp_path / "some" / "file.safetensors")
    run = save_network(tmp_path / "runs" / "first" / "network.safetensors").parent
    assert models.find_network_file(str(file)) == file
    assert models.find_network_file(str(run)) == run / "network.safetensors"
    (run / "network.onnx").write_bytes(b"")
    assert models.find_network_file(str(run)) == run / "network.onnx"  # plays without PyTorch


def test_wildcards_find_runs_and_files(nothing_shipped: None, tmp_path: Path) -> None:
    for name in ("bag-1", "bag-2", "other"):
        save_network(tmp_path / "runs" / name / "network.safetensors")
    found = models.find_network_files(f"{tmp_path}/runs/bag-*")
    assert [path.parent.name for path in found] == ["bag-1", "bag-2"]
    one = str(tmp_path / "runs" / "other")
    found = models.find_network_files(f"{one}+{tmp_path}/runs/bag-[2]")
    assert [path.parent.name for path in found] == ["other", "bag-2"]


def test_home_is_known(
    nothing_shipped: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    file = save_network(tmp_path / "mine.safetensors")
    assert models.find_network_file("~/mine.safetensors") == file
    assert models.find_network_files("~/mi*.safetensors") == [file]


def test_wrong_names_with_shipped_networks(shipped: Path) -> None:
    with pytest.raises(DataError, match="no such network: 'fast'; shipped are imitation-fast, im"):
        models.find_network_file("fast")
    with pytest.raises(DataError, match="no such network: 'fast'"):
        make_player("policy:fast")
    assert make_player("policy").choose_many(Boards.start(1))[0] in (19, 26, 37, 44)
    assert make_player("bag").choose_many(Boards.start(1))[0] in (19, 26, 37, 44)


def test_wrong_names_without(nothing_shipped: None, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'fast'; none are shipped; a run's folder or a file"):
        models.find_network_file("fast")
    with pytest.raises(DataError, match=r"no network's name or file matches '/no/such/\*'"):
        models.find_network_files("/no/such/*")
    with pytest.raises(DataError, match=r"empty: holds no network \(network\.onnx or network\.saf"):
        models.find_network_file(str(tmp_path / "empty"))
    with pytest.raises(DataError, match="no such network: ''"):
        models.find_network_files("")
    with pytest.raises(DataError, match="no such network: 'imitation-fast'"):
        make_player("policy")


def test_files_of_each_kind_are_loaded(tmp_path: Path) -> None:
    path = save_network(tmp_path / "n.safetensors", name="mine")
    network = models.load_network(path, threads=1)
    assert isinstance(network, LinePolicy)
    assert (network.name, network.threads) == ("mine", 1)
    with pytest.raises(FileError, match="no such file"):
        models.load_network(tmp_path / "missing.safetensors")
    path.write_bytes(b"something else")
    with pytest.raises(DataError, match="not a whole"):
        models.load_network(path)
