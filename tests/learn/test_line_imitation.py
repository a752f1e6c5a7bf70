"""The line network learns, and a killed run goes on as if nothing had happened."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from learn.weighted_games import weighted_games
from outflank import Game, Position, _core, records
from outflank.data.examples import with_images
from outflank.errors import DataError
from outflank.learn import Run, Team, train
from outflank.learn.imitation import (
    ImitationConfig,
    Material,
    gather_material,
    make_trainer,
    measure,
    preset,
)
from outflank.learn.imitation.line import LineImitation
from outflank.learn.imitation.material import Part, TrainingSet
from outflank.models import find_network_file, load_network
from outflank.nets.files import load_tensors
from outflank.nets.line import LinePolicy
from outflank.othello import Move

# All that has a state or is random. Shorter patterns move every 32 steps, so between checkpoints.
ALL_AT_ONCE = [
    "back_off=0.5", "table_decay=0.2", "line_dropout=0.1", "pattern_dropout=0.1",
    "channel_dropout=0.1", "label_smoothing=0.05", "bootstrap=yes",
]  # fmt: skip
SMALL = [
    "examples=2000", "batch=32", "epochs=3", "evaluate_every=25", "checkpoint_every=25",
    "evaluate_examples=200", "blocks=1", "layers=1",
]  # fmt: skip


F5 = 37


def config_of(*settings: str) -> ImitationConfig:
    return preset("line-smoke").with_settings([*SMALL, *settings])


def material_of(config: ImitationConfig, wthor: Path) -> Material:
    return gather_material(config, wthor=wthor)


def run_in(folder: Path, config: ImitationConfig, wthor: Path, **options: Any) -> bool:
    """Begin or resume a run in this process; return whether it was finished."""
    trainer = make_trainer(config, material_of(config, wthor))
    begin = Run.resume(folder) if folder.exists() else Run.create(folder, config.to_json())
    with begin as run:
        return train(run, trainer, **options)


def command(folder: Path, wthor: Path, *words: str) -> list[str]:
    start = [sys.executable, "-m", "outflank", "learn", "imitation", "--runs", str(folder.parent)]
    return [*start, "--run", folder.name, "--wthor", str(wthor), "--json", *words]


def curve(folder: Path) -> list[dict[str, Any]]:
    """The metrics without the time they took."""
    lines = Run.open(folder).metrics()
    return [{name: line[name] for name in line if name != "seconds"} for line in lines]


def assert_same_run(one: Path, other: Path) -> None:
    assert curve(one) == curve(other)
    folders = []
    for folder in (one, other):
        last = Run.open(folder).last_checkpoint()
        assert last is not None
        folders.append(last.folder)
    for kind in ("network", "training"):
        name = f"{kind}.safetensors"
        first, second = (load_tensors(folder / name, kind=kind) for folder in folders)
        assert first[0].keys() == second[0].keys()
        for tensor, array in first[0].items():
            np.testing.assert_array_equal(array, second[0][tensor])
        if kind == "training":
            assert first[1] == second[1]
    played = [load_tensors(run / "network.safetensors", kind="network")[0] for run in (one, other)]
    for tensor, array in played[0].items():
        np.testing.assert_array_equal(array, played[1][tensor])


def test_the_smoke_preset_really_learns(weighted_wthor: Path, tmp_path: Path) -> None:
    folder = tmp_path / "smoke"
    ended = subprocess.run(
        command(folder, weighted_wthor, "--preset", "line-smoke"),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 0, ended.stderr
    config = preset("line-smoke")
    material = material_of(config, weighted_wthor)
    held_out = material.held_out
    untrained = make_trainer(config, material).measure()
    first, *_, last = curve(folder)
    # Of about eight legal moves the players always take one by rule; games are held out whole.
    # The rule's weights are not symmetric, so a network that is learns it by the lie of the discs.
    assert untrained["held_out_accuracy"] < 0.3
    assert last["held_out_accuracy"] > 0.6
    assert last["held_out_loss"] < first["held_out_loss"] < untrained["held_out_loss"]
    assert last["held_out_legal"] == 1
    assert last["held_out_top3"] > last["held_out_accuracy"]
    assert 0 < last["value_loss"] < first["value_loss"]

    network = load_network(find_network_file(str(folder)))
    assert isinstance(network, LinePolicy)
    assert network.ties is not None
    card = network.card
    assert (card.architecture, card.encoding) == ("line", "pieces")
    assert card.training["config"] == config.to_json()
    assert card.training["step"] == card.training["steps"] == last["step"]
    assert card.training["data"]["games"] == 240
    assert 0 < card.training["data"]["positions"] <= card.training["data"]["examples"]
    assert card.measured["held_out_accuracy"] == last["held_out_accuracy"]
    # In eight bits a weight it plays as it was measured.
    assert measure(network, held_out).accuracy == pytest.approx(last["held_out_accuracy"], abs=0.02)


@pytest.mark.parametrize("settings", [[], ALL_AT_ONCE], ids=["plain", "all at once"])
def test_killed_and_resumed_is_as_if_never(
    settings: list[str], weighted_wthor: Path, tmp_path: Path
) -> None:
    config = config_of(*settings)
    killed = tmp_path / "killed"
    words = ["--preset", "line-smoke"]
    words += [word for one in (*SMALL, *settings) for word in ("--set", one)]
    process = subprocess.Popen(command(killed, weighted_wthor, *words), stdout=subprocess.DEVNULL)
    end = time.monotonic() + 60
    lines = killed / "metrics.jsonl"
    while process.poll() is None and time.monotonic() < end:
        if lines.exists() and lines.read_bytes().count(b"\n") >= 3:  # 75 steps
            break
        time.sleep(0.002)
    process.kill()
    assert process.wait() == -signal.SIGKILL, "it ended before it was killed"
    assert run_in(killed, config, weighted_wthor)
    assert run_in(tmp_path / "whole", config, weighted_wthor)
    assert_same_run(tmp_path / "whole", killed)


def test_saved_at_any_step_is_as_if_never(weighted_wthor: Path, tmp_path: Path) -> None:
    """Also between two measurements, after shorter patterns moved and before they do again."""
    config = config_of(*ALL_AT_ONCE)
    material = material_of(config, weighted_wthor)
    once, stopped, resumed = (LineImitation(config, material) for _ in range(3))
    for one in (once, stopped):
        one.train_until(66)
    stopped.save(tmp_path)
    resumed.load(tmp_path)
    (tmp_path / "looked").mkdir()
    once.export(tmp_path / "looked", {})  # as after a checkpoint; whoever looks changes nothing
    for one in (once, resumed):
        one.train_until(70)
    for name, array in once.line.parameters().items():
        np.testing.assert_array_equal(resumed.line.parameters()[name], array)
    assert once.measure() == resumed.measure()


def test_in_unique_each_move_counts_once(weighted_wthor: Path) -> None:
    distinct, as_they_come = (
        config_of("examples=0", "split=none", f"dataset={name}") for name in ("unique", "original")
    )
    material = material_of(distinct, weighted_wthor)
    examples = material.training.part.examples
    assert examples.take(slice(None)).count.max() > 1  # the set tells how often they occurred
    positions = LineImitation(distinct, material).positions
    assert positions.count.sum() == len(examples)
    others = LineImitation(as_they_come, material_of(as_they_come, weighted_wthor)).positions
    np.testing.assert_array_equal(others.own, positions.own)
    assert (others.count >= positions.count).all()
    assert not np.allclose(others.share, positions.share)


def test_decay_needs_a_known_start(weighted_wthor: Path) -> None:
    config = config_of("start=imitation-fast", "table_decay=0.1")
    with pytest.raises(DataError, match="table_decay: leads to where a network started"):
        make_trainer(config, material_of(config, weighted_wthor))


def test_another_momentum_is_refused(weighted_wthor: Path) -> None:
    config = config_of("momentum=0.5")
    with pytest.raises(DataError, match=r"momentum: 0\.5; a line network has 0\.9"):
        make_trainer(config, material_of(config, weighted_wthor))


@pytest.mark.parametrize("setting", ["encoding=vmoves", "augment=yes", "channels_last=yes"])
def test_what_only_other_networks_have_is_refused(setting: str, weighted_wthor: Path) -> None:
    config = config_of(setting)
    with pytest.raises(DataError, match="only PyTorch networks have it, not line"):
        make_trainer(config, material_of(config, weighted_wthor))


def test_mirror_images_add_nothing(weighted_wthor: Path) -> None:
    """The network sees distinct positions, so a set with all images is the set itself."""
    config = config_of("examples=0", "split=none")
    material = material_of(config, weighted_wthor)
    examples = material.training.part.distinct()
    mirrored = TrainingSet(Part(with_images(examples)), config.seed)
    one = LineImitation(config, material)
    other = LineImitation(config, Material(mirrored, material.held_out, {}))
    for name in ("own", "other", "count", "move", "share"):
        np.testing.assert_array_equal(getattr(one.positions, name), getattr(other.positions, name))
    assert one.train_until(3) == other.train_until(3)


def conventional(game: Game) -> Game:
    """The mirror image of a game that begins with f5."""
    images = (
        [_core.transform_move(int(move), symmetry) for move in game.moves] for symmetry in range(8)
    )
    image = next(image for image in images if image[0] == F5)
    return Game.from_moves([Move(square) for square in image])


@pytest.mark.parametrize("dataset", ["original", "unique", "original-s", "unique-s"])
def test_ties_are_broken_as_the_records_do(dataset: str, tmp_path: Path) -> None:
    """By the moves as they were recorded, however often; not by their mirror images."""
    records.write(tmp_path / "WTH_2001.wtb", [conventional(game) for game in weighted_games(60)])
    config = config_of("examples=0", "split=example", "held_out=0.1", f"dataset={dataset}")
    ties = LineImitation(config, material_of(config, tmp_path)).ties
    (place,) = np.flatnonzero(ties.own == np.uint64(Position.start().own))
    assert ties.move[place] == F5


def test_a_training_that_went_astray_stops(
    weighted_wthor: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of()
    real = LineImitation.train_until

    def astray(self: LineImitation, step: int) -> Mapping[str, float]:
        means = real(self, step)
        return {**means, "loss": float("nan")} if step > 30 else means

    monkeypatch.setattr(LineImitation, "train_until", astray)
    with pytest.raises(DataError, match="loss is no longer a number; try a lower learning rate"):
        run_in(tmp_path / "run", config, weighted_wthor)
    last = Run.open(tmp_path / "run").last_checkpoint()
    assert last is not None
    assert last.step == 25


def test_repeats_weigh_positions(weighted_wthor: Path) -> None:
    config = config_of("examples=0", "repeats=1")
    material = material_of(config, weighted_wthor)
    as_often = LineImitation(config, material)
    once = LineImitation(config_of("examples=0", "repeats=0"), material)
    assert (once.weight == 1).all()
    count = as_often.positions.count
    np.testing.assert_allclose(as_often.weight, count / count.mean(), rtol=1e-5)


def test_a_network_that_looks_at_one_board_only(weighted_wthor: Path, tmp_path: Path) -> None:
    config = config_of("network=line-0ply", "epochs=0.5", "blocks=2")
    assert run_in(tmp_path / "run", config, weighted_wthor)
    network = load_network(find_network_file(str(tmp_path / "run")))
    assert isinstance(network, LinePolicy)
    assert not network.network.afterstates
    assert network.network.blocks == 2
    assert network.card.architecture == "line-0ply"


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("channels=0", "channels: 0; accepted is 16 to 256"),
        ("channels=24", "channels: 24; accepted is a multiple of 16"),
        ("hidden=20", "hidden: 20; accepted is a multiple of 16"),
        ("blocks=-1", "blocks: -1; accepted is 0 to 32"),
        ("line_dropout=1", "line_dropout: 1.0; accepted is 0 to 0.9"),
        ("back_off=-1", "back_off: -1.0; accepted is 0 to 10"),
        ("table_decay=nan", "table_decay: 'nan'; accepted is a number"),
        ("repeats=2", "repeats: 2.0; accepted is 0 to 1"),
        ("layers=two", "layers: 'two'; accepted is a whole number"),
    ],
)
def test_wrong_settings(setting: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        config_of(setting)


def test_a_checkpoint_of_another_configuration(weighted_wthor: Path, tmp_path: Path) -> None:
    material = material_of(config_of(), weighted_wthor)
    make_trainer(config_of(), material).save(tmp_path)
    with pytest.raises(DataError, match="made with another configuration"):
        make_trainer(config_of("rate=0.5"), material).load(tmp_path)


def test_one_process_trains_it(weighted_wthor: Path) -> None:
    material = material_of(config_of(), weighted_wthor)
    with pytest.raises(DataError, match="trained by one process"):
        make_trainer(config_of(), material, Team(0, 2))
    with pytest.raises(DataError, match="optimiser: sgd; a line network has adamw"):
        make_trainer(config_of("optimiser=sgd"), material)
