"""Positions, thoughts and games as JSON for the pages."""

from __future__ import annotations

from collections.abc import Mapping

from outflank.lab import answers
from outflank.othello import Move, Position
from outflank.players import Thought


def place_json(position: Position) -> answers.Place:
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


def thought_json(thought: Thought) -> answers.Thought:
    """Describe a thought; `values` are probabilities if the player gives no values."""
    only_policy = bool(thought.policy) and not thought.values
    told: answers.Thought = {
        "move": thought.move.name,
        "value": thought.value,
        "unit": thought.unit.value,
        "depth": thought.depth,
        "nodes": thought.nodes,
        "seconds": round(thought.seconds, 3),
        "exact": thought.exact,
        "line": [move.name for move in thought.line],
        "values": by_name(thought.policy if only_policy else thought.values),
        "kind": "probabilities" if only_policy else "values",
    }
    if thought.policy:
        told["policy"] = by_name(thought.policy)
    if thought.visits:
        told["visits"] = by_name(thought.visits)
    return told


def by_name(numbers: Mapping[Move, float]) -> dict[str, float]:
    """Key numbers of moves by the names of their squares."""
    return {move.name: number for move, number in numbers.items()}
