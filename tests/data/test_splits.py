"""Splits into training and test examples, and what the two have in common."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import reference
from data.made_games import GAMES, write_games
from data.slow_examples import image, least_image, rows_of
from outflank import data
from outflank.data import Examples
from outflank.errors import DataError
from outflank.records.wthor import WthorFile

ROWS = rows_of(GAMES)
ALL = np.arange(len(ROWS))
LEAST = [least_image(row.pair) for row in ROWS]
LEAST_BOARDS = [reference.canonical(row.board)[:2] for row in ROWS]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Examples:
    folder = write_games(tmp_path_factory.mktemp("games"))
    files = [WthorFile.load(folder / f"WTH_{year}.wtb") for year in GAMES]
    return data.gather_examples(files, list(GAMES))[0]


def whole(split: data.Split, size: int) -> bool:
    """Every example is on one side, and in ascending order."""
    both = np.concatenate([split.train, split.test])
    ascending = all(
        (np.diff(part.astype(np.int64)) > 0).all() for part in (split.train, split.test)
    )
    return ascending and sorted(both.tolist()) == list(range(size))


def test_by_example_takes_each_by_its_own_chance(original: Examples) -> None:
    split = data.split_by_example(original, 0.25, seed=3)
    assert whole(split, len(original))
    # A part of the examples is split as it was in the whole.
    part = data.split_by_example(original.take(slice(0, 100)), 0.25, seed=3)
    assert part.test.tolist() == split.test[split.test < 100].tolist()
    assert data.split_by_example(original, 0.25, seed=4).test.tolist() != split.test.tolist()
    images = data.with_images(original)
    split = data.split_by_example(images, 0.05)
    assert whole(split, len(images))
    assert 0.03 < len(split.test) / len(images) < 0.07


def test_these_examples_are_held_out_wherever_it_is_run(original: Examples) -> None:
    """Known numbers: a split must be the same on every machine and with every NumPy."""
    split = data.split_by_example(original, 0.25, seed=1)
    threshold = 2**62
    golden = 0x9E3779B97F4A7C15

    def number(seed: int, place: int) -> int:
        state = reference.splitmix(
            reference.splitmix((seed + golden) % 2**64) ^ (place + golden) % 2**64
        )
        return reference.splitmix((state + golden) % 2**64)

    assert split.test.tolist() == [i for i in ALL.tolist() if number(1, i) < threshold]
    games = {i for i in range(len(ROWS)) if number(1, ROWS[i].game) < threshold}
    assert set(data.split_by_game(original, 0.25, seed=1).test.tolist()) == games


def test_by_game_keeps_games_together(original: Examples) -> None:
    for examples in (original, data.with_distinct_images(original)):
        split = data.split_by_game(examples, 0.3, seed=2)
        assert whole(split, len(examples))
        assert not set(examples.game[split.train]) & set(examples.game[split.test])
        assert len(split.test)


def test_by_year_tests_on_what_came_later(original: Examples) -> None:
    split = data.split_by_year(original, 1990)
    assert whole(split, len(original))
    assert set(original.year[split.train].tolist()) == {1990}
    assert set(original.year[split.test].tolist()) == {1991, 1992}
    assert data.last_year_for(original, 0.99) == 1990
    assert data.last_year_for(original, 0) == 1992


def test_splits_have_names(original: Examples) -> None:
    for name in data.SPLITS:
        assert whole(data.split_examples(original, name, share=0.6), len(original))
    split = data.split_examples(original, "year", last_training_year=1991)
    assert set(original.year[split.test].tolist()) == {1992}
    with pytest.raises(DataError, match="no such split: 'day'; splits are by example, game, year"):
        data.split_examples(original, "day")
    with pytest.raises(DataError, match=r"share 25: accepted is 0 to 1"):
        data.split_by_example(original, 25)
    assert len(data.split_by_example(original, 1).train) == 0
    assert len(data.split_by_example(original, 0).test) == 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", data.SPLITS)
def test_what_training_has_seen(original: Examples, seed: int, name: str) -> None:
    split = data.split_examples(original, name, share=0.4, seed=seed, last_training_year=1990)
    train, test = original.take(split.train), original.take(split.test)
    boards = {ROWS[i].board for i in split.train}
    expected = [ROWS[i].board in boards for i in split.test]
    assert data.seen(train, test, symmetric=False).tolist() == expected
    assert data.seen_share(train, test, symmetric=False) == sum(expected) / len(expected)
    mirrored = {LEAST_BOARDS[i] for i in split.train}
    expected = [LEAST_BOARDS[i] in mirrored for i in split.test]
    assert data.seen(train, test).tolist() == expected
    assert data.seen_share(train, test) == sum(expected) / len(expected)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", data.SPLITS)
def test_what_training_has_not_seen(original: Examples, seed: int, name: str) -> None:
    split = data.split_examples(original, name, share=0.4, seed=seed, last_training_year=1990)
    known = {LEAST[i] for i in split.train}
    new: dict[tuple[int, int, int], int] = {}
    for place, i in enumerate(split.test):
        if LEAST[i] not in known:
            new.setdefault(LEAST[i], place)
    found = data.unseen(original.take(split.train), original.take(split.test))
    assert found.tolist() == list(new.values())


@pytest.mark.parametrize("share", [-0.01, 1.01, 1.5])
def test_a_share_is_between_nothing_and_all(original: Examples, share: float) -> None:
    with pytest.raises(DataError, match="accepted is 0 to 1"):
        data.split_by_example(original, share)
    assert len(data.split_by_example(original, 0.0).test) == 0
    assert len(data.split_by_example(original, 1.0).train) == 0


def test_a_quarter_is_held_out_unless_told(original: Examples) -> None:
    for split in (data.split_by_example, data.split_by_game):
        assert split(original).test.tolist() == split(original, 0.25).test.tolist()
        assert split(original).test.tolist() != split(original, 0.2).test.tolist()


def test_a_mirrored_example_is_seen(original: Examples) -> None:
    turned = data.with_images(original).take(ALL * 8 + 5)
    assert data.seen_share(original, turned) == 1
    assert data.seen_share(original, turned, symmetric=False) < 1
    assert len(data.unseen(original, turned)) == 0
    board, move = image(ROWS[0].pair, 5)
    assert (int(turned.own[0]), int(turned.move[0])) == (reference.bits(board)[0], move)
    nothing = original.take(slice(0, 0))
    assert data.seen_share(original, nothing) == 0
    assert len(data.unseen(nothing, original)) == len(set(LEAST))


def test_splits_of_a_million_examples_are_quick(wthor_paper_data: Path) -> None:
    files = [WthorFile.load(wthor_paper_data / f"WTH_{year}.wtb") for year in range(1998, 2004)]
    original, _ = data.gather_examples(files, range(1998, 2004))
    split = data.split_by_example(original)
    train, test = original.take(split.train), original.take(split.test)
    new = test.take(data.unseen(train, test))
    assert not data.seen(train, new, moves=True).any()
    assert abs(len(split.test) / len(original) - 0.25) < 0.002
    late = dataclasses.replace(new, own=new.other, other=new.own)
    assert data.seen_share(train, late) < 0.01
