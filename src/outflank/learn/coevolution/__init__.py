"""Evaluation functions that evolve by playing each other (Chong et al., 2005)."""

from outflank.learn.coevolution.config import PRESETS, CoevolutionConfig, preset
from outflank.learn.coevolution.contest import Crew, Games, Rival, network_of
from outflank.learn.coevolution.evolution import Evolution, level, load_population
from outflank.learn.coevolution.lineage import (
    Ancestor,
    ancestors,
    archived_generations,
    network_of_run,
)
from outflank.learn.coevolution.observing import LEVELS, Observation, observe
from outflank.learn.coevolution.selection import select
from outflank.learn.coevolution.variation import Networks, first_parents, offspring

__all__ = [
    "LEVELS",
    "PRESETS",
    "Ancestor",
    "CoevolutionConfig",
    "Crew",
    "Evolution",
    "Games",
    "Networks",
    "Observation",
    "Rival",
    "ancestors",
    "archived_generations",
    "first_parents",
    "level",
    "load_population",
    "network_of",
    "network_of_run",
    "observe",
    "offspring",
    "preset",
    "select",
]
