"""What the page is told of positions, thoughts and games, as JSON."""

from __future__ import annotations

from typing import Any

from outflank.othello import Position
from outflank.players import Player, Thought
from outflank.players.policy import BagPlayer, PolicyPlayer
from outflank.players.units import unit_of


def place_json(position: Position) -> dict[str, Any]:
    """Describe a position: X is black, O is white."""
    return {
        "board": position.to_string().split()[0],
        "turn": position.turn.value,
        "legal": [move.name for move in position.legal_moves],
        "over": position.is_over,
        "black": position.count("black"),
        "white": position.count("white"),
        "empties": position.empties,
        "score": position.score_of("black"),
    }


def thought_json(thought: Thought, player: Player) -> dict[str, Any]:
    """Describe what a player thought."""
    policy = isinstance(player, (PolicyPlayer, BagPlayer))
    return {
        "move": thought.move.name,
        "value": thought.value,
        "unit": unit_of(thought, player),
        "depth": thought.depth,
        "nodes": thought.nodes,
        "seconds": round(thought.seconds, 3),
        "exact": thought.exact,
        "line": [move.name for move in thought.line],
        "values": {move.name: value for move, value in thought.values.items()},
        "kind": "probabilities" if policy else "values",
    }
