"""Othello as a Gymnasium environment, one board or many, and (in ``aec``) for PettingZoo.

Importing this registers ``outflank/Othello-v0``; so does naming it in the id, which needs no
import: ``gymnasium.make("outflank.envs:outflank/Othello-v0")``.
"""

try:
    import gymnasium
except ImportError as error:
    raise ImportError("outflank.envs needs gymnasium: pip install 'outflank[envs]'") from error

from outflank.envs.options import OptionError
from outflank.envs.single import OthelloEnv
from outflank.envs.vector import OthelloVectorEnv

ID = "outflank/Othello-v0"

__all__ = ["ID", "OptionError", "OthelloEnv", "OthelloVectorEnv", "register"]


def register() -> None:
    """Make the environment known to Gymnasium under its id; doing it again changes nothing."""
    if ID not in gymnasium.registry:
        gymnasium.register(
            ID,
            entry_point="outflank.envs.single:OthelloEnv",
            vector_entry_point="outflank.envs.vector:OthelloVectorEnv",
        )


register()
