"""Networks that value a board and its mirror images alike."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.slow_evolution import SUB_SQUARES, evaluate, outputs, some_boards
from outflank import _core
from outflank.learn.coevolution import CoevolutionConfig, Crew, Evolution
from outflank.learn.coevolution.config import VARIATIONS
from outflank.learn.coevolution.symmetry import tied_weights


def tied(shape: str, seed: int = 1) -> NDArray[np.float32]:
    owner = tied_weights(shape)
    free = np.random.default_rng(seed).normal(0, 0.3, owner.max() + 1)
    weights: NDArray[np.float32] = free[owner].astype(np.float32)
    return weights


@pytest.mark.parametrize("shape", ["spatial", "flat", "only"])
def test_mirror_images_are_worth_the_same(shape: str) -> None:
    weights, boards = tied(shape), some_boards(60)[5::7]
    fast = _core.EvolvedEvaluation(shape, weights, 1 / 64)
    values = fast.evaluate(boards.own, boards.other, boards.white_to_move) / fast.units
    for symmetry in range(8):
        images = boards.transform(symmetry)
        mirrored = fast.evaluate(images.own, images.other, images.white_to_move) / fast.units
        assert np.abs(mirrored - values).max() < 5e-5
        for one in range(len(boards)):
            own, other = int(boards.own[one]), int(boards.other[one])
            value = evaluate(shape, weights, own, other, 1 / 64)
            image = evaluate(shape, weights, int(images.own[one]), int(images.other[one]), 1 / 64)
            assert image == pytest.approx(value, abs=1e-9)


def test_a_filter_ranks_mirrored_moves_alike() -> None:
    weights, boards = tied("filter"), some_boards(60)[30:31]
    squares = np.uint64(1) << np.arange(64, dtype=np.uint64)
    ranks = outputs("filter", weights, int(boards.own[0]), int(boards.other[0]))
    for symmetry in range(8):
        image = boards.transform(symmetry)
        mirrored = outputs("filter", weights, int(image.own[0]), int(image.other[0]))
        places = [int(bits).bit_length() - 1 for bits in _core.transform(squares, symmetry)]
        assert np.allclose(mirrored[places], ranks, atol=1e-9)


def test_no_more_weights_are_tied_than_need_be() -> None:
    # Ten classes of squares for each of 40 nodes, all biases, and the layers behind.
    assert tied_weights("flat").max() + 1 == 40 * (10 + 1) + 10 * 41 + 11
    squares = np.uint64(1) << np.arange(64, dtype=np.uint64)
    orbits = set()
    for node in SUB_SQUARES:
        for inputs in [*([one] for one in node), node, []]:  # a weight, the next layer's, the bias
            kinds = []
            for symmetry in range(8):
                image = [int(bits).bit_length() - 1 for bits in _core.transform(squares, symmetry)]
                kinds.append((sorted(image[s] for s in node), sorted(image[s] for s in inputs)))
            orbits.add(str(min(kinds)))
    assert tied_weights("only").max() + 1 == len(orbits) + 1  # and the output's bias
    assert len(tied_weights("hybrid")) == len(tied_weights("spatial")) + len(tied_weights("filter"))
    assert len(np.unique(tied_weights("hybrid"))) == tied_weights("hybrid").max() + 1


@pytest.mark.parametrize("variation", VARIATIONS)
def test_evolution_keeps_tied_weights_equal(variation: str) -> None:
    config = CoevolutionConfig(
        shape="only", symmetric=True, variation=variation, population=6, opponents=2, depth=1
    )
    with Crew(config) as crew:
        evolution = Evolution(config, crew)
        before = evolution.parents.weights.copy()
        evolution.train_until(3)
    owner = tied_weights("only")
    first = np.unique(owner, return_index=True)[1]
    for networks in (before, evolution.parents.weights):
        assert np.array_equal(networks, networks[:, first][:, owner])
        assert len(np.unique(networks[0])) == config.free
    assert not np.array_equal(before, evolution.parents.weights)
