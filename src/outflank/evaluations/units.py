"""What values are in: the numbers of evaluations, and of the players that search with them."""

from __future__ import annotations

from enum import Enum

from outflank._core import DISC_VALUE, GAME_VALUE, Evaluation


class Unit(str, Enum):
    """What one stands for in a value. Equal to its name: ``Unit.DISCS == "discs"``."""

    DISCS = "discs"  # of the final score
    RESULT = "result"  # the expected result: 1 a win, 0 a draw, -1 a loss
    OWN = "own"  # a scale of its own, whose numbers mean something only beside each other

    def __str__(self) -> str:
        return self.value


def unit_of(evaluation: Evaluation) -> Unit:
    """Return what an evaluation's numbers are in; whatever it is called, it knows itself."""
    return Unit.DISCS if evaluation.in_discs else Unit.OWN


def shown_value(value: float, units: float = 1.0) -> tuple[float, bool]:
    """Turn a search's value into numbers for people, and say whether the game is decided.

    Args:
        value: As a search has it: beyond GAME_VALUE if the line ends the game.
        units: How much of a value makes one of the evaluation's own numbers.

    Returns:
        The value in the evaluation's unit and False, or the final score in discs and True.
    """
    if abs(value) >= GAME_VALUE:
        discs = (abs(value) - GAME_VALUE) / DISC_VALUE
        return (discs if value > 0 else -discs), True
    return value / units, False
