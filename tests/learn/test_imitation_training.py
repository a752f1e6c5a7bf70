"""Networks that learn, and runs that are killed and resumed without a trace."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank.data.encodings import SQUARE_OF_CLASS
from outflank.errors import DataError
from outflank.learn import Run, Team, TrainingObserver, train
from outflank.learn.imitation import (
    ImitationConfig,
    Material,
    gather_material,
    make_trainer,
    measure,
    preset,
)
from outflank.models import load_networks
from outflank.nets import Card, OnnxPolicy, PolicyNetwork, Prediction, build, load_weights
from outflank.nets.files import load_tensors
from outflank.nets.network import legal_probabilities
from outflank.othello.boards import Boards

torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
pytest.importorskip("onnx", reason="needs onnx (the extra train)")

# Dropout, momentum, symmetries: all that has a state or is random.
SETTINGS = [
    "examples=2000", "evaluate_every=10", "checkpoint_every=10", "batch=64", "epochs=1.6",
    "evaluate_examples=500",
]  # fmt: skip


def config_of(*settings: str) -> ImitationConfig:
    return preset("smoke").with_settings([*SETTINGS, *settings])


def run_in(folder: Path, config: ImitationConfig, wthor: Path, **options: Any) -> bool:
    """Begin or resume a run in this process; return whether it was finished."""
    trainer = make_trainer(config, gather_material(config, wthor=wthor))
    begin = Run.resume(folder) if folder.exists() else Run.create(folder, config.to_json())
    with begin as run:
        return train(run, trainer, **options)


def curve(folder: Path) -> list[dict[str, Any]]:
    """The metrics without the time they took."""
    lines = Run.open(folder).metrics()
    return [{name: line[name] for name in line if name != "seconds"} for line in lines]


def assert_same_run(one: Path, other: Path) -> None:
    assert curve(one) == curve(other)
    weights, others = (
        load_weights(one / "network.safetensors"),
        load_weights(other / "network.safetensors"),
    )
    for name, array in weights[0].items():
        np.testing.assert_array_equal(array, others[0][name])
    for kind, file in (("network", "network.safetensors"), ("training", "training.safetensors")):
        last, other_last = Run.open(one).last_checkpoint(), Run.open(other).last_checkpoint()
        assert last is not None
        assert other_last is not None
        assert last.step == other_last.step
        state = load_tensors(last.folder / file, kind=kind)[0]
        other_state = load_tensors(other_last.folder / file, kind=kind)[0]
        assert state.keys() == other_state.keys()
        for name, array in state.items():
            np.testing.assert_array_equal(array, other_state[name])


def test_a_small_network_learns_a_simple_rule(weighted_wthor: Path, tmp_path: Path) -> None:
    config = preset("smoke").with_settings(
        ["augment=no", "examples=0", "batch=64", "epochs=3", "evaluate_every=100"]
    )
    assert run_in(tmp_path / "run", config, weighted_wthor)
    first, *_, last = curve(tmp_path / "run")
    # Of about eight legal moves the players always take one by rule; games are held out whole.
    assert last["held_out_accuracy"] > 0.5
    assert last["held_out_accuracy"] > first["held_out_accuracy"] + 0.1
    assert last["held_out_loss"] < first["held_out_loss"]
    assert last["held_out_top3"] > last["held_out_accuracy"]
    material = gather_material(config, wthor=weighted_wthor)
    played = measure(OnnxPolicy(tmp_path / "run" / "network.onnx"), material.held_out)
    assert played.accuracy == pytest.approx(last["held_out_accuracy"], abs=0.01)


def test_a_network_of_the_paper_learns(weighted_wthor: Path) -> None:
    config = config_of("network=resnet-32", "optimiser=sgd", "rate=0.05", "epochs=0.5")
    trainer = make_trainer(config, gather_material(config, wthor=weighted_wthor))
    first = trainer.train_until(1)["loss"]
    trainer.measure()
    assert trainer.train_until(trainer.steps)["loss"] < first


def test_the_card_says_how_it_was_made(weighted_wthor: Path, tmp_path: Path) -> None:
    config = config_of("epochs=0.1")
    assert run_in(tmp_path / "run", config, weighted_wthor)
    _, card = load_weights(tmp_path / "run" / "network.safetensors")
    assert (card.architecture, card.encoding) == ("conv2", "pieces")
    assert card.training["config"] == config.to_json()
    assert card.training["data"]["games"] == 240
    assert card.training["data"]["years"] == "2001-2003"
    assert card.training["data"]["examples"] == 2000
    assert card.measured["step"] == card.training["step"] == card.training["steps"]
    assert OnnxPolicy(tmp_path / "run" / "network.onnx").card == card


VARIANTS = [
    [],
    ["optimiser=sgd", "rate=0.05", "momentum=0.95", "schedule=halving", "channels_last=no"],
    ["bootstrap=yes", "dataset=unique-s", "augment=no", "split=year", "encoding=vmoves"],
    ["network=conv8-dropout", "examples=60", "batch=6", "evaluate_examples=20"],
    ["network=resnet-32", "examples=300", "batch=16", "evaluate_examples=20"],
]


class StopAt(TrainingObserver):
    """Interrupts, as Ctrl-C does, when so many steps are done."""

    def __init__(self, step: int) -> None:
        self.step = step
        self.sent = False

    def advanced(self, step: int, means: object, seconds: float) -> None:
        if step >= self.step and not self.sent:
            self.sent = True
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("settings", VARIANTS, ids=lambda settings: settings[0] if settings else "")
def test_interrupted_and_resumed_is_as_if_never(
    settings: list[str], weighted_wthor: Path, tmp_path: Path
) -> None:
    config = config_of(*settings)
    assert run_in(tmp_path / "whole", config, weighted_wthor)
    assert not run_in(tmp_path / "parts", config, weighted_wthor, observers=[StopAt(7)])
    stopped = Run.open(tmp_path / "parts").last_checkpoint()
    assert stopped is not None
    assert 7 <= stopped.step < len(curve(tmp_path / "whole")) * 10
    assert (tmp_path / "parts" / "network.onnx").exists()
    assert run_in(tmp_path / "parts", config, weighted_wthor)
    assert_same_run(tmp_path / "whole", tmp_path / "parts")


def test_it_stops_when_the_time_is_over(weighted_wthor: Path, tmp_path: Path) -> None:
    config = config_of()
    assert not run_in(tmp_path / "run", config, weighted_wthor, hours=0.0)
    assert run_in(tmp_path / "run", config, weighted_wthor, hours=1.0)
    assert run_in(tmp_path / "run", config, weighted_wthor)  # finished: nothing is left to do


def start_process(folder: Path, wthor: Path, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "outflank", "learn", "imitation", "--runs", str(folder.parent)]
    command += ["--run", folder.name, "--wthor", str(wthor), "--json", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def test_killed_and_resumed_is_as_if_never(weighted_wthor: Path, tmp_path: Path) -> None:
    settings = [*SETTINGS, "epochs=8"]
    config = config_of("epochs=8")
    killed = tmp_path / "killed"
    words = ["--preset", "smoke", *(word for one in settings for word in ("--set", one))]
    for metrics in (2, 9):
        process = start_process(killed, weighted_wthor, *words)
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            lines = killed / "metrics.jsonl"
            if lines.exists() and lines.read_bytes().count(b"\n") >= metrics:
                break
            time.sleep(0.002)
        process.kill()
        assert process.wait() == -signal.SIGKILL, "it ended before it was killed"
        words = ["--resume"]
    assert run_in(killed, config, weighted_wthor)
    assert run_in(tmp_path / "whole", config, weighted_wthor)
    assert_same_run(tmp_path / "whole", killed)


# Threads of the connections, if they outlive the team, now and then abort the process at its end.
TEAM_SCRIPT = """
from pathlib import Path
from outflank.cli import app
app(standalone_mode=False)
threads = [name.read_text().strip() for name in Path("/proc/self/task").glob("*/comm")]
assert not [name for name in threads if "gloo" in name], threads
"""


def test_two_processes_train_as_one(weighted_wthor: Path, tmp_path: Path) -> None:
    settings = [
        *SETTINGS, "epochs=0.3", "optimiser=sgd", "rate=0.02", "schedule=constant",
    ]  # fmt: skip
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    script = tmp_path / "script.py"
    script.write_text(TEAM_SCRIPT)
    command += ["--", str(script), "learn", "imitation", "--preset", "smoke", "--run", "two"]
    command += [word for setting in settings for word in ("--set", setting)]
    command += ["--runs", str(tmp_path), "--wthor", str(weighted_wthor), "--json"]
    told = {**os.environ, "PYTHONFAULTHANDLER": "1"}  # where it was, if a process is aborted
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, env=told)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout.splitlines()[-1])["event"] == "finished"
    config = preset("smoke").with_settings(settings)
    assert run_in(tmp_path / "one", config, weighted_wthor)
    two, one = (load_weights(tmp_path / run / "network.safetensors")[0] for run in ("two", "one"))
    for name, array in one.items():
        np.testing.assert_allclose(two[name], array, atol=1e-5)
    (line,), (other,) = curve(tmp_path / "two"), curve(tmp_path / "one")
    assert line["loss"] == pytest.approx(other["loss"], abs=1e-5)


def test_processes_need_examples_each() -> None:
    from outflank.learn.imitation.convolutional import count_batches

    assert [count_batches(n, 4) for n in (1, 4, 5, 8)] == [1, 1, 2, 2]
    assert [count_batches(n, 4, 2) for n in (2, 4, 5, 6, 8)] == [1, 1, 1, 2, 2]
    assert [count_batches(n, 4, 2, 2) for n in (4, 5, 6, 7, 8, 12)] == [1, 1, 1, 1, 2, 3]
    with pytest.raises(DataError, match="1 examples are too few: 2 x 1 are needed at a time"):
        count_batches(1, 4, 2)
    with pytest.raises(DataError, match="2 examples are too few: 2 x 2 are needed at a time"):
        count_batches(10, 2, 2, 2)


def test_a_single_example_is_not_normalised(weighted_wthor: Path) -> None:
    config = config_of("network=conv4-bn", "examples=9", "batch=8", "epochs=2")
    trainer = make_trainer(config, gather_material(config, wthor=weighted_wthor))
    assert trainer.steps == 2  # the ninth example would be alone
    trainer.train_until(trainer.steps)


def test_a_team_of_one() -> None:
    assert Team().share(3) == 3


def test_training_may_begin_with_a_network(weighted_wthor: Path, tmp_path: Path) -> None:
    material = gather_material(config_of(), wthor=weighted_wthor)
    first = make_trainer(config_of(), material)
    first.export(tmp_path, {})
    begun = make_trainer(config_of(f"start={tmp_path}", "seed=5"), material)
    boards = Boards.start(1)
    before, now = (trainer.network().predict(boards).logits for trainer in (first, begun))
    np.testing.assert_allclose(now, before, atol=1e-5)
    (tmp_path / "heir").mkdir()
    begun.export(tmp_path / "heir", {})
    _, card = load_weights(tmp_path / "heir" / "network.safetensors")
    assert [one["config"]["seed"] for one in card.trainings] == [5, config_of().seed]


def test_networks_teach_a_network(weighted_wthor: Path) -> None:
    """Distillation: the target is partly the move, partly the opinion of another network."""
    config = config_of("teacher=imitation-0ply", "teacher_weight=0.25")
    material = gather_material(config, wthor=weighted_wthor)
    trainer = make_trainer(config, material)
    _, classes, shares, _ = trainer._read(0)  # type: ignore[attr-defined]

    examples = material.training.take(0, np.arange(config.batch))
    boards, teacher = examples.boards(), load_networks("imitation-0ply")
    opinion = legal_probabilities(boards, teacher.predict(boards))
    places = np.arange(len(classes))
    for number, square in enumerate(SQUARE_OF_CLASS):
        expected = 0.25 * opinion[:, square] + 0.75 * (classes == number)
        np.testing.assert_allclose(shares[:, number], expected, atol=1e-6)
    assert (shares[places, classes] >= 0.75).all()
    assert teacher.card.training in trainer.network().card.trainings  # what it saw, this one saw

    def distance(share: float) -> float:
        taught = make_trainer(dataclasses.replace(config, teacher_weight=share), material)
        taught.train_until(taught.steps)
        found = legal_probabilities(boards, taught.network().predict(boards))
        return float(np.abs(found - opinion).sum(axis=1).mean())

    assert distance(1.0) < distance(0.0)


@pytest.mark.parametrize("setting", ["lessons=a.safetensors", "blocks=3", "repeats=1"])
def test_what_only_line_networks_have_is_refused(setting: str, weighted_wthor: Path) -> None:
    config = config_of(setting)
    name = setting.split("=")[0]
    with pytest.raises(DataError, match=f"{name}: only line networks have it, not conv2"):
        make_trainer(config, gather_material(config, wthor=weighted_wthor))


def test_a_network_that_learned_on_is_another() -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    from outflank.nets import build
    from outflank.nets.network import Card
    from outflank.nets.torch.policy import TorchPolicy

    policy = TorchPolicy(build("conv2", planes=3), Card("conv2", "pieces"))
    before = policy.fingerprint
    assert before == policy.fingerprint != ""
    with torch.no_grad():
        next(policy.module.parameters()).add_(0.01)
    assert policy.fingerprint != before


def test_other_games_are_told_when_a_run_is_resumed(weighted_wthor: Path, tmp_path: Path) -> None:
    config = config_of()
    material = gather_material(config, wthor=weighted_wthor)
    make_trainer(config, material).save(tmp_path)
    other = dataclasses.replace(material, facts={**material.facts, "sources": ["another"]})
    with pytest.raises(DataError, match=r"begun with other games or lessons \(.*\)$"):
        make_trainer(config, other).load(tmp_path)


def test_a_checkpoint_of_another_configuration(weighted_wthor: Path, tmp_path: Path) -> None:
    material = gather_material(config_of(), wthor=weighted_wthor)
    make_trainer(config_of(), material).save(tmp_path)
    with pytest.raises(DataError, match="made with another configuration"):
        make_trainer(config_of("rate=0.5"), material).load(tmp_path)


@pytest.fixture
def material(weighted_wthor: Path) -> Material:
    return gather_material(config_of("examples=0", "augment=no"), wthor=weighted_wthor)


def test_an_epoch_shows_every_example_once(material: Material) -> None:
    training = material.training
    whole = [training.take(epoch, np.arange(len(training))) for epoch in (0, 1)]
    triples = [sorted(zip(one.own, one.other, one.move, strict=True)) for one in whole]
    assert triples[0] == triples[1]
    assert len(triples[0]) == len(set(triples[0]))
    assert (whole[0].own != whole[1].own).mean() > 0.9
    part = training.take(1, np.arange(100, 200))
    np.testing.assert_array_equal(part.own, whole[1].own[100:200])


def test_nothing_held_out_is_trained_on(material: Material) -> None:
    shown = material.training.take(0, np.arange(len(material.training)))
    assert not set(shown.game) & set(material.held_out.game)
    assert len(material.held_out) == 500


def test_augmented_examples_are_images(weighted_wthor: Path, material: Material) -> None:
    turned = gather_material(config_of("examples=0"), wthor=weighted_wthor).training
    places = np.arange(1000)
    plain, images = material.training.take(3, places), turned.take(3, places)
    for one, other in ((plain, images), (images, plain)):
        canonical, _ = one.boards().canonical()
        again, _ = other.boards().canonical()
        np.testing.assert_array_equal(canonical.own, again.own)
        legal = one.boards().legal_mask()
        assert legal[places, one.move].all()
    same = (plain.own == images.own) & (plain.other == images.other)
    assert 0.08 < same.mean() < 0.2


def test_a_bootstrap_draws_with_replacement(weighted_wthor: Path) -> None:
    drawn = gather_material(
        config_of("examples=0", "augment=no", "bootstrap=yes"), wthor=weighted_wthor
    ).training
    shown = [drawn.take(epoch, np.arange(len(drawn))) for epoch in (0, 1)]
    triples = [sorted(zip(one.own, one.other, one.move, strict=True)) for one in shown]
    assert triples[0] == triples[1]  # one sample for the whole training
    assert len(set(triples[0])) / len(triples[0]) == pytest.approx(1 - 1 / np.e, abs=0.02)


class Knowing(PolicyNetwork):
    """Gives the highest score to one square, and others by their index."""

    def __init__(self, square: int) -> None:
        self.card = Card("knowing", "pieces")
        self.square = square

    def predict(self, boards: Boards) -> Prediction:
        logits = np.tile(-np.arange(64, dtype=np.float32), (len(boards), 1))
        logits[:, self.square] = 1
        return Prediction(logits)


def test_measures_are_shares_of_examples(material: Material) -> None:
    examples = material.held_out
    found = measure(Knowing(60), examples)
    assert found.examples == 500
    assert found.accuracy == np.mean(examples.move == 60)
    assert found.top3 == np.mean(np.isin(examples.move, (60, 0, 1)))
    legal = examples.boards().legal_mask()[:, 60]
    assert found.legal == legal.mean()
    logits = Knowing(60).predict(examples.boards()).logits.astype(np.float64)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    expected = -np.log(shares[np.arange(500), examples.move]).mean()
    assert found.loss == pytest.approx(expected)
    assert sum(count for count, _ in found.by_ply.values()) == 500
    assert measure(Knowing(60), examples.take(slice(0, 0))).examples == 0


@pytest.mark.parametrize("optimiser", ["sgd", "adamw"])
def test_weights_decay_and_biases_do_not(optimiser: str) -> None:
    """A step without gradients changes weights by their decay alone; normalisations have none."""
    from outflank.learn.imitation.convolutional import make_optimiser

    module = build("conv4-bn")
    for parameter in module.parameters():
        torch.nn.init.ones_(parameter)
        parameter.grad = torch.zeros_like(parameter)
    settings = [f"optimiser={optimiser}", "l2=0.5", "rate=0.1", "momentum=0"]
    make_optimiser(config_of(*settings), module).step()
    weights = [one for one in module.parameters() if one.ndim > 1]
    others = [one for one in module.parameters() if one.ndim <= 1]
    assert (len(weights), len(others) > 3) == (6, True)
    assert all(torch.allclose(one, torch.full_like(one, 0.95)) for one in weights)
    assert all((one == 1).all() for one in others)
