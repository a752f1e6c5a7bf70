"""Elo ratings of players from the games between them, by the Bradley-Terry model.

The model: a player rated a scores on average 1 / (1 + 10^((b - a) / 400)) points in a game against
a player rated b, where a draw is half a point. The ratings maximize the likelihood of all games at
once, so the order of the games does not matter.

Every player is given one drawn game against an imaginary average player. So a player that won or
lost every game has a rating too, and players that never met are rated on the same scale. Among
dozens of games it hardly matters.

The 95% intervals come from the curvature of the likelihood, which assumes that games are
independent and never drawn. Neither holds: two games share an opening, and good players draw. So
variances are multiplied by the *dispersion*: how much the points of the bouts (the games of two
players from one opening) scatter around the model, relative to what it assumes. Four imaginary
bouts of two equal games are added, to stay on the safe side when there are few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ELO = 400 / math.log(10)  # Elo points in one natural unit of the model
_PRIOR_GAMES = 1.0
_CAREFUL_BOUTS = 4.0
_CAREFUL_DISPERSION = 2.0  # of two games that always end alike
_SETTLED = 1e-10  # natural units
_MOST_STEPS = 100  # far more than needed; ends the loop where rounding keeps the step large

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
    """Results of n openings, each between two players.

    Attributes:
        first: int[n], players as numbers 0..count-1.
        second: int[n], their opponents.
        points: float[n], of the first players.
        games: int[n], one or two.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    points: Floats
    games: NDArray[np.int64]


def rate(bouts: Bouts, count: int, anchor: int | None = None) -> list[Rating]:
    """Rate players 0..count-1 so that their mean, or the rating of `anchor`, is 0."""
    if not count:
        return []
    points = _points_of(bouts, count)
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
    """Rate one player by its games against others, whose ratings stay as they are.

    Variances are doubled, as if the two games of an opening always ended alike. A player with no
    points, or with all of them, cannot be rated.

    Args:
        points: float[n], against each of the others.
        games: float[n], against each of the others.
        elo: float[n], of the others.
    """
    if not 0 < points.sum() < games.sum():
        raise ValueError("a player that won or lost every game has no rating")
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


def rate_beside(bouts: Bouts, known: Sequence[float | None]) -> list[Rating | None]:
    """Rate players by their games against others whose ratings stay as they are.

    The imaginary average player of the prior is as strong as the known players are on average.

    Args:
        bouts: The games of all players.
        known: Each player's Elo, or None if it is to be rated.

    Returns:
        A rating for each player that was to be rated, and None for the others. One whom no chain
        of games connects with a known player has none, either: its scale would be its own.
    """
    fixed = np.array([elo is not None for elo in known])
    ratings: list[Rating | None] = [None] * len(known)
    points = _points_of(bouts, len(known))
    free = _reached(points + points.T > 0, fixed) & ~fixed
    if not free.any():
        return ratings
    elo = np.array([0.0 if one is None else one for one in known]) / _ELO
    middle = elo[fixed].mean()
    strength = np.where(fixed, elo - middle, 0.0)
    strength = _most_likely(points, strength, free)
    information = _information(strength, points)[np.ix_(free, free)]
    variance = np.diag(np.linalg.inv(information)) * _dispersion(bouts, strength)
    margin = _ELO * NORMAL_95 * np.sqrt(variance)
    for player, half in zip(np.flatnonzero(free), margin, strict=True):
        value = _ELO * (strength[player] + middle)
        ratings[player] = Rating(float(value), float(value - half), float(value + half))
    return ratings


def _points_of(bouts: Bouts, count: int) -> Floats:
    """Return float[count, count], points of each player (row) against each other (column)."""
    points = np.zeros((count, count))
    np.add.at(points, (bouts.first, bouts.second), bouts.points)
    np.add.at(points, (bouts.second, bouts.first), bouts.games - bouts.points)
    return points


def _reached(met: NDArray[np.bool_], start: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return bool[count]: the players that chains of games connect with those of the start."""
    reached = start
    while (further := reached | met[reached].any(axis=0)).sum() > reached.sum():
        reached = further
    return reached


def expected(difference: Floats) -> Floats:
    """Return the expected points for a difference of strengths in natural units."""
    return 1 / (1 + np.exp(-difference))


def log_likelihood(strength: Floats, points: Floats) -> float:
    """Return the log-likelihood of strengths (natural units), including the prior.

    points: float[count, count], of each player (row) against each other (column).
    """
    games = -np.logaddexp(0, strength[None, :] - strength[:, None]) * points
    prior = -np.logaddexp(0, strength) - np.logaddexp(0, -strength)
    return float(games.sum() + _PRIOR_GAMES / 2 * prior.sum())


def _most_likely(
    points: Floats, start: Floats | None = None, free: NDArray[np.bool_] | None = None
) -> Floats:
    """Find the strengths of greatest likelihood by Newton's method; it is strictly concave.

    Args:
        points: float[count, count], of each player (row) against each other (column).
        start: float[count], where to begin; zeros if None.
        free: bool[count], whose strengths are looked for; all if None.
    """
    strength = np.zeros(len(points)) if start is None else start
    chosen = np.flatnonzero(np.ones(len(points), bool) if free is None else free)
    value = log_likelihood(strength, points)
    for _ in range(_MOST_STEPS):
        information = _information(strength, points)[np.ix_(chosen, chosen)]
        step = np.zeros(len(points))
        step[chosen] = np.linalg.solve(information, _gradient(strength, points)[chosen])
        # Halve a step that goes too far: the likelihood is no parabola.
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
