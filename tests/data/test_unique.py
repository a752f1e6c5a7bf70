"""Duplicates and mirror images of examples: the core against sets and dictionaries."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
from data.slow_examples import Pair, image, images, least_image, triple
from outflank import _core

Arrays = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint8]]


def arrays(pairs: list[Pair]) -> Arrays:
    triples = [triple(pair) for pair in pairs]
    own, other, move = ([t[place] for t in triples] for place in range(3))
    return np.array(own, np.uint64), np.array(other, np.uint64), np.array(move, np.uint8)


def listed(found: Arrays) -> list[tuple[int, ...]]:
    return list(zip(*(array.tolist() for array in found), strict=True))


# Few pairs, some of them symmetric, in all their images: so that there are many duplicates.
def _some_pairs() -> list[Pair]:
    played = [(board, move) for board, move in reference.random_game(1) if 0 <= move < 64]
    start = [(reference.START, move) for move in reference.legal_moves(reference.START)]
    diagonal = tuple(1 if square in (0, 9) else -1 if square == 18 else 0 for square in range(64))
    on_it = [(diagonal, move) for move in (27, 28, 36)]
    return [i for pair in (*played[:6], *start, *on_it) for i in images(pair)]


PAIRS = st.lists(st.sampled_from(_some_pairs()), max_size=60)


@given(PAIRS)
def test_duplicates_are_those_that_a_dictionary_finds(pairs: list[Pair]) -> None:
    index, count, group = _core.unique_examples(*arrays(pairs))
    counted = Counter(pairs)
    assert [pairs[i] for i in index] == list(counted)
    assert index.tolist() == [pairs.index(pair) for pair in counted]
    assert count.tolist() == list(counted.values())
    assert group.tolist() == [list(counted).index(pair) for pair in pairs]


@given(PAIRS)
def test_mirror_images_are_duplicates_if_asked_for(pairs: list[Pair]) -> None:
    least = [least_image(pair) for pair in pairs]
    assert listed(_core.canonical_examples(*arrays(pairs))) == least
    index, count, group = _core.unique_examples(*arrays(pairs), symmetric=True)
    counted = Counter(least)
    assert index.tolist() == [least.index(key) for key in counted]
    assert count.tolist() == list(counted.values())
    assert group.tolist() == [list(counted).index(key) for key in least]


@given(PAIRS, PAIRS)
def test_found_is_what_a_set_holds(pairs: list[Pair], among: list[Pair]) -> None:
    found = _core.find_examples(*arrays(pairs), *arrays(among))
    assert found.tolist() == [pair in set(among) for pair in pairs]
    found = _core.find_examples(*arrays(pairs), *arrays(among), symmetric=True)
    there = {least_image(pair) for pair in among}
    assert found.tolist() == [least_image(pair) in there for pair in pairs]


@given(PAIRS)
def test_images_are_counted(pairs: list[Pair]) -> None:
    expected = [len(set(images(pair))) for pair in pairs]
    assert _core.count_images(*arrays(pairs)).tolist() == expected


def test_a_symmetric_board_has_its_least_move() -> None:
    """The four first moves are one, and boards without a move are compared as boards."""
    four = arrays([(reference.START, move) for move in (19, 26, 37, 44)])
    assert len(set(listed(_core.canonical_examples(*four)))) == 1
    turned = arrays([image((reference.START, 0), symmetry) for symmetry in range(8)])
    nothing = np.full(8, _core.PASS, np.uint8)
    index, count, _ = _core.unique_examples(turned[0], turned[1], nothing, symmetric=True)
    assert (index.tolist(), count.tolist()) == ([0], [8])


@pytest.mark.parametrize("symmetric", [False, True])
def test_many_are_dealt_out_to_threads_and_nothing_changes(symmetric: bool) -> None:
    """Enough for several parts and threads; some boards differ in one bit or in the move only."""
    draw = np.random.default_rng(1)
    own = draw.integers(0, 2000, 50_000).astype(np.uint64) << np.uint64(20)
    other = draw.integers(0, 3, 50_000).astype(np.uint64)
    move = draw.integers(30, 33, 50_000).astype(np.uint8)
    one = _core.unique_examples(own, other, move, symmetric, threads=1)
    three = _core.unique_examples(own, other, move, symmetric, threads=3)
    assert all((a == b).all() for a, b in zip(one, three, strict=True))
    keys = _core.canonical_examples(own, other, move) if symmetric else (own, other, move)
    triples = listed(keys)
    counted = Counter(triples)
    assert one[1].tolist() == list(counted.values())
    assert [triples[i] for i in one[0]] == list(counted)
    half = 25_000
    parts = own[:half], other[:half], move[:half], own[half:], other[half:], move[half:]
    found = _core.find_examples(*parts, symmetric, threads=3)
    assert (found == _core.find_examples(*parts, symmetric, threads=1)).all()
    there = set(triples[half:])
    assert found.tolist() == [key in there for key in triples[:half]]
    assert 0 < found.sum() < half


def test_arrays_that_make_no_sense_are_refused() -> None:
    board, move = np.zeros(2, np.uint64), np.array([3, 65], np.uint8)
    with pytest.raises(ValueError, match=r"no such move \(0\.\.64\): 65 at index 1"):
        _core.unique_examples(board, board, move)
    with pytest.raises(ValueError, match="differ in length: 2 and 1"):
        _core.canonical_examples(board, board, move[:1])


def test_random_numbers_depend_on_the_seed_and_their_place_alone() -> None:
    golden = 0x9E3779B97F4A7C15

    def expected(seed: int, place: int) -> int:
        state = reference.splitmix(
            reference.splitmix((seed + golden) % 2**64) ^ (place + golden) % 2**64
        )
        return reference.splitmix((state + golden) % 2**64)

    numbers = _core.random_numbers(7, 40_000, threads=3)
    assert numbers[:5].tolist() == [expected(7, place) for place in range(5)]
    assert numbers[39_999] == expected(7, 39_999)
    assert (_core.random_numbers(7, 100) == numbers[:100]).all()
    assert (_core.random_numbers(8, 100) != numbers[:100]).all()
