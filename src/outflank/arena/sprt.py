"""The sequential probability ratio test: play until it is clear which of two players is better.

The test compares two hypotheses on the Elo difference, `lower` and `upper`. After each batch of
games it computes the log-likelihood ratio of the second to the first, in the normal approximation
that Fishtest uses (M. Van den Bergh, 2016): the mean of the points is normal, and its variance is
that of the games. It accepts `upper` above log((1 - beta) / alpha) and `lower` below
log(beta / (1 - alpha)); alpha and beta are the chances of being wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["better", "not better", "undecided"]

_PRIOR = 1 / 6  # games of each result that are added, so that the variance is never zero


def expected_points(elo: float) -> float:
    """Return the mean points in a game against a player who is `elo` weaker."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_points(points: float) -> float:
    """Return the Elo difference that gives these mean points; infinite for 0 and 1."""
    if points <= 0 or points >= 1:
        return math.copysign(math.inf, points - 0.5)
    return -400 * math.log10(1 / points - 1)


@dataclass(frozen=True)
class SprtConfig:
    """What a test decides between.

    Attributes:
        lower: Elo difference of the hypothesis that the first player is not better.
        upper: Elo difference of the hypothesis that it is.
        alpha: Chance of accepting `upper` when `lower` is true.
        beta: Chance of accepting `lower` when `upper` is true.
    """

    lower: float = 0.0
    upper: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.lower < self.upper:
            raise ValueError("lower must be below upper")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which `lower` and `upper` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, wins: int, draws: int, losses: int) -> float:
        """Return the log-likelihood ratio of `upper` to `lower` after some games."""
        counts = [wins + _PRIOR, draws + _PRIOR, losses + _PRIOR]
        total = sum(counts)
        mean = (counts[0] + counts[1] / 2) / total
        variance = sum(
            count / total * (points - mean) ** 2
            for count, points in zip(counts, (1.0, 0.5, 0.0), strict=True)
        )
        low, high = expected_points(self.lower), expected_points(self.upper)
        return total * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, wins: int, draws: int, losses: int) -> Verdict:
        """Return what some games prove about the first player."""
        low, high = self.bounds
        ratio = self.log_likelihood_ratio(wins, draws, losses)
        return "better" if ratio >= high else "not better" if ratio <= low else "undecided"
