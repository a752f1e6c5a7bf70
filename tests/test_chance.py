"""Chance by keys: the same by the same key, another by another, as often as it should be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank.chance import (
    Shuffle,
    chance,
    draws,
    generator_of,
    key_of,
    keys_at_ply,
    keys_of,
    sample,
)

SHUFFLED = [7, 8, 4, 5, 3, 9, 0, 6, 1, 2]
DRAWN = [81, 83, 86, 94, 69, 3, 26, 3]
KEY = 5522660007876046409
KEYS = [8409816773569330625, 370462283941081367]
GENERATED = [94, 62, 68, 89]


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


def test_keys_do_not_depend_on_the_machine() -> None:
    assert key_of("games", 1, "random") == KEY
    assert keys_of(7, [0, 1]).tolist() == KEYS
    assert generator_of(7).integers(100, size=4).tolist() == GENERATED


def test_a_key_says_where_its_parts_end() -> None:
    assert key_of("ab", "c") != key_of("a", "bc")
    assert key_of(1, 23) != key_of(12, 3)


def test_keys_and_numbers_are_paired_or_spread() -> None:
    keys = keys_of(7, np.arange(3))
    paired = keys_of(keys, np.array([5, 6, 7]))
    assert keys_of(keys, 5)[0] == paired[0]
    assert keys_of(int(keys[1]), [6]).tolist() == paired[1:2].tolist()
    np.testing.assert_array_equal(keys_at_ply(keys, 5), keys_of(keys, 5))
    assert keys_of(7, np.arange(0)).shape == (0,)


@pytest.mark.parametrize("probability", [0.0, 0.05, 0.5, 1.0])
def test_chances_come_as_often_as_they_should(probability: float) -> None:
    places = np.arange(100_000)
    for found in (chance(places, probability, 1, "slip"), sample(100_000, probability, 1)):
        assert found.dtype == np.bool_
        assert abs(found.mean() - probability) < 0.005
        if probability in (0.0, 1.0):
            assert found.mean() == probability


def test_chance_at_a_place_depends_on_the_key_and_the_place_alone() -> None:
    places = np.arange(1000)
    found = chance(places, 0.5, 1, "slip")
    np.testing.assert_array_equal(chance(places[100:200], 0.5, 1, "slip"), found[100:200])
    assert (found != chance(places, 0.5, 2, "slip")).mean() > 0.4
    # What a small probability chooses, a larger one chooses too.
    assert not (chance(places, 0.2, 1, "slip") & ~found).any()
