"""The champion: an evaluation of whole-board shapes, learned from games that it plays itself."""

from outflank.learn.champion.config import PRESETS, ChampionConfig, preset
from outflank.learn.champion.positions import Positions

__all__ = ["PRESETS", "ChampionConfig", "Positions", "preset"]
