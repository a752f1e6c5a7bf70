"""Everything that chooses a move. A player is named by a short spec string."""

from outflank.evaluations import Unit
from outflank.players.player import Keys, OnThought, Player, Stop, Thought
from outflank.players.registry import discover, kinds, make_player, register
from outflank.players.spec import Spec

__all__ = [
    "Keys",
    "OnThought",
    "Player",
    "Spec",
    "Stop",
    "Thought",
    "Unit",
    "kinds",
    "make_player",
    "register",
]

discover(__name__, __path__)
