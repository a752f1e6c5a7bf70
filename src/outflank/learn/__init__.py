"""Learning: a run is a folder that survives anything, and each way of learning has its room."""

from outflank.learn.order import Shuffle, draws
from outflank.learn.run import Checkpoint, Run
from outflank.learn.team import Team, join_team

__all__ = ["Checkpoint", "Run", "Shuffle", "Team", "draws", "join_team"]
