"""The sequential probability ratio test: its bounds, its direction, and how often it is wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from outflank.arena.sprt import SprtConfig, elo_of_points, expected_points


def test_points_and_elo_are_inverse() -> None:
    assert expected_points(0) == 0.5
    assert expected_points(400) == pytest.approx(10 / 11)
    for elo in (-300.0, -5.0, 0.0, 120.0):
        assert elo_of_points(expected_points(elo)) == pytest.approx(elo)
    assert elo_of_points(1) == math.inf
    assert elo_of_points(0) == -math.inf


def test_the_bounds_are_walds() -> None:
    low, high = SprtConfig(alpha=0.05, beta=0.1).bounds
    assert high == pytest.approx(math.log(0.9 / 0.05))
    assert low == pytest.approx(math.log(0.1 / 0.95))


def test_the_ratio_agrees_with_the_likelihoods_of_a_normal_mean() -> None:
    test, wins, draws, losses = SprtConfig(0, 20), 420, 160, 380
    points = np.repeat([1.0, 0.5, 0.0], [wins, draws, losses])
    mean, variance = points.mean(), points.var() / len(points)

    def log_likelihood(elo: float) -> float:
        return float(-((mean - expected_points(elo)) ** 2) / (2 * variance))

    direct = log_likelihood(20) - log_likelihood(0)
    assert test.log_likelihood_ratio(wins, draws, losses) == pytest.approx(direct, abs=0.02)


def test_verdicts() -> None:
    test = SprtConfig(0, 20)
    assert test.verdict(0, 0, 0) == "undecided"
    assert test.verdict(3, 1, 2) == "undecided"
    assert test.verdict(600, 100, 400) == "better"
    assert test.verdict(400, 100, 500) == "not better"


def test_it_is_seldom_wrong() -> None:
    """Games between players 40 Elo apart, tested against 0 and 40."""
    test, draw = SprtConfig(0, 40), np.random.default_rng(1)
    wrong = 0
    for _ in range(200):
        wins = losses = 0
        while (verdict := test.verdict(wins, 0, losses)) == "undecided":
            won = int((draw.random(20) < expected_points(40)).sum())
            wins, losses = wins + won, losses + 20 - won
        wrong += verdict == "not better"
    assert wrong <= 20  # 5% are expected


@pytest.mark.parametrize("wrong", [{"lower": 5, "upper": 5}, {"alpha": 0.0}, {"beta": 0.7}])
def test_hypotheses_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        SprtConfig(**wrong)
