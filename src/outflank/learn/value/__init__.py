"""Learning who will win, for alpha-beta to search over (Ng, 2017)."""

from outflank.learn.value.config import PRESETS, ValueConfig, preset

__all__ = ["PRESETS", "ValueConfig", "preset"]
