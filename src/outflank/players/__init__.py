"""Everything that chooses a move. A player is named by a short spec string."""

from importlib import import_module

from outflank.evaluations import Unit
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.registry import kinds, make_player, register
from outflank.players.spec import Spec

__all__ = [
    "Keys",
    "OnThought",
    "Player",
    "Spec",
    "Thought",
    "Unit",
    "kinds",
    "make_player",
    "register",
]

# Importing these enters their players in the registry.
for _module in (
    "evolved", "external", "human", "hybrid", "league", "lenient", "policy", "search", "simple",
):  # fmt: skip
    import_module(f"outflank.players.{_module}")
