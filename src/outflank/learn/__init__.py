"""Learning: one registry of learners, and runs that survive any interruption."""

from outflank.learn.learner import Curve, Learner, Need, Option, TrainingContext
from outflank.learn.registry import (
    find_learner,
    learner_of,
    learner_of_run,
    learners,
    player_of_run,
)
from outflank.learn.run import Checkpoint, Run
from outflank.learn.session import Ending, train_run
from outflank.learn.settings import Preset, Settings
from outflank.learn.status import Status, read_status
from outflank.learn.team import Team, join_team
from outflank.learn.training import Trainer, TrainingObserver, train

__all__ = [
    "Checkpoint",
    "Curve",
    "Ending",
    "Learner",
    "Need",
    "Option",
    "Preset",
    "Run",
    "Settings",
    "Status",
    "Team",
    "Trainer",
    "TrainingContext",
    "TrainingObserver",
    "find_learner",
    "join_team",
    "learner_of",
    "learner_of_run",
    "learners",
    "player_of_run",
    "read_status",
    "train",
    "train_run",
]
