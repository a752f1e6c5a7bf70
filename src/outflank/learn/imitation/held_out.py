"""The test sets by name: which examples a network is measured with, and what that means.

Three measures that differ a lot, for a network that was trained on the same games:

- original: a quarter of all examples as they come. A third of these boards, nearly all of them
  openings, also occur in training, so remembering counts. Paper 1's Tables II and IX.
- unseen: held-out pairs of board and move of which no mirror image is in training, each once.
  Nothing can be recalled from memory.
- unique-s: a twentieth of the distinct mirror images. Seven images of a test example are mostly in
  training: no test at all for a network that is symmetric itself. Paper 1's Tables III to VI.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outflank.chance import Shuffle
from outflank.data.example_folder import open_examples
from outflank.data.examples import Examples
from outflank.data.extraction import Step, extract_examples
from outflank.data.splits import seen, split_by_example, unseen
from outflank.data.years import describe_years, list_years
from outflank.errors import DataError
from outflank.learn.imitation.config import NO_SPLIT, ImitationConfig
from outflank.learn.imitation.material import Part, TrainingSet, divide, sources_of
from outflank.nets.network import Card

EVERYTHING = "all"
SETS_OF_TESTS = ("original", "unseen", "unique-s")
_SHARES = {"original": 0.25, "unseen": 0.25, "unique-s": 0.05}  # paper 1's
_MEANINGS = {
    EVERYTHING: "every move of every game",
    "original": "moves of the games as they come, held out by example",
    "unseen": "held-out pairs of board and move without a mirror image in training, each once",
    "unique-s": "distinct mirror images, held out by example; most have images in training",
}


class NothingHeldOutError(DataError):
    """A test set without examples, such as unseen ones where all mirror images were trained on."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Examples to measure a network with."""

    name: str
    examples: Examples
    meaning: str  # one line
    years: str
    seed: int | None = None  # of what was held out; None if everything is taken
    share: float | None = None
    config: ImitationConfig | None = None  # of the training that "unseen" is about
    sources: tuple[str, ...] = ()  # the files of the games, by their content


def hold_out(
    name: str = EVERYTHING,
    *,
    wthor: Path | None = None,
    years: range | None = None,
    seed: int = 1,
    share: float | None = None,
    trained: ImitationConfig | None = None,
    at_most: int = 0,
    step: Step | None = None,
) -> HeldOut:
    """Return the test set of a name, from the games of some years.

    Args:
        name: Of the test set.
        wthor: Folder of WThor files; the store's if None.
        years: Of the games; all if None.
        seed: Of the split.
        share: That is held out; the paper's if None.
        trained: How the network was trained, so that "unseen" means held out from it. If None, a
            training on original is assumed.
        at_most: Take this many at random; 0: all.
        step: Called with what is being done and the steps done.
    """
    if name not in (EVERYTHING, *SETS_OF_TESTS):
        known = ", ".join((EVERYTHING, *SETS_OF_TESTS))
        raise DataError(f"no such test set: {name!r}; test sets are {known}")
    made = extract_examples(wthor=wthor, years=years, step=step)
    chosen = _SHARES.get(name) if share is None else share
    config = _as_trained(trained, seed, share) if name == "unseen" else None
    if name == EVERYTHING:
        test = Part(open_examples(made.folder, "original"))
    elif config is not None:
        chosen = config.held_out_share
        test = _unseen(config, made.folder)
    else:
        examples = open_examples(made.folder, name)
        test = Part(examples, split_by_example(examples, chosen or 0.0, seed=seed).test)
    if not len(test):
        years_there = describe_years(made.manifest.years)
        raise NothingHeldOutError(f"games of {years_there}, {name}: nothing is left to test with")
    wanted = np.arange(len(test), dtype=np.uint32)
    if 0 < at_most < len(test):
        wanted = np.sort(Shuffle(len(test), seed, "test set")(wanted[:at_most]))
    return HeldOut(
        name,
        test.take(wanted),
        _MEANINGS[name],
        describe_years(made.manifest.years),
        None if name == EVERYTHING else seed,
        None if name == EVERYTHING else chosen,
        config,
        tuple(sources_of(made)),
    )


