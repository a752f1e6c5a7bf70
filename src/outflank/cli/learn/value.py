"""Commands of `outflank learn value` alone: test networks, and let them learn from games here."""

from __future__ import annotations

from collections.abc import Callable

from outflank.cli.learn.value_refine import refine
from outflank.cli.learn.value_test import measure_networks

COMMANDS: dict[str, Callable[..., None]] = {"test": measure_networks, "refine": refine}
