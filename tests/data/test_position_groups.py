"""Distinct positions and their moves: arrays against dictionaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from data.slow_examples import Counted, Pair, counted_examples, images, least_image
from outflank.data.positions import Positions, group_by_position


@dataclass
class Group:
    """What is known of one position."""

    moves: Counter[int] = field(default_factory=Counter)
    results: float = 0.0

    @property
    def count(self) -> int:
        return self.moves.total()


def slowly(rows: list[Counted]) -> dict[tuple[int, int], Group]:
    """The same with dictionaries: each example as the least of its images, move included."""
    found: dict[tuple[int, int], Group] = defaultdict(Group)
    for pair, count, value in rows:
        own, other, move = least_image(pair)
        found[own, other].moves[move] += count
        found[own, other].results += count * value
    return found


def check(found: Positions, expected: dict[tuple[int, int], Group]) -> None:
    boards = list(zip(found.own.tolist(), found.other.tolist(), strict=True))
    assert len(found) == len(expected)
    assert boards == sorted(expected)
    assert found.offset.tolist()[:1] == [0]
    assert found.offset[-1] == len(found.move) == len(found.share)
    for i, board in enumerate(boards):
        group = expected[board]
        some = slice(found.offset[i], found.offset[i + 1])
        assert found.move[some].tolist() == sorted(group.moves)
        assert found.count[i] == group.count
        assert found.value[i] == pytest.approx(group.results / group.count, abs=1e-6)
        shares = dict(zip(found.move[some].tolist(), found.share[some].tolist(), strict=True))
        assert shares == pytest.approx({m: n / group.count for m, n in group.moves.items()})


# Few boards, some of them symmetric, in all their images.
def _some_pairs() -> list[Pair]:
    played = [(board, move) for board, move in reference.random_game(1) if 0 <= move < 64][2:8]
    other_moves = [(board, move) for board, _ in played for move in reference.legal_moves(board)]
    start = [(reference.START, move) for move in reference.legal_moves(reference.START)]
    return [image for pair in (*other_moves, *start) for image in images(pair)]


ROWS = st.lists(
    st.tuples(
        st.sampled_from(_some_pairs()),
        st.integers(1, 2**20),
        st.sampled_from([-1.0, -0.25, 0.0, 0.5, 1.0]),
    ),
    max_size=60,
)


@given(ROWS)
def test_positions_are_those_that_dictionaries_find(rows: list[Counted]) -> None:
    check(group_by_position(counted_examples(rows)), slowly(rows))


def test_the_moves_of_a_symmetric_board_are_one() -> None:
    """On the start board all four moves are images of one another."""
    rows: list[Counted] = [((reference.START, move), 3, 0.5) for move in (19, 26, 37, 44)]
    found = group_by_position(counted_examples(rows))
    assert (len(found), found.count.tolist(), found.share.tolist()) == (1, [12], [1.0])
    assert found.move[0] == min(least_image(pair)[2] for pair, _, _ in rows)


def test_policies_of_boards_in_any_order() -> None:
    rows: list[Counted] = [(pair, 1 + i % 5, 0.0) for i, pair in enumerate(_some_pairs()[::3])]
    found = group_by_position(counted_examples(rows))
    index = np.random.default_rng(1).integers(len(found), size=20)
    policies = found.policies(index)
    assert policies.dtype == np.float32
    assert policies.shape == (20, 64)
    np.testing.assert_allclose(policies.sum(axis=1), 1, rtol=1e-6)
    for row, i in enumerate(index):
        some = slice(found.offset[i], found.offset[i + 1])
        assert np.flatnonzero(policies[row]).tolist() == found.move[some].tolist()
        np.testing.assert_array_equal(policies[row, found.move[some]], found.share[some])
    assert found.policies(index[:0]).shape == (0, 64)


def test_of_nothing_there_is_nothing() -> None:
    found = group_by_position(counted_examples([]))
    assert (len(found), found.offset.tolist(), len(found.move)) == (0, [0], 0)
    assert found.policies(np.zeros(0, np.int64)).shape == (0, 64)


def test_very_many_occurrences_are_not_cut_off() -> None:
    pair = (reference.START, 19)
    with_count = [(pair, 2**31, 1.0), (pair, 2**31 - 1, -1.0)]
    found = group_by_position(counted_examples(with_count))
    assert found.count.tolist() == [2**32 - 1]
    assert found.value[0] == pytest.approx(0, abs=1e-6)


def test_more_positions_go_behind() -> None:
    one, two = (
        Positions(
            own=np.array([n, n + 1], np.uint64),
            other=np.array([64, 128], np.uint64),
            count=np.array([1, 2], np.uint32),
            value=np.array([0.5, -1], np.float32),
            offset=np.array([0, 2, 3]),
            move=np.array([n + 5, n + 6, n + 7], np.uint8),
            share=np.array([0.25, 0.75, 1], np.float32),
        )
        for n in (1, 10)
    )
    both = one.and_also(two)
    assert both.own.tolist() == [1, 2, 10, 11]
    policies = both.policies(np.arange(4))
    for place, positions in enumerate((one, two)):
        part = policies[2 * place : 2 * place + 2]
        assert np.array_equal(part, positions.policies(np.arange(2)))
    assert policies[2, 15] == 0.25
