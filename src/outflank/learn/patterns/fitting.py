"""Learns the evaluation by patterns from the scores of games, then from its own games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.data.examples import Examples
from outflank.data.splits import split_by_game
from outflank.evaluations.patterns import save_patterns
from outflank.learn.patterns.self_play import SelfPlayConfig, improve_patterns


@dataclass(frozen=True)
class PatternsConfig:
    """How the weights are found.

    passes: over all positions. rate: of the step that would suit patterns that do not overlap.
    prior: a weight that was seen so often goes half of its way. held_out: share of the games kept
    back to measure with. seed: of which. self_play: what follows. threads: 0 for all cores.
    """

    passes: int = 60
    rate: float = 2.0
    prior: float = 8.0
    held_out: float = 0.02
    seed: int = 1
    self_play: SelfPlayConfig = field(default_factory=lambda: SelfPlayConfig(rounds=0))
    threads: int = 0


@dataclass(frozen=True)
class PatternsReport:
    """What was learned from, and the root of the mean squared error in discs, on held-out games."""

    positions: int
    held_out: int
    error: float
    error_by_empties: dict[int, float]


def learn_patterns(
    examples: Examples,
    config: PatternsConfig,
    on_round: Callable[[int, float], None] | None = None,
) -> tuple[NDArray[np.int16], PatternsReport]:
    """Find the weights. on_round gets each round of self-play, its number and squared error."""
    split = split_by_game(examples, config.held_out, seed=config.seed)
    train, test = examples.take(split.train), examples.take(split.test)
    weights = _core.fit_patterns(
        train.own,
        train.other,
        train.score.astype(np.float32),
        passes=config.passes,
        rate=config.rate,
        prior=config.prior,
        threads=config.threads,
    )
    weights = improve_patterns(weights, train, config.self_play, on_round)
    found = _core.PatternEvaluation(weights)
    wrong = found.evaluate(test.own, test.other, np.zeros(len(test), np.bool_)) / found.units
    square = (wrong - test.score) ** 2
    empties = 60 - test.ply.astype(np.int64)
    by_empties = {
        int(number): float(np.sqrt(square[empties == number].mean()))
        for number in np.unique(empties)
        if number % 10 == 0
    }
    error = float(np.sqrt(square.mean())) if len(square) else 0.0
    return weights, PatternsReport(len(train), len(test), error, by_empties)


def write_patterns(
    path: Path,
    weights: NDArray[np.int16],
    config: PatternsConfig,
    report: PatternsReport,
    years: Sequence[int],
) -> None:
    """Write the weights with how they came about."""
    facts = {"config": asdict(config), "report": asdict(report), "years": list(years)}
    save_patterns(path, weights, facts)
