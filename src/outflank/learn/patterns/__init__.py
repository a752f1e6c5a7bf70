"""The evaluation by patterns: weights that are fitted to games, then improved by its own."""

from outflank.learn.patterns.fitting import (
    PatternsConfig,
    PatternsReport,
    learn_patterns,
    write_patterns,
)
from outflank.learn.patterns.self_play import SelfPlayConfig, improve_patterns

__all__ = [
    "PatternsConfig",
    "PatternsReport",
    "SelfPlayConfig",
    "improve_patterns",
    "learn_patterns",
    "write_patterns",
]
