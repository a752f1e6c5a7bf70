"""What the values of players are in."""

from __future__ import annotations

from outflank.players.external import EdaxPlayer, NBoardPlayer
from outflank.players.player import Player, Thought
from outflank.players.policy import BagPlayer, PolicyPlayer
from outflank.players.search import AlphaBetaPlayer, MinimaxPlayer

_IN_DISCS = ("discs", "patterns")  # evaluations whose values are discs


def unit_of(thought: Thought, player: Player) -> str:
    """Tell what a thought's value is in: discs, the expected result, or numbers of its own."""
    if thought.exact:
        return "discs"
    if isinstance(player, (PolicyPlayer, BagPlayer)):
        return "result"
    if isinstance(player, (AlphaBetaPlayer, MinimaxPlayer)) and player.eval in _IN_DISCS:
        return "discs"
    if isinstance(player, (EdaxPlayer, NBoardPlayer)):
        return "discs"
    return "own"
