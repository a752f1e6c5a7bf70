"""Checks that options of the command have in common."""

from __future__ import annotations

import math

import typer


def finite(value: float | None) -> float | None:
    """Refuse what is not a number: it lies in no range, and yet no range refuses it."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a number")
    return value
