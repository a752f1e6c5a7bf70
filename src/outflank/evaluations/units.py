"""Units of values: those of evaluations, and of the players that search with them."""

from __future__ import annotations

from enum import Enum

from outflank._core import DISC_VALUE, GAME_VALUE, Evaluation


class Unit(str, Enum):
    """The unit of a value. Equal to its name: ``Unit.DISCS == "discs"``."""

    DISCS = "discs"  # of the final score
    RESULT = "result"  # the expected result: 1 a win, 0 a draw, -1 a loss
    OWN = "own"  # the player's own scale, meaningful only in comparison

    def __str__(self) -> str:
        return self.value


def unit_of(evaluation: Evaluation) -> Unit:
    """Return the unit of an evaluation, which the evaluation itself reports."""
    return Unit.DISCS if evaluation.in_discs else Unit.OWN


def shown_value(value: float, units: float = 1.0) -> tuple[float, bool]:
    """Turn a search's value into a number for people, and whether the game is decided.

    Args:
        value: Of a search; beyond GAME_VALUE if the line ends the game.
        units: How many of these make one of the evaluation's own units.

    Returns:
        The value in the evaluation's unit and False, or the final score in discs and True.
    """
    if abs(value) >= GAME_VALUE:
        discs = (abs(value) - GAME_VALUE) / DISC_VALUE
        return (discs if value > 0 else -discs), True
    return value / units, False
