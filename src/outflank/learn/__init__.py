"""Learning: a run is a folder that survives anything, and each way of learning has its room."""

from outflank.learn.run import Checkpoint, Run
from outflank.learn.settings import Settings
from outflank.learn.team import Team, join_team
from outflank.learn.training import Trainer, Watch, train

__all__ = [
    "Checkpoint",
    "Run",
    "Settings",
    "Team",
    "Trainer",
    "Watch",
    "join_team",
    "train",
]
