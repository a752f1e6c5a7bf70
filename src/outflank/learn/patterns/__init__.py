"""The evaluation by patterns: weights that are fitted to games, then improved by its own."""

from outflank.learn.patterns.config import PRESETS, PatternsConfig, preset
from outflank.learn.patterns.self_play import SelfPlayConfig, improve_patterns, play_and_learn
from outflank.learn.patterns.trainer import PatternsTrainer, Positions, gather_positions

__all__ = [
    "PRESETS",
    "PatternsConfig",
    "PatternsTrainer",
    "Positions",
    "SelfPlayConfig",
    "gather_positions",
    "improve_patterns",
    "play_and_learn",
    "preset",
]
