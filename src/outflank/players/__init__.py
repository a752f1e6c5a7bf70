"""Everything that chooses a move. A player is named by a short spec string."""

from outflank.players import simple as _simple  # registers its players
from outflank.players.player import Keys, Player, Thought
from outflank.players.registry import kinds, make_player, register
from outflank.players.spec import Spec

__all__ = ["Keys", "Player", "Spec", "Thought", "kinds", "make_player", "register"]

del _simple
