"""What a network is trained on and tested with, as its configuration says."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outflank import _core
from outflank.data.example_folder import open_examples
from outflank.data.examples import AnyExamples, Examples, IndexArray
from outflank.data.extraction import Extraction, Step, extract_examples
from outflank.data.splits import split_examples
from outflank.data.years import describe_years, parse_years
from outflank.errors import DataError
from outflank.learn.imitation.config import NO_SPLIT, ImitationConfig
from outflank.learn.order import Places, Shuffle, draws

_SYMMETRIES = 8


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Examples in a new random order in each epoch.

    index: which of the examples, or None for all of them. What is at a place of an epoch depends
    on the seed, the epoch and the place alone.
    """

    examples: AnyExamples
    index: IndexArray | None
    seed: int
    augment: bool = False
    bootstrap: bool = False

    def __len__(self) -> int:
        return len(self.examples) if self.index is None else len(self.index)

    def take(self, epoch: int, places: Places) -> Examples:
        """Return the examples at some places of an epoch."""
        chosen = Shuffle(len(self), self.seed, "epoch", epoch)(places)
        if self.bootstrap:  # the same sample in every epoch: drawn once, then shuffled
            chosen = draws(chosen, len(self), self.seed, "bootstrap")
        taken = self.examples.take(chosen if self.index is None else self.index[chosen])
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
    """Find the examples, making the training sets first if they are not there, and split them.

    wthor: folder of WThor files; without it, the store's.
    """
    years = parse_years(config.years) if config.years else None
    made = extract_examples(wthor=wthor, years=years, step=step)
    examples = open_examples(made.folder, config.dataset)
    facts = {
        "games": made.manifest.games,
        "years": describe_years(made.manifest.years),
        "sources": sources_of(made),
    }
    return split_material(config, examples, facts)


def sources_of(made: Extraction) -> list[str]:
    """Return what tells the files of some games from other editions of them."""
    return [source.sha256[:16] for source in made.manifest.sources]


def split_material(
    config: ImitationConfig, examples: AnyExamples, facts: dict[str, Any]
) -> Material:
    """Split examples as a configuration says."""
    train, test = split_as(config, examples)
    if config.examples:
        places = len(examples) if train is None else len(train)
        some = Shuffle(places, config.split_seed, "examples")(
            np.arange(min(config.examples, places))
        )
        train = (some if train is None else train[some]).astype(np.uint32)
    training = TrainingSet(examples, train, config.seed, config.augment, config.bootstrap)
    if not len(training):
        raise DataError(f"{config.dataset}, split by {config.split}: nothing is left to train on")
    few = Shuffle(len(test), config.split_seed, "held out")
    held_out = examples.take(test[few(np.arange(min(config.evaluate_examples, len(test))))])
    facts = {**facts, "examples": len(training), "held_out": len(test)}
    return Material(training, held_out, facts)


def split_as(
    config: ImitationConfig, examples: AnyExamples
) -> tuple[IndexArray | None, IndexArray]:
    """Return what a configuration trains on, None for all of it, and what it holds out."""
    if config.split == NO_SPLIT:
        return None, np.zeros(0, np.uint32)
    split = split_examples(
        examples,
        config.split,
        share=config.held_out_share,
        seed=config.split_seed,
        last_training_year=config.last_training_year,
    )
    return split.train, split.test
