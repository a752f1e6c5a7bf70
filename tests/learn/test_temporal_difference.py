"""The evaluation by patterns learns from its own games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from outflank import _core
from outflank.arena.openings import random_openings
from outflank.arena.running import match
from outflank.data import extract_examples, open_examples
from outflank.evaluations.patterns import save_patterns
from outflank.learn.patterns import TemporalDifferenceConfig, improve_patterns

SMALL = TemporalDifferenceConfig(rounds=16, games=300)


def nothing() -> NDArray[np.int16]:
    """Weights that know nothing."""
    few = np.zeros(1, np.uint64)
    return _core.fit_patterns(few, few, np.zeros(1, np.float32), passes=1)


@pytest.fixture(scope="module")
def learned() -> NDArray[np.int16]:
    return improve_patterns(nothing(), None, SMALL)


def test_some_rounds_make_it_better_than_chance(learned: NDArray[np.int16], tmp_path: Path) -> None:
    save_patterns(tmp_path / "learned.safetensors", learned, {})
    spec = f'alphabeta:eval="{tmp_path / "learned.safetensors"}",depth=1'
    result = match(spec, "random", openings=random_openings(plies=6, count=50, seed=3), workers=1)
    assert result.winning_rate is not None
    assert result.winning_rate > 0.8


def test_neither_threads_nor_watching_change_the_weights(learned: NDArray[np.int16]) -> None:
    seen: list[tuple[int, float]] = []
    config = replace(SMALL, threads=1)
    again = improve_patterns(nothing(), None, config, lambda *round_: seen.append(round_))
    assert np.array_equal(again, learned)
    assert [number for number, _ in seen] == list(range(1, SMALL.rounds + 1))
    assert all(error > 0 for _, error in seen)


def test_games_begin_in_positions_of_experts_too(
    learned: NDArray[np.int16], weighted_wthor: Path
) -> None:
    examples = open_examples(extract_examples(wthor=weighted_wthor).folder, "original")
    late = examples.take(examples.ply >= 44)
    moved = improve_patterns(learned, late, replace(SMALL, rounds=1, experts=1.0)) != learned
    assert moved[:4].any(axis=1).all()
    assert not moved[5:].any()  # a stage has four empty squares: these were not reached
