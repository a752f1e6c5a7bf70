"""Elo ratings of players from the games between them, by the Bradley-Terry model.

The model: a player of rating a gets, in the mean, 1 / (1 + 10^((b - a) / 400)) points from a game
against one of rating b, a draw being half a point. The ratings are those of greatest likelihood
for all games at once, so the order in which games were played does not matter.

So that somebody who won or lost every game has a rating too, and players who never met have one
on the same scale, everybody is given one drawn game against an imaginary average player. Among
some dozens of games it hardly counts.

Intervals (95%) come from the curvature of the likelihood, which assumes that games are
independent and drawn never. Games are not: the two of an opening have it in common, and good
players draw. So variances are multiplied by the *dispersion*: how much the points of the bouts
(the games of two players from one opening) really scatter around the model, relative to what it
assumes, over all bouts. Four imaginary bouts of two equal games are counted in, to stay on the
careful side when there are few.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ELO = 400 / math.log(10)  # Elo points in one natural unit of the model
_PRIOR_GAMES = 1.0
_CAREFUL_BOUTS = 4.0
_CAREFUL_DISPERSION = 2.0  # of two games that always end alike
_SETTLED = 1e-10  # natural units
_MOST_STEPS = 100  # far more than are needed: it ends them where rounding keeps the last one large

NORMAL_95 = 1.959964  # standard deviations to either side that hold 95% of a normal distribution

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """A player's Elo and its 95% interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Bouts:
    """What two players made of an opening, for many of them.

    first, second: int[n], the players as numbers 0..count-1. points: float[n], of the first.
    games: int[n], one or two.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    points: Floats
    games: NDArray[np.int64]


def rate(bouts: Bouts, count: int, anchor: int | None = None) -> list[Rating]:
    """Rate players 0..count-1; their mean is 0, or the rating of the player `anchor`."""
    points = np.zeros((count, count))
    np.add.at(points, (bouts.first, bouts.second), bouts.points)
    np.add.at(points, (bouts.second, bouts.first), bouts.games - bouts.points)
    strength = _most_likely(points)
    covariance = np.linalg.inv(_information(strength, points)) * _dispersion(bouts, strength)
    # Elo are differences: to the mean of all, or to the anchor.
    origin = np.full(count, 1 / count) if anchor is None else np.eye(count)[anchor]
    differences = np.eye(count) - origin
    elo = _ELO * differences @ strength
    variance = np.einsum("ij,jk,ik->i", differences, covariance, differences)
    margin = _ELO * NORMAL_95 * np.sqrt(np.maximum(variance, 0.0))
    return [
        Rating(float(value), float(value - half), float(value + half))
        for value, half in zip(elo, margin, strict=True)
    ]


def rate_newcomer(points: Floats, games: Floats, elo: Floats) -> Rating:
    """Rate one player by its points from games against others, whose ratings stay as they are.

    points, games, elo: float[n], against each of the others. Variances are doubled, as if the two
    games of an opening always ended alike. Somebody without a point, or with all, cannot be rated.
    """
    if not 0 < points.sum() < games.sum():
        raise ValueError("a newcomer who won or lost every game has no rating")
    others = elo / _ELO
    low, high = float(others.min()) - 50.0, float(others.max()) + 50.0
    while high - low > _SETTLED:
        strength = (low + high) / 2
        too_low = points.sum() > (games * expected(strength - others)).sum()
        low, high = (strength, high) if too_low else (low, strength)
    chance = expected(low - others)
    variance = _CAREFUL_DISPERSION / float((games * chance * (1 - chance)).sum())
    margin = _ELO * NORMAL_95 * math.sqrt(variance)
    return Rating(_ELO * low, _ELO * low - margin, _ELO * low + margin)


def expected(difference: Floats) -> Floats:
    """Return the expected points for a difference of strengths in natural units."""
    return 1 / (1 + np.exp(-difference))


def log_likelihood(strength: Floats, points: Floats) -> float:
    """Return the logarithm of the likelihood of strengths (natural units), the prior included.

    points: float[count, count], what each player (row) made against each (column).
    """
    games = -np.logaddexp(0, strength[None, :] - strength[:, None]) * points
    prior = -np.logaddexp(0, strength) - np.logaddexp(0, -strength)
    return float(games.sum() + _PRIOR_GAMES / 2 * prior.sum())


def _most_likely(points: Floats) -> Floats:
    """Find the strengths of greatest likelihood by Newton's method; it is strictly concave."""
    strength = np.zeros(len(points))
    value = log_likelihood(strength, points)
    for _ in range(_MOST_STEPS):
        step = np.linalg.solve(_information(strength, points), _gradient(strength, points))
        # Halved where it goes too far: the likelihood is no parabola.
        while (after := log_likelihood(strength + step, points)) < value:
            step /= 2
        strength, value = strength + step, after
        if np.abs(step).max() < _SETTLED:
            break
    return strength


def _gradient(strength: Floats, points: Floats) -> Floats:
    games = points + points.T
    surplus = points - games * expected(strength[:, None] - strength[None, :])
    gradient: Floats = surplus.sum(axis=1) + _PRIOR_GAMES * (0.5 - expected(strength))
    return gradient


def _information(strength: Floats, points: Floats) -> Floats:
    """Return the negative second derivative of the log-likelihood, float[count, count]."""
    chance = expected(strength[:, None] - strength[None, :])
    weights = (points + points.T) * chance * (1 - chance)
    prior = _PRIOR_GAMES * expected(strength) * (1 - expected(strength))
    information: Floats = np.diag(weights.sum(axis=1) + prior) - weights
    return information


def _dispersion(bouts: Bouts, strength: Floats) -> float:
    """Return the variance of bouts' points, relative to that of independent games won or lost."""
    chance = expected(strength[bouts.first] - strength[bouts.second])
    assumed = float((bouts.games * chance * (1 - chance)).sum())
    if not assumed:
        return _CAREFUL_DISPERSION
    found = float(((bouts.points - bouts.games * chance) ** 2).sum()) / (assumed / len(chance))
    free = len(chance) + _CAREFUL_BOUTS - (len(strength) - 1)
    return (found + _CAREFUL_BOUTS * _CAREFUL_DISPERSION) / max(free, _CAREFUL_BOUTS)