def training_of(card: Card) -> ImitationConfig | None:
    """Return how a network was trained, if its card says so in a known form."""
    return _config_of(card.training)


def _config_of(training: Mapping[str, Any]) -> ImitationConfig | None:
    fields = training.get("config")
    if not isinstance(fields, Mapping):
        return None
    try:
        return ImitationConfig.from_json(fields)
    except DataError:
        return None


def why_not_held_out(held_out: HeldOut, card: Card) -> str:
    """Return why a network may have been trained on a test set's examples; empty if it was not.

    The trainings of the networks that it started or learned from count as its own.
    """
    trainings = [one for one in card.trainings if "networks" not in one]  # a mean has none itself
    if held_out.seed is None:
        reasons = [_why_not_other_years(held_out, training) for training in trainings]
    else:
        reasons = [_why_not_held_out(held_out, training) for training in trainings]
    reason = next(filter(None, reasons), "")
    return f"{reason}: it may have seen these examples" if reason else ""


def _why_not_other_years(held_out: HeldOut, training: Mapping[str, Any]) -> str:
    """Whole years are held out if no training was on any of them."""
    config, years = _config_of(training), _years_of(training)
    if config is None or not years:
        return "which years the network was trained on is not known"
    trained = set(list_years(years))
    if config.split == "year" and config.last_training_year is not None:
        trained = {year for year in trained if year <= config.last_training_year}
    both = trained & set(list_years(held_out.years))
    return f"the network was trained on games of {describe_years(both)}" if both else ""


def _why_not_held_out(held_out: HeldOut, training: Mapping[str, Any]) -> str:
    """Examples are held out if the training held out at least these."""
    config, years = _config_of(training), _years_of(training)
    if config is None or config.split == NO_SPLIT:
        return "what was held out from the network is not known, or nothing was"
    if years != held_out.years:
        return f"the network was trained on games of {years}"
    if _sources_of(training) != held_out.sources:
        return f"the network was trained on another edition of the games of {years}"
    if config.split_seed != held_out.seed:
        return f"the network's split had the seed {config.split_seed}"
    # What is tested: another split, or another set, holds out other examples.
    tested = held_out.config or ImitationConfig(dataset=held_out.name)
    if (config.split, config.last_training_year) != (tested.split, tested.last_training_year):
        return f"the network's training set was split by {config.split}"
    if config.dataset != tested.dataset:
        return f"the network was trained on {config.dataset}, which was split apart"
    if config.held_out_share < (held_out.share or 0):
        return f"only {config.held_out_share:g} was held out from the network"
    if tested.examples not in (0, config.examples):  # unseen by one that saw fewer of them
        return f"the network was trained on other examples than {tested.examples:,} of these"
    return ""


def _years_of(training: Mapping[str, Any]) -> str:
    """Return the years of a training's games, as they were written down."""
    data = training.get("data")
    return str(data.get("years", "")) if isinstance(data, Mapping) else ""


def _sources_of(training: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files of a training's games, as they were written down."""
    data = training.get("data")
    return tuple(map(str, data.get("sources", ()))) if isinstance(data, Mapping) else ()


def remembered(training: TrainingSet, test: Examples) -> float:
    """Return the share of test examples of which an image, move included, is in training."""
    known = training.part.distinct()
    return float(seen(known, test, moves=True).mean()) if len(test) else 0.0


def _as_trained(trained: ImitationConfig | None, seed: int, share: float | None) -> ImitationConfig:
    """Return the split that "unseen" is about."""
    if trained is None or trained.split == NO_SPLIT:
        return ImitationConfig(dataset="original", split_seed=seed, held_out=share)
    wanted = trained.held_out if share is None else share
    return dataclasses.replace(trained, split_seed=seed, held_out=wanted)


def _unseen(config: ImitationConfig, folder: Path) -> Part:
    """Return the held-out examples that have no image in training."""
    train, test = divide(config, folder)
    every = np.arange(len(test), dtype=np.uint32)
    return Part(test.examples, test.places(unseen(train.distinct(), test.take(every))))
