"""Networks that begin with smaller ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nets.line_networks import Shape, as_arrays, make_network, some_boards
from outflank._core import LineTrainer
from outflank.errors import DataError
from outflank.nets.growing import begin_with
from outflank.nets.line import LinePolicy
from outflank.nets.network import Card

CARD = Card("line", "pieces", "n", {"learner": "imitation"}, {})
OWN, OTHER = as_arrays(some_boards())
SMALL = Shape(blocks=1, layers=1)


def begun(path: Path, small: Shape, large: Shape) -> tuple[LinePolicy, LinePolicy]:
    """Return a network, and a larger one that began with it."""
    old = LinePolicy(make_network(small), CARD)
    old.save(path, quantised=False)
    grown = make_network(large)
    assert begin_with(grown, path) == CARD
    return old, LinePolicy(grown, CARD)


@pytest.mark.parametrize(
    "large",
    [
        SMALL,
        Shape(blocks=2, layers=1),
        Shape(blocks=1, layers=2),
        Shape(blocks=3, layers=3),
        Shape(blocks=1, layers=1, channels=32),
        Shape(blocks=1, layers=1, hidden=96),
        Shape(blocks=2, layers=2, channels=48, hidden=64),
    ],
    ids=str,
)
def test_a_network_that_begins_with_a_smaller_one_answers_like_it(
    large: Shape, tmp_path: Path
) -> None:
    old, grown = begun(tmp_path / "n.safetensors", SMALL, large)
    for mine, wanted in zip(
        grown.network.predict(OWN, OTHER, 1), old.network.predict(OWN, OTHER, 1), strict=True
    ):
        np.testing.assert_allclose(mine, wanted, atol=1e-4)
    for name, array in grown.network.parameters().items():  # what is new can learn
        if name.startswith(("block0.channel", "layer0.in")):
            assert array.any()


@pytest.mark.parametrize("small", [Shape(layers=2), Shape(layers=0), Shape(blocks=0)], ids=str)
def test_every_kind_of_network_grows_wider(small: Shape, tmp_path: Path) -> None:
    large = Shape(2 * small.channels, small.blocks, small.layers, 2 * small.hidden)
    old, grown = begun(tmp_path / "n.safetensors", small, large)
    np.testing.assert_allclose(
        grown.network.predict(OWN, OTHER, 1)[0], old.network.predict(OWN, OTHER, 1)[0], atol=1e-4
    )


def test_copies_of_a_channel_learn_different_things(tmp_path: Path) -> None:
    _, grown = begun(tmp_path / "n.safetensors", SMALL, Shape(32, 1, 1))
    copies = grown.network.parameters()["line0"].reshape(-1, 2, 16)
    np.testing.assert_array_equal(copies[:, 0], copies[:, 1])
    policy = np.where(np.isfinite(grown.network.predict(OWN, OTHER, 1)[0]), 1, 0)
    policy = (policy / np.maximum(1, policy.sum(axis=1, keepdims=True))).astype(np.float32)
    LineTrainer(grown.network, seed=1).step(
        OWN, OTHER, policy=policy, value=np.zeros(len(OWN), np.float32),
        weight=np.ones(len(OWN), np.float32), rates=(1e-3, 1e-2, 1e-2), threads=1,
    )  # fmt: skip
    copies = grown.network.parameters()["line0"].reshape(-1, 2, 16)
    assert np.abs(copies[:, 0] - copies[:, 1]).max() > 1e-3


@pytest.mark.parametrize(
    "large",
    [
        Shape(blocks=0, layers=1, channels=32),
        Shape(blocks=1, layers=0, channels=32),
        Shape(blocks=1, layers=1, channels=16),
        Shape(blocks=1, layers=1, channels=48),
        Shape(blocks=1, layers=1, channels=32, hidden=48),
        Shape(blocks=1, layers=1, channels=32, afterstates=False),
    ],
    ids=str,
)
def test_a_network_cannot_begin_with_one_that_does_not_fit(large: Shape, tmp_path: Path) -> None:
    small = Shape(blocks=1, layers=1, channels=32)
    LinePolicy(make_network(small), CARD).save(tmp_path / "n.safetensors")
    with pytest.raises(DataError, match="has another shape than the network to train"):
        begin_with(make_network(large), tmp_path / "n.safetensors")


def test_blocks_that_are_too_many_are_named(tmp_path: Path) -> None:
    LinePolicy(make_network(Shape(blocks=3)), CARD).save(tmp_path / "n.safetensors")
    with pytest.raises(DataError, match=r"n\.safetensors: has another shape .*: blocks: 3, not 1"):
        begin_with(make_network(Shape(blocks=1)), tmp_path / "n.safetensors")
