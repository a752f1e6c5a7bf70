"""Commands of `outflank learn imitation` alone."""

from __future__ import annotations

from collections.abc import Callable

from outflank.cli.learn.average import average_networks
from outflank.cli.learn.imitation_test import measure_network
from outflank.cli.learn.remember import remember_positions
from outflank.cli.learn.teach import teach

COMMANDS: dict[str, Callable[..., None]] = {
    "test": measure_network,
    "teach": teach,
    "average": average_networks,
    "remember": remember_positions,
}
