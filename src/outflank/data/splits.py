"""Examples to train on and examples to test with, and how much the two have in common.

Random splits depend only on the seed and the number of the example or game, so they are the same on
every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import sample
from outflank.data.examples import AnyExamples, Examples, IndexArray
from outflank.errors import DataError

SPLITS = ("example", "game", "year")


@dataclass(frozen=True, eq=False)
class Split:
    """Which examples are for training and which for testing: two uint32 arrays, ascending."""

    train: IndexArray
    test: IndexArray

    @classmethod
    def by_mask(cls, held_out: NDArray[np.bool_]) -> Split:
        """Make a split whose test examples are those of a mask."""
        return cls(
            np.flatnonzero(~held_out).astype(np.uint32), np.flatnonzero(held_out).astype(np.uint32)
        )


def split_by_example(examples: AnyExamples, share: float = 0.25, *, seed: int = 1) -> Split:
    """Hold out each example with the probability `share`, whatever becomes of the others.

    This is how Liskowski et al. (2018) split: 25% of the sets without mirror images, 5% of those
    with them. The boards of one game are then on both sides, and so are mirror images.
    """
    return Split.by_mask(_chosen(len(examples), share, seed))


def split_by_game(examples: AnyExamples, share: float = 0.25, *, seed: int = 1) -> Split:
    """Hold out all examples of some games, each game with the probability `share`.

    Where duplicates were removed, an example belongs to the first game it was played in.
    """
    games = int(examples.game.max()) + 1 if len(examples) else 0
    return Split.by_mask(_chosen(games, share, seed)[examples.game])


def split_by_year(examples: AnyExamples, last_training_year: int) -> Split:
    """Hold out all games that were played after a year."""
    return Split.by_mask(examples.year > last_training_year)


def split_examples(
    examples: AnyExamples,
    by: str,
    *,
    share: float = 0.25,
    seed: int = 1,
    last_training_year: int | None = None,
) -> Split:
    """Split by example, by game or by year.

    Args:
        examples: To split.
        by: "example", "game" or "year".
        share: To hold out.
        seed: Of the choice of examples or games.
        last_training_year: For the split by year; that of last_year_for if None.
    """
    if by == "example":
        return split_by_example(examples, share, seed=seed)
    if by == "game":
        return split_by_game(examples, share, seed=seed)
    if by == "year":
        last = last_year_for(examples, share) if last_training_year is None else last_training_year
        return split_by_year(examples, last)
    raise DataError(f"no such split: {by!r}; splits are by {', '.join(SPLITS)}")


def last_year_for(examples: AnyExamples, share: float) -> int:
    """Return the first year after which at most a share of the examples was played."""
    _check_share(share)
    if not len(examples):
        raise DataError("there are no examples to split")
    years, counts = np.unique(examples.year, return_counts=True)
    after = len(examples) - np.cumsum(counts)
    return int(years[np.argmax(after <= share * len(examples))])


def seen(
    train: Examples, test: Examples, *, moves: bool = False, symmetric: bool = True
) -> NDArray[np.bool_]:
    """Return which test boards also occur in training, bool[n]; exactly, by comparison.

    Args:
        train: Training examples.
        test: Test examples.
        moves: Whether the move must be the same, too.
        symmetric: Whether a mirror image counts.
    """
    return _core.find_examples(
        test.own,
        test.other,
        _moves(test, moves),
        train.own,
        train.other,
        _moves(train, moves),
        symmetric=symmetric,
    )


def seen_share(train: Examples, test: Examples, symmetric: bool = True) -> float:
    """Return the share of the test examples whose board occurs in training; 0 without any."""
    return float(seen(train, test, symmetric=symmetric).mean()) if len(test) else 0.0


def unseen(train: Examples, test: Examples) -> IndexArray:
    """Return which test examples have no mirror image, move included, in training: uint32[m].

    Of test examples that are images of each other only the first is among them. Memory does not
    help to predict these.
    """
    first, _, _ = _core.unique_examples(test.own, test.other, test.move, symmetric=True)
    distinct = test.take(first)
    return first[~seen(train, distinct, moves=True)]


def _moves(examples: Examples, wanted: bool) -> NDArray[np.uint8]:
    return examples.move if wanted else np.full(len(examples), _core.PASS, np.uint8)


def _chosen(size: int, share: float, seed: int) -> NDArray[np.bool_]:
    """Choose each of `size` numbers with the probability `share`."""
    _check_share(share)
    return sample(size, share, seed)


def _check_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise DataError(f"share {share}: accepted is 0 to 1")
