"""The examples that a configuration trains on and tests with."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import Places, Shuffle, draws
from outflank.data.example_folder import open_examples
from outflank.data.examples import (
    AnyExamples,
    Examples,
    IndexArray,
    SymmetricExamples,
    with_distinct_images,
    without_duplicates,
)
from outflank.data.extraction import Extraction, Step, extract_examples
from outflank.data.splits import split_examples
from outflank.data.years import describe_years, parse_years
from outflank.errors import DataError
from outflank.learn.imitation.config import NO_SPLIT, ImitationConfig

_SYMMETRIES = 8


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a set of examples.

    Attributes:
        examples: The set.
        index: Which of them belong to the part; None for all.
    """

    examples: AnyExamples
    index: IndexArray | None = None

    def __len__(self) -> int:
        return len(self.examples) if self.index is None else len(self.index)

    def places(self, chosen: NDArray[np.integer]) -> IndexArray:
        """Return the places in the set of some of its examples, given by number."""
        return chosen.astype(np.uint32) if self.index is None else self.index[chosen]

    def take(self, chosen: NDArray[np.integer]) -> Examples:
        """Return some of its examples, given by number."""
        return self.examples.take(self.places(chosen))

    def distinct(self) -> Examples:
        """Return its examples; mirror images are replaced by the examples they were made from."""
        every, index = self.examples, self.index
        if isinstance(every, SymmetricExamples):
            return every.base if index is None else every.base_of(index)
        return every if index is None else every.take(index)


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Examples in a new random order in each epoch.

    The example at a place of an epoch depends only on the seed, the epoch and the place.
    """

    part: Part
    seed: int
    augment: bool = False
    bootstrap: bool = False

    def __len__(self) -> int:
        return len(self.part)

    def take(self, epoch: int, places: Places) -> Examples:
        """Return the examples at some places of an epoch."""
        chosen = Shuffle(len(self), self.seed, "epoch", epoch)(places)
        if self.bootstrap:  # the same sample in every epoch: drawn once, then shuffled
            chosen = draws(chosen, len(self), self.seed, "bootstrap")
        taken = self.part.take(chosen)
        if not self.augment:
            return taken
        symmetry = draws(places, _SYMMETRIES, self.seed, "symmetry", epoch).astype(np.uint8)
        return dataclasses.replace(
            taken,
            own=_core.transform(taken.own, symmetry, 1),
            other=_core.transform(taken.other, symmetry, 1),
            move=_core.transform_move(taken.move, symmetry),
        )


@dataclass(frozen=True, eq=False)
class Material:
    """Examples to train on, held-out examples to measure with, and facts for the network's card."""

    training: TrainingSet
    held_out: Examples
    facts: dict[str, Any]


def gather_material(
    config: ImitationConfig, *, wthor: Path | None = None, step: Step | None = None
) -> Material:
    """Find the examples and split them; make the training sets first if needed.

    Args:
        config: Which examples, and how they are split.
        wthor: Folder of WThor files; the store's if None.
        step: Called with what is being done and the steps done.
    """
    years = parse_years(config.years) if config.years else None
    made = extract_examples(wthor=wthor, years=years, step=step)
    train, test = divide(config, made.folder)
    training = TrainingSet(train, config.seed, config.augment, config.bootstrap)
    few = Shuffle(len(test), config.split_seed, "held out")
    held_out = test.take(few(np.arange(min(config.evaluate_examples, len(test)))))
    facts = {
        "games": made.manifest.games,
        "years": describe_years(made.manifest.years),
        "sources": sources_of(made),
        "examples": len(training),
        "held_out": len(test),
    }
    return Material(training, held_out, facts)


def sources_of(made: Extraction) -> list[str]:
    """Return hashes that identify the files of some games."""
    return [source.sha256[:16] for source in made.manifest.sources]


def divide(config: ImitationConfig, folder: Path) -> tuple[Part, Part]:
    """Return the examples of a folder that a configuration trains on, and those it holds out.

    Games are split before duplicates are removed: the result and frequency of a training example
    must not come from games that are held out.
    """
    by_games = config.split in ("game", "year")
    if by_games and config.distinct:
        every = open_examples(folder, "original")
        train, test = (Part(_made_distinct(part, config)) for part in _split(config, every))
    else:
        train, test = _split(config, open_examples(folder, config.dataset))
    if config.examples:
        some = Shuffle(len(train), config.split_seed, "examples")
        chosen = some(np.arange(min(config.examples, len(train))))
        train = Part(train.examples, train.places(chosen))
    if not len(train):
        raise DataError(f"{config.dataset}, split by {config.split}: nothing is left to train on")
    return train, test


def _split(config: ImitationConfig, examples: AnyExamples) -> tuple[Part, Part]:
    if config.split == NO_SPLIT:
        return Part(examples), Part(examples, np.zeros(0, np.uint32))
    split = split_examples(
        examples,
        config.split,
        share=config.held_out_share,
        seed=config.split_seed,
        last_training_year=config.last_training_year,
    )
    return Part(examples, split.train), Part(examples, split.test)


def _made_distinct(part: Part, config: ImitationConfig) -> AnyExamples:
    """Remove the duplicates of a part of Original, or make its distinct mirror images."""
    games = part.distinct()
    return with_distinct_images(games) if config.mirrored else without_duplicates(games)
