"""How far networks are from the results: Ng's tester, for any network with values."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.errors import DataError
from outflank.learn.value.sets import Games, States, all_states, gather_games
from outflank.nets import Averaged, PolicyNetwork

_BATCH = 1 << 14
_NORMAL_95 = 1.96

Advanced = Callable[[int], None]


@dataclass(frozen=True)
class ErrorMeasure:
    """A network's mean squared error on some states.

    Attributes:
        examples: How many states.
        mse: Mean squared error of the expected result; 1 won, 0 drawn, -1 lost.
        margin: Half of its 95% interval. Errors in one game's states rise and fall together, so it
            counts games, not states.
    """

    examples: int
    mse: float
    margin: float

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"examples": self.examples, "mse": self.mse, "margin": self.margin}


def squared_errors(
    network: PolicyNetwork, states: States, *, advanced: Advanced | None = None
) -> NDArray[np.float64]:
    """Return the squared error of each state's value, float64[n].

    Args:
        network: With values.
        states: What it is asked about.
        advanced: Called with the number of states done.
    """
    if not len(states):
        raise DataError("there is nothing to test with: no states")
    parts = []
    for start in range(0, len(states), _BATCH):
        part = states.take(slice(start, start + _BATCH))
        values = network.predict(part.boards()).values
        if values is None:
            raise DataError(f"{network.name}: the network has no values to test")
        if not np.isfinite(values).all():
            raise DataError(f"{network.name}: its values are no numbers; its training diverged")
        parts.append((values.astype(np.float64) - part.value) ** 2)
        if advanced is not None:
            advanced(min(start + _BATCH, len(states)))
    return np.concatenate(parts)


def measure_values(
    network: PolicyNetwork, states: States, *, advanced: Advanced | None = None
) -> ErrorMeasure:
    """Measure a network on some states; arguments as for squared_errors."""
    return summarise(squared_errors(network, states, advanced=advanced), states.game)


def summarise(errors: NDArray[np.float64], games: NDArray[np.uint32]) -> ErrorMeasure:
    """Return the mean of squared errors and its margin.

    Args:
        errors: Of states, float64[n].
        games: The index of each state's game; states of one game count as one draw.
    """
    mean = float(errors.mean())
    _, place = np.unique(games, return_inverse=True)
    deviations = np.bincount(place, weights=errors - mean)  # of each game, added up
    count = len(deviations)
    correction = count / (count - 1) if count > 1 else 0.0
    spread = math.sqrt(correction * float((deviations**2).sum()))
    return ErrorMeasure(len(errors), mean, _NORMAL_95 * spread / len(errors))


def years_of(network: PolicyNetwork) -> str:
    """Return the years of the games that a network learned values from; empty if unknown.

    Of networks that are averaged: the years of the first.
    """
    if isinstance(network, Averaged):
        return years_of(network.networks[0])
    config = network.card.training.get("config", {})
    years = config.get("years", "") if isinstance(config, dict) else ""
    return years if isinstance(years, str) else ""


def is_rotated(network: PolicyNetwork) -> bool:
    """Return whether a network learned from boards turned by black's first move."""
    if isinstance(network, Averaged):
        return any(is_rotated(one) for one in network.networks)
    config = network.card.training.get("config", {})
    rotated = config.get("rotate", False) if isinstance(config, dict) else False
    return rotated is True and not network.symmetric


def states_of_years(games: Games, network: PolicyNetwork) -> States:
    """Return every position of some games, turned as a network learned them."""
    if not is_rotated(network):
        return all_states(games.examples)
    return all_states(games.rotated())


def measure_years(
    network: PolicyNetwork,
    years: str,
    *,
    wthor: Path | None = None,
    advanced: Advanced | None = None,
) -> ErrorMeasure:
    """Measure a network on all positions of some years.

    Args:
        network: With values.
        years: Such as 2019-2020; empty: all.
        wthor: Folder of WThor files; the store's if None.
        advanced: Called with the number of states done.
    """
    games = gather_games(years, wthor=wthor)
    return measure_values(network, states_of_years(games, network), advanced=advanced)
