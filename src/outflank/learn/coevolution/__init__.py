"""Paper 4: evaluation functions that evolve by playing each other."""

from outflank.learn.coevolution.config import PRESETS, CoevolutionConfig, preset
from outflank.learn.coevolution.contest import Crew, Games, Rival, mind_of
from outflank.learn.coevolution.evolution import Evolution, climbed, level, load_networks
from outflank.learn.coevolution.observing import LEVELS, Observation, observe
from outflank.learn.coevolution.selection import select
from outflank.learn.coevolution.variation import Networks, first_parents, offspring

__all__ = [
    "LEVELS",
    "PRESETS",
    "CoevolutionConfig",
    "Crew",
    "Evolution",
    "Games",
    "Networks",
    "Observation",
    "Rival",
    "climbed",
    "first_parents",
    "level",
    "load_networks",
    "mind_of",
    "observe",
    "offspring",
    "preset",
    "select",
]
