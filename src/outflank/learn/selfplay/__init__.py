"""Self-play (Fu and Xu, 2017): policy and value learned from nothing, with a tree search."""

from outflank.learn.selfplay.config import PRESETS, SelfPlayConfig, preset
from outflank.learn.selfplay.replay import PlayedPositions, Replay, Window
from outflank.learn.selfplay.trainer import SelfPlayTrainer

__all__ = [
    "PRESETS",
    "PlayedPositions",
    "Replay",
    "SelfPlayConfig",
    "SelfPlayTrainer",
    "Window",
    "preset",
]
