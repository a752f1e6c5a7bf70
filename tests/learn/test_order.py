"""Random orders: every place once, the same by the same key, another by another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank.learn import Shuffle, draws

SHUFFLED = [7, 8, 4, 5, 3, 9, 0, 6, 1, 2]
DRAWN = [81, 83, 86, 94, 69, 3, 26, 3]


@given(st.integers(1, 3000), st.integers(0, 2**32))
def test_every_number_comes_once(size: int, seed: int) -> None:
    order = Shuffle(size, seed)(np.arange(size))
    assert order.dtype == np.int64
    np.testing.assert_array_equal(np.sort(order), np.arange(size))


def test_a_part_is_a_part_of_the_whole() -> None:
    shuffle = Shuffle(10_001, 1, "epoch", 2)
    whole = shuffle(np.arange(10_001))
    places = np.array([10_000, 0, 77, 5000], np.uint32)
    np.testing.assert_array_equal(shuffle(places), whole[places])
    assert (whole != Shuffle(10_001, 1, "epoch", 3)(np.arange(10_001))).mean() > 0.99


def test_the_order_is_random() -> None:
    size = 1 << 16
    order = Shuffle(size, 7)(np.arange(size))
    assert abs(np.corrcoef(order, np.arange(size))[0, 1]) < 0.02
    assert abs(np.corrcoef(order[1:], order[:-1])[0, 1]) < 0.02
    first_half = np.bincount(order[: size // 2] >> 12, minlength=16)
    assert first_half.min() > 1900  # of 2048 expected
    assert first_half.max() < 2200


def test_orders_do_not_depend_on_the_machine() -> None:
    assert Shuffle(10, 1)(np.arange(10)).tolist() == SHUFFLED
    assert draws(np.arange(8), 100, 1).tolist() == DRAWN


def test_places_beyond_the_end() -> None:
    assert Shuffle(0, 1)(np.arange(0)).tolist() == []
    with pytest.raises(IndexError, match="3 places"):
        Shuffle(3, 1)(np.array([3]))


def test_draws_are_uniform_and_by_key() -> None:
    drawn = draws(np.arange(80_000), 8, 1, "symmetry")
    assert np.abs(np.bincount(drawn, minlength=8) - 10_000).max() < 500
    assert (drawn != draws(np.arange(80_000), 8, 2, "symmetry")).mean() > 0.8
