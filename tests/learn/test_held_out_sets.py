"""The test sets by name: what is in them, and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank.data import (
    extract_examples,
    open_examples,
    seen,
    split_by_example,
    split_by_game,
    split_examples,
)
from outflank.data.examples import Examples, with_images
from outflank.errors import DataError
from outflank.learn.imitation import (
    HeldOut,
    ImitationConfig,
    NothingHeldOutError,
    gather_material,
    hold_out,
    remembered,
    training_of,
    why_not_held_out,
)
from outflank.nets.network import ANCESTORS, Card, trainings_of

_EMPTY: Any = np.zeros(0)
NOTHING = Examples(*[_EMPTY] * 9)


def pairs(examples: Examples) -> set[tuple[int, int, int]]:
    """Boards with their moves."""
    columns = (examples.own.tolist(), examples.other.tolist(), examples.move.tolist())
    return set(zip(*columns, strict=True))


def images(examples: Examples) -> set[tuple[int, int, int]]:
    """All mirror images of boards with their moves."""
    every = with_images(examples)
    return pairs(every.take(np.arange(len(every))))


@pytest.fixture
def folder(weighted_wthor: Path) -> Path:
    return extract_examples(wthor=weighted_wthor).folder


def test_everything(weighted_wthor: Path, folder: Path) -> None:
    found = hold_out(wthor=weighted_wthor)
    assert pairs(found.examples) == pairs(open_examples(folder, "original"))
    assert (found.name, found.seed, found.share, found.years) == ("all", None, None, "2001-2003")
    one_year = hold_out(wthor=weighted_wthor, years=range(2002, 2003))
    assert (set(one_year.examples.year.tolist()), one_year.years) == ({2002}, "2002")


def test_original_is_what_was_held_out_in_training(weighted_wthor: Path) -> None:
    found = hold_out("original", wthor=weighted_wthor, seed=5)
    config = ImitationConfig(dataset="original", split_seed=5, evaluate_examples=1 << 30)
    held_out = gather_material(config, wthor=weighted_wthor).held_out
    assert sorted(found.examples.own.tolist()) == sorted(held_out.own.tolist())


def test_unseen_has_no_image_in_training(weighted_wthor: Path, folder: Path) -> None:
    found = hold_out("unseen", wthor=weighted_wthor, seed=3)
    original = open_examples(folder, "original")
    split = split_by_example(original, 0.25, seed=3)
    trained, held_out = images(original.take(split.train)), original.take(split.test)
    assert not pairs(found.examples) & trained
    assert len(found.examples) == len(pairs(found.examples))  # each once
    # And it is all there is, up to mirror images.
    assert images(found.examples) == images(held_out) - trained


def test_unseen_is_by_the_networks_own_split(weighted_wthor: Path, folder: Path) -> None:
    trained = ImitationConfig(dataset="unique", split="game", held_out=0.3, split_seed=2)
    found = hold_out("unseen", wthor=weighted_wthor, seed=2, trained=trained)
    original = open_examples(folder, "original")
    split = split_by_game(original, 0.3, seed=2)
    assert not seen(original.take(split.train), found.examples, moves=True).any()
    assert pairs(found.examples) <= pairs(original.take(split.test))


@pytest.mark.parametrize("dataset", ["unique", "unique-s"])
@pytest.mark.parametrize("split", ["game", "year"])
def test_games_that_are_held_out_tell_nothing(
    dataset: str, split: str, weighted_wthor: Path, folder: Path
) -> None:
    """Results and frequencies of distinct examples are of the training games alone."""
    config = ImitationConfig(dataset=dataset, split=split, held_out=0.4, evaluate_examples=1 << 30)
    material = gather_material(config, wthor=weighted_wthor)
    original = open_examples(folder, "original")
    apart = split_examples(original, split, share=0.4)
    trained, held_out = original.take(apart.train), original.take(apart.test)
    found = material.training.part.distinct()
    assert found.count.sum() == len(trained)
    assert (found.value * found.count).sum() == pytest.approx(trained.value.sum(), abs=0.1)
    every = material.training.take(0, np.arange(len(material.training)))
    assert len(pairs(every)) == len(every)
    mirrored = dataset == "unique-s"
    assert pairs(every) == (images(trained) if mirrored else pairs(trained))
    assert pairs(material.held_out) == (images(held_out) if mirrored else pairs(held_out))


def test_unique_s(weighted_wthor: Path, folder: Path) -> None:
    found = hold_out("unique-s", wthor=weighted_wthor)
    every = open_examples(folder, "unique-s")
    assert pairs(found.examples) == pairs(every.take(split_by_example(every, 0.05).test))


def test_some_of_them_are_the_same_some(weighted_wthor: Path) -> None:
    all_of_them = hold_out("original", wthor=weighted_wthor)
    few = hold_out("original", wthor=weighted_wthor, at_most=100)
    again = hold_out("original", wthor=weighted_wthor, at_most=100)
    assert len(few.examples) == 100
    assert pairs(few.examples) == pairs(again.examples) <= pairs(all_of_them.examples)


def test_where_all_images_are_trained_on_nothing_is_unseen(weighted_wthor: Path) -> None:
    trained = ImitationConfig(dataset="unique-s", held_out=0.001)
    with pytest.raises(NothingHeldOutError, match="games of 2001-2003, unseen: nothing is left"):
        hold_out("unseen", wthor=weighted_wthor, trained=trained)


def test_no_such_set(weighted_wthor: Path) -> None:
    with pytest.raises(DataError, match="no such test set: 'hard'; test sets are all, original"):
        hold_out("hard", wthor=weighted_wthor)


def test_what_is_remembered(weighted_wthor: Path) -> None:
    config = ImitationConfig(dataset="unique-s")
    training = gather_material(config, wthor=weighted_wthor).training
    everything = hold_out(wthor=weighted_wthor).examples
    inside = images(training.take(0, np.arange(len(training))))
    single = (everything.take(slice(at, at + 1)) for at in range(0, len(everything), 20))
    some = everything.take(slice(0, len(everything), 20))
    expected = np.mean([pairs(one) <= inside for one in single])
    assert remembered(training, some) == expected > 0.9


FILES = ("a", "b", "c")


def exam_of(
    name: str,
    years: str = "2001-2003",
    seed: int | None = 1,
    share: float | None = 0.25,
    config: ImitationConfig | None = None,
    sources: tuple[str, ...] = FILES,
) -> HeldOut:
    return HeldOut(name, NOTHING, "", years, seed, share, config, sources)


def card(**fields: object) -> Card:
    config = ImitationConfig.from_json({"dataset": "original", **fields})
    data = {"years": "2001-2003", "sources": list(FILES)}
    training = {"config": config.to_json(), "data": data}
    return Card("conv2", "pieces", training=training)


@pytest.mark.parametrize(
    ("name", "of", "problem"),
    [
        ("original", card(), ""),
        ("original", card(dataset="unique"), "trained on unique"),
        ("original", card(split="game"), "split by game"),
        ("original", card(split="none"), "nothing was"),
        ("original", card(split_seed=2), "the seed 2"),
        ("original", card(held_out=0.1), "only 0.1 was held out"),
        ("original", Card("conv2", "pieces"), "not known"),
        ("original", Card("conv2", "pieces", training={"config": {"colour": 1}}), "not known"),
    ],
)
def test_what_may_have_been_seen_is_told(name: str, of: Card, problem: str) -> None:
    found = why_not_held_out(exam_of(name), of)
    assert problem in found
    assert bool(found) == bool(problem)


@pytest.mark.parametrize(
    ("tested", "of", "problem"),
    [
        ({}, card(), ""),
        ({}, card(held_out=0.5), ""),  # more was held out than is tested
        ({"dataset": "unique", "split": "game"}, card(dataset="unique", split="game"), ""),
        ({"held_out": 0.5}, card(), "only 0.25 was held out"),
        ({}, card(split="game"), "split by game"),
        ({}, card(split="year", last_training_year=2002), "split by year"),
        ({}, card(dataset="unique"), "trained on unique"),
        ({"examples": 10}, card(examples=10), ""),
        ({"examples": 10}, card(), "other examples than 10"),
        ({}, card(examples=10), ""),
    ],
)
def test_what_is_unseen_by_one_need_not_be_by_another(
    tested: dict[str, object], of: Card, problem: str
) -> None:
    config = ImitationConfig.from_json({"dataset": "original", **tested})
    exam = exam_of("unseen", share=config.held_out_share, config=config)
    found = why_not_held_out(exam, of)
    assert problem in found
    assert bool(found) == bool(problem)


def test_other_years_are_told() -> None:
    assert "games of 2001-2003" in why_not_held_out(exam_of("original", "2004"), card())
    for of, years, problem in (
        (card(), "2004-2005", ""),
        (card(), "2003-2004", "trained on games of 2003:"),
        (card(split="none"), "2001-2003", "trained on games of 2001-2003:"),
        (card(split="year", last_training_year=2002), "2003", ""),
        (card(split="year", last_training_year=2002), "2002-2003", "trained on games of 2002:"),
        (Card("conv2", "pieces"), "2004", "which years the network was trained on is not known"),
    ):
        found = why_not_held_out(exam_of("all", years, None, None), of)
        assert problem in found
        assert bool(found) == bool(problem)
    assert training_of(card(seed=7)) == ImitationConfig(dataset="original", seed=7)


def test_another_edition_of_the_games_is_told() -> None:
    """In other files of the same years the examples have other numbers, so others are held out."""
    exam = exam_of("original", sources=("a", "b", "d"))
    assert "another edition of the games of 2001-2003" in why_not_held_out(exam, card())
    whole = exam_of("all", "2004", None, None, sources=("d",))
    assert why_not_held_out(whole, card()) == ""


def test_what_those_saw_who_a_network_comes_from_counts() -> None:
    clean, knows = card(), card(split="none")
    heir = Card("line", "pieces", training={**clean.training, ANCESTORS: trainings_of([knows])})
    exam = exam_of("original")
    assert why_not_held_out(exam, clean) == ""
    assert "nothing was" in why_not_held_out(exam, heir)
    assert trainings_of([heir, clean]) == [clean.training, knows.training]
