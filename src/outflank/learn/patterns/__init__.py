"""The pattern evaluation: weights fitted to games, then improved by self-play."""

from outflank.learn.patterns.config import PRESETS, PatternsConfig, preset
from outflank.learn.patterns.temporal_difference import (
    TemporalDifferenceConfig,
    improve_patterns,
    play_and_learn,
)
from outflank.learn.patterns.trainer import GamePositions, PatternsTrainer, gather_positions

__all__ = [
    "PRESETS",
    "GamePositions",
    "PatternsConfig",
    "PatternsTrainer",
    "TemporalDifferenceConfig",
    "gather_positions",
    "improve_patterns",
    "play_and_learn",
    "preset",
]
