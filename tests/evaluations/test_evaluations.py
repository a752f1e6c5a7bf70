"""Every named evaluation is what its slow reference says."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import reference
from evaluations.slow_evaluations import SLOW
from outflank import _core
from outflank.evaluations import evaluation
from outflank.othello.boards import Boards

# Weights that were learned need not be the same on all eight images of the board.
LOPSIDED = {"lr06", "sjk09", "sjk11"}
# What one side has more, the other has less.
BALANCED = set(SLOW) - {"iago", "iago-positional", "paip-iago"}


@cache
def some_boards() -> tuple[reference.Board, ...]:
    """Boards of random games, from the start to the end."""
    return tuple(board for seed in range(40) for board, _ in reference.random_game(seed))


@cache
def batch() -> Boards:
    bits = np.array([reference.bits(board) for board in some_boards()], np.uint64)
    white = np.arange(len(bits)) % 2 == 1
    return Boards(bits[:, 0].copy(), bits[:, 1].copy(), white)


@cache
def many_boards() -> Boards:
    """Boards of 400 random games played by the core."""
    boards, parts = Boards.start(400), []
    while len(boards):
        parts.append(boards)
        boards = boards.play(_core.random_moves(boards.own, boards.other, len(parts)))
        boards = boards[~boards.is_over()]
    return Boards.concatenate(parts)


def values(name: str, boards: Boards) -> NDArray[np.int32]:
    found = evaluation(name).evaluate(boards.own, boards.other, boards.white_to_move)
    assert found.dtype == np.int32
    return found


def test_every_built_in_evaluation_has_a_slow_reference() -> None:
    assert {name for name, *_ in _core.named_evaluations()} == set(SLOW)


@pytest.mark.parametrize("name", SLOW)
class TestEveryEvaluation:
    def test_is_what_the_reference_says(self, name: str) -> None:
        assert len(some_boards()) > 2000
        slow = [SLOW[name](board) for board in some_boards()]
        units = int(evaluation(name).units)
        assert values(name, batch()).tolist() == [units * value for value in slow]

    def test_is_the_same_for_one_board_and_for_many(self, name: str) -> None:
        one = evaluation(name)
        boards = batch()[:50]
        single = [
            one.evaluate(int(own), int(other), bool(white))
            for own, other, white in zip(
                boards.own, boards.other, boards.white_to_move, strict=True
            )
        ]
        assert single == values(name, boards).tolist()

    def test_does_not_depend_on_the_number_of_threads(self, name: str) -> None:
        boards = many_boards()
        one = evaluation(name)
        alone = one.evaluate(boards.own, boards.other, boards.white_to_move, threads=1)
        assert np.array_equal(
            alone, one.evaluate(boards.own, boards.other, boards.white_to_move, threads=3)
        )

    def test_knows_no_colours(self, name: str) -> None:
        boards = many_boards()
        swapped = Boards(boards.own, boards.other, ~boards.white_to_move)
        assert np.array_equal(values(name, boards), values(name, swapped))

    def test_is_the_same_on_all_images_of_a_board(self, name: str) -> None:
        boards = many_boards()
        same = [
            np.array_equal(values(name, boards), values(name, boards.transform(symmetry)))
            for symmetry in range(8)
        ]
        assert same == ([True] + [False] * 7 if name in LOPSIDED else [True] * 8)

    def test_is_the_opposite_for_the_opponent(self, name: str) -> None:
        boards = many_boards()
        passed = Boards(boards.other, boards.own, ~boards.white_to_move)
        opposite = np.array_equal(values(name, boards), -values(name, passed))
        assert opposite == (name in BALANCED)

    def test_stays_within_its_limit_on_any_board(self, name: str) -> None:
        """Every square of one colour or another, in ways that no game leads to."""
        draw = np.random.default_rng(1)
        own, mask = draw.integers(1 << 63, size=(2, 20_000), dtype=np.uint64) << np.uint64(1)
        own[0], mask[0] = ~np.uint64(0), 0
        boards = Boards(own, ~own & ~mask, np.zeros(len(own), np.bool_))
        assert np.abs(values(name, boards).astype(np.int64)).max() <= 10**9

    def test_answers_an_empty_batch(self, name: str) -> None:
        assert values(name, Boards.start(0)).tolist() == []


def test_the_course_changes_its_weights_at_32_discs() -> None:
    corner = 1
    filler = ((1 << 30) - 1) << 8  # 30 discs of the opponent's
    own = np.array([corner, corner | 2], np.uint64)
    boards = Boards(own, np.array([filler] * 2, np.uint64), np.zeros(2, np.bool_))
    early, late = values("course-early", boards), values("course-late", boards)
    assert values("course", boards).tolist() == [2 * early[0], late[1]]
    assert early[0] != late[0]


def test_arrays_of_different_lengths_are_refused() -> None:
    boards = Boards.start(3)
    with pytest.raises(ValueError, match="differ in length: 3 and 2"):
        evaluation("discs").evaluate(boards.own, boards.other, boards.white_to_move[:2])
