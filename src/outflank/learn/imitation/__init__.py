"""Learning to predict the moves of experts (Liskowski et al., 2018)."""

from outflank.learn.imitation.config import PRESETS, ImitationConfig, preset
from outflank.learn.imitation.drawing import draw_measures
from outflank.learn.imitation.held_out import (
    EVERYTHING,
    SETS_OF_TESTS,
    HeldOut,
    NothingHeldOutError,
    hold_out,
    remembered,
    training_of,
    why_not_held_out,
)
from outflank.learn.imitation.material import Material, gather_material
from outflank.learn.imitation.measuring import SCORE, Measures, measure, tie_convention
from outflank.learn.imitation.timing import seconds_per_position
from outflank.learn.imitation.trainers import PolicyTrainer, find_trainer, make_trainer, trainable

__all__ = [
    "EVERYTHING",
    "PRESETS",
    "SCORE",
    "SETS_OF_TESTS",
    "HeldOut",
    "ImitationConfig",
    "Material",
    "Measures",
    "NothingHeldOutError",
    "PolicyTrainer",
    "draw_measures",
    "find_trainer",
    "gather_material",
    "hold_out",
    "make_trainer",
    "measure",
    "preset",
    "remembered",
    "seconds_per_position",
    "tie_convention",
    "trainable",
    "training_of",
    "why_not_held_out",
]
