"""The agent of Fu and Xu (2017): its network, its settings, and that it learns."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")

from outflank import _core  # noqa: E402
from outflank.learn import find_learner, train_run  # noqa: E402
from outflank.learn.selfplay import SelfPlayConfig, preset  # noqa: E402
from outflank.learn.selfplay.config import playing_options  # noqa: E402
from outflank.learn.selfplay.convolutional import ConvolutionalInTraining, Leaves  # noqa: E402
from outflank.learn.selfplay.replay import mirrored  # noqa: E402
from outflank.models import load_network  # noqa: E402
from outflank.nets.files import load_tensors  # noqa: E402
from outflank.nets.torch.policy_value import PolicyValueNetwork, PolicyValueShape  # noqa: E402
from outflank.othello.boards import Boards  # noqa: E402
from outflank.players import make_player  # noqa: E402
from strategies import random_game  # noqa: E402

LEARNER = find_learner("selfplay")
TINY = [
    "maps=8", "units=16", "simulations=6", "games=6", "generations=3", "batch=64",
    "evaluate_games=0", "threads=1",
]  # fmt: skip


def tiny(*settings: str) -> SelfPlayConfig:
    return preset("paper").with_settings([*TINY, *settings])


def positions(count: int = 40) -> tuple[Any, Any]:
    found = [random_game(seed, plies=10 + seed % 40).position for seed in range(count)]
    boards = Boards.from_positions([one for one in found if not one.is_over])
    return boards.own, boards.other


def weights_after(folder: Path) -> dict[str, Any]:
    last = sorted((folder / "checkpoints").glob("step-*"))[-1]
    return load_tensors(last / "training.safetensors", kind="training")[0]


def test_the_preset_has_the_settings_of_the_paper() -> None:
    config = preset("paper")
    assert (config.games, config.most_games, config.window_growth) == (5, 10_000, 0)
    assert (config.simulations, config.exploration, config.first_play) == (100, 1, "zero")
    assert (config.temperature, config.temperature_plies, config.late_temperature) == (1, 5, 0)
    assert (config.learning_rate_in(0), config.learning_rate_in(1999)) == (1e-3, 1e-3)
    assert (config.batch, config.dropout, config.noise_share) == (64, 0.3, 0)
    assert (config.solve_at, config.random_plies, config.value_mix, config.average) == (0, 0, 0, 0)
    played = playing_options(config)
    assert (played["sims"], played["temperature"], played["temperature_plies"]) == (100, 1, 5)
    assert (played["c"], played["first_play"]) == (1, "zero")


def test_the_network_has_the_layers_of_the_paper() -> None:
    network = PolicyValueNetwork(PolicyValueShape(), 0.3)
    layers = list(network.body)
    convolutions = [one for one in layers if isinstance(one, torch.nn.Conv2d)]
    dense = [one for one in layers if isinstance(one, torch.nn.Linear)]
    assert [(one.in_channels, one.out_channels) for one in convolutions] == [
        (1, 512), (512, 512), (512, 512), (512, 512),
    ]  # fmt: skip
    assert [(one.in_features, one.out_features) for one in dense] == [(8192, 1024), (1024, 512)]
    assert [one.p for one in layers if isinstance(one, torch.nn.Dropout)] == [0.3, 0.3]
    for place, layer in enumerate(layers):  # each convolution is normalised
        if isinstance(layer, torch.nn.Conv2d):
            assert isinstance(layers[place + 1], torch.nn.BatchNorm2d)


def test_it_sees_one_plane_of_signs() -> None:
    """A square that holds nothing looks like one that would hold both."""
    network = PolicyValueNetwork(PolicyValueShape(4, 8)).eval()
    planes = torch.zeros(1, 2, 8, 8)
    both = planes.clone()
    both[:, :, 3, 5] = 1
    with torch.inference_mode():
        for mine, wanted in zip(network(both), network(planes), strict=True):
            assert torch.equal(mine, wanted)


def test_the_loss_is_the_papers_with_its_sign_right() -> None:
    """Cross-entropy and squared error, as a slow sum over positions and squares."""
    config = tiny("dropout=0", "learning_rate=0", "last_learning_rate=0")
    network = ConvolutionalInTraining(config)
    own, other = positions()
    rng = np.random.default_rng(1)
    legal = Boards(own, other, np.zeros(len(own), np.bool_)).legal_mask()[:, :64]
    policy = np.where(legal, rng.random(legal.shape), 0).astype(np.float32)
    policy /= np.maximum(policy.sum(axis=1, keepdims=True), 1e-6)
    policy[0] = 0  # teaches none
    value = rng.uniform(-1, 1, len(own)).astype(np.float32)
    weight = rng.uniform(0.5, 1.5, len(own)).astype(np.float32)
    boards = Boards(own, other, np.zeros(len(own), np.bool_))
    module = network.module.train()  # normalised over this batch
    from outflank.data.encodings import SQUARE_OF_CLASS, find_encoding

    with torch.no_grad():
        scores, values = module(torch.from_numpy(find_encoding("pieces").encode(boards)))
    logits, found = scores.double().numpy(), values.double().numpy().reshape(-1)
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    loss = taught = squares = 0.0
    for row in range(len(own)):
        for column, square in enumerate(SQUARE_OF_CLASS):
            loss -= weight[row] * policy[row, square] * logs[row, column]
        taught += weight[row] * policy[row].sum()
        squares += weight[row] * (found[row] - value[row]) ** 2
    means = network.learn(own, other, policy, value, weight, 0.0)
    assert means["policy_loss"] == pytest.approx(loss / taught, rel=1e-4)
    assert means["value_loss"] == pytest.approx(squares / weight.sum(), rel=1e-4)


def test_mirrored_positions_keep_their_policies() -> None:
    own, other = positions()
    legal = Boards(own, other, np.zeros(len(own), np.bool_)).legal_mask()[:, :64]
    shares = np.where(legal, np.random.default_rng(2).random(legal.shape), 0).astype(np.float32)
    symmetry = (np.arange(len(own)) % 8).astype(np.uint8)
    turned_own, turned_other, turned = mirrored(own, other, shares, symmetry)
    for row in range(len(own)):
        number = int(symmetry[row])
        assert turned_own[row] == _core.transform(int(own[row]), number)
        assert turned_other[row] == _core.transform(int(other[row]), number)
        for square in range(64):
            image = _core.transform_move(square, number)
            assert turned[row, image] == shares[row, square]


def test_the_result_does_not_depend_on_workers_or_interruptions(tmp_path: Path) -> None:
    config = tiny("games=260", "simulations=1", "generations=2", "passes=0.02", "average=0.5")
    for workers in (1, 2):
        train_run(LEARNER, tmp_path / str(workers), config, options={"workers": workers})
    train_run(LEARNER, tmp_path / "twice", replace(config, generations=1))
    settings = json.loads((tmp_path / "twice" / "config.json").read_text())
    (tmp_path / "twice" / "config.json").write_text(json.dumps({**settings, "generations": 2}))
    for path in sorted((tmp_path / "twice" / "checkpoints").glob("*/training.safetensors")):
        _change_generations(path)
    train_run(LEARNER, tmp_path / "twice")
    wanted = weights_after(tmp_path / "1")
    for name in ("2", "twice"):
        found = weights_after(tmp_path / name)
        assert found.keys() == wanted.keys()
        for key, array in wanted.items():
            np.testing.assert_array_equal(found[key], array, err_msg=key)


def _change_generations(path: Path) -> None:
    """Let a checkpoint be one of a longer run."""
    from outflank.nets.files import save_tensors

    tensors, facts = load_tensors(path, kind="training")
    facts["config"]["generations"] = 2
    save_tensors(path, tensors, kind="training", facts=facts)


def test_it_learns_and_plays_without_pytorch(tmp_path: Path) -> None:
    config = tiny("maps=16", "units=64", "games=40", "generations=3", "passes=0.5")
    train_run(LEARNER, tmp_path / "run", config)
    lines = [
        json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    ]
    assert lines[-1]["loss"] < lines[0]["loss"] - 0.1
    spec = LEARNER.player(tmp_path / "run")
    assert spec is not None
    assert "network.onnx" in spec
    assert "temperature_plies=5" in spec
    with make_player(spec) as player:
        assert player.fingerprint
    own, other = positions()
    boards = Boards(own, other, np.zeros(len(own), np.bool_))
    slow = load_network(tmp_path / "run" / "network.safetensors").predict(boards)
    fast = load_network(tmp_path / "run" / "network.onnx").predict(boards)
    known = np.isfinite(slow.logits)
    np.testing.assert_allclose(fast.logits[known], slow.logits[known], atol=1e-4)
    assert slow.values is not None
    assert fast.values is not None
    np.testing.assert_allclose(fast.values, slow.values, atol=1e-5)
    weights = {
        name.removeprefix("weights."): array
        for name, array in weights_after(tmp_path / "run").items()
        if name.startswith("weights.")
    }
    logits, values = Leaves(weights, 1)(own, other)
    np.testing.assert_allclose(logits[known], slow.logits[known], atol=1e-5)
    np.testing.assert_allclose(values, slow.values, atol=1e-6)
