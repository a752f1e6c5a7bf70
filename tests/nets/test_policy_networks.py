"""Probabilities of moves, of one network, of several, and of a board's eight images."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank.nets import (
    Averaged,
    Card,
    PolicyNetwork,
    Prediction,
    Symmetrised,
    legal_probabilities,
)
from outflank.othello.boards import Boards
from strategies import MUST_PASS, any_boards, random_game


class Scoring(PolicyNetwork):
    """Scores the squares of every board alike, and values boards by a number."""

    def __init__(self, scores: object, value: float | None = None) -> None:
        self.card = Card("scoring", "pieces")
        self.scores = np.asarray(scores, np.float32)
        self.value = value

    def predict(self, boards: Boards) -> Prediction:
        values = None if self.value is None else np.full(len(boards), self.value, np.float32)
        return Prediction(np.tile(self.scores, (len(boards), 1)), values)


class DiscScoring(PolicyNetwork):
    """Scores a square by the discs on it, weighted by where they are: far from symmetric."""

    def __init__(self) -> None:
        self.card = Card("discs", "pieces")
        self.weights = np.random.default_rng(1).normal(size=(128, 64)).astype(np.float32)

    def predict(self, boards: Boards) -> Prediction:
        logits = boards.planes(("own", "other")).reshape(len(boards), 128) @ self.weights
        return Prediction(logits, np.tanh(logits[:, 0]))


@given(st.lists(any_boards(), min_size=1, max_size=5), st.integers(0, 2**32))
def test_probabilities_are_of_legal_moves_and_sum_to_one(found: list[object], seed: int) -> None:
    boards = Boards.from_positions(found)  # type: ignore[arg-type]
    scores = np.random.default_rng(seed).normal(0, 30, 64)
    shares = legal_probabilities(boards, Scoring(scores).predict(boards))
    legal = boards.legal_mask()[:, :64]
    assert shares.dtype == np.float32
    assert (shares[~legal] == 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), legal.any(axis=1), atol=1e-5)


def test_probabilities_follow_the_scores() -> None:
    boards = Boards.start(1)
    scores = np.full(64, 50.0)
    scores[[19, 26, 37, 44]] = np.log([1, 2, 3, 4])  # the legal moves
    shares = legal_probabilities(boards, Scoring(scores).predict(boards))[0]
    np.testing.assert_allclose(shares[[19, 26, 37, 44]], [0.1, 0.2, 0.3, 0.4], rtol=1e-5)


def test_where_a_network_excludes_all_legal_moves_they_are_equal() -> None:
    boards = Boards.from_positions([*Boards.start(1), MUST_PASS])
    shares = legal_probabilities(boards, Scoring(np.full(64, -np.inf)).predict(boards))
    assert shares[0][[19, 26, 37, 44]].tolist() == [0.25] * 4
    assert not shares[1].any()


def test_the_average_is_of_probabilities_not_of_scores() -> None:
    one, other = np.full(64, -np.inf), np.full(64, -np.inf)
    one[[0, 1]] = np.log([0.9, 0.1])
    other[[0, 1]] = np.log([0.3, 0.7])
    both = Averaged([Scoring(one + 5, 0.5), Scoring(other, -1.0)])
    found = both.predict(Boards.start(2))
    np.testing.assert_allclose(np.exp(found.logits[1, :2]), [0.6, 0.4], rtol=1e-5)
    assert np.isneginf(found.logits[:, 2:]).all()
    assert found.values is not None
    assert found.values.tolist() == [-0.25, -0.25]
    assert both.name == "scoring"


def test_the_average_has_a_value_only_if_all_have() -> None:
    networks = [Scoring(np.zeros(64), 1.0), Scoring(np.zeros(64))]
    assert Averaged(networks).predict(Boards.start(1)).values is None
    with pytest.raises(ValueError, match="no networks"):
        Averaged([])


@pytest.mark.parametrize("symmetry", range(8))
def test_a_symmetrised_network_turns_with_the_board(symmetry: int) -> None:
    network = Symmetrised(DiscScoring())
    boards = Boards.from_positions([random_game(seed, 20).position for seed in range(5)])
    straight, turned = network.predict(boards), network.predict(boards.transform(symmetry))
    squares = np.uint64(1) << np.arange(64, dtype=np.uint64)
    nothing = np.zeros(64, np.uint64)
    images = Boards(squares, nothing, np.zeros(64, np.bool_)).transform(symmetry).own
    where = np.log2(images.astype(np.float64)).astype(int)
    np.testing.assert_allclose(turned.logits[:, where], straight.logits, atol=1e-4)
    assert straight.values is not None
    assert turned.values is not None
    np.testing.assert_allclose(turned.values, straight.values, atol=1e-6)


def test_predictions_join_in_order() -> None:
    boards = Boards.start(3)
    whole = Prediction.concatenate(
        [Scoring(np.zeros(64), 1.0).predict(boards), Scoring(np.ones(64), 0.0).predict(boards[:1])]
    )
    assert whole.logits[:, 0].tolist() == [0, 0, 0, 1]
    assert whole.values is not None
    assert whole.values.tolist() == [1, 1, 1, 0]
