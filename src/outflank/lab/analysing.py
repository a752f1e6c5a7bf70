"""Hints, opinions and reviews: what players think of a position or of a whole game."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from outflank import _core
from outflank.errors import OutflankError, ThinkingStoppedError
from outflank.lab.roster import HINTER, Roster
from outflank.lab.views import by_name, thought_json
from outflank.othello import BLACK, Game, Move
from outflank.players import Thought, Unit, make_player
from outflank.players.analysis import SOLVE_FROM, MoveReview, review_game
from outflank.players.judge import judge_spec

Tell = Callable[[dict[str, Any]], None]
_log = logging.getLogger(__name__)

_SOLVER = 16  # megabytes
_UNTIL_EXACT = judge_spec("depth=4")  # gives hints until the solver has an answer


def hint(game: Game, stop: _core.Stop, tell: Tell) -> None:
    """Value all moves in a position, deeper and deeper, until stopped or deep enough."""
    position = game.position
    if position.is_over or position.must_pass:
        tell({"values": {}, "unit": "discs", "exact": True, "depth": 0, "done": True})
        return
    exact = position.empties <= SOLVE_FROM

    def heard(thought: Thought) -> None:
        tell(_hint_json(thought))

    with make_player(f"{_UNTIL_EXACT if exact else HINTER},memory=16") as hinter:
        thought = hinter.rank_moves(game, len(position.legal_moves), stop=stop, on_thought=heard)
        scored: list[tuple[int, int]] = []
        if exact and not stop.is_set:
            scored, _ = hinter.make_solver(_SOLVER).solve_moves(*position.bits, stop=stop)
    if stop.is_set:
        raise ThinkingStoppedError("nobody waits for the hint any longer")
    told = _hint_json(thought)
    if exact:
        told["values"] = {Move(move).name: float(score) for move, score in scored}
        told["depth"], told["unit"] = position.empties, Unit.DISCS.value
    tell({**told, "exact": exact, "done": True})


def _hint_json(thought: Thought) -> dict[str, Any]:
    """Describe the values of all moves so far."""
    values = {name: round(value, 2) for name, value in by_name(thought.values).items()}
    return {
        "values": values,
        "unit": thought.unit.value,
        "exact": False,
        "depth": thought.depth,
        "done": False,
    }


def opinion(spec: str, roster: Roster, game: Game, stop: _core.Stop) -> dict[str, Any]:
    """Ask one player about the position of a game; its failure does not affect the others."""
    about = {"spec": spec, "name": roster.name_of(spec)}
    try:
        with roster.make(spec) as player:
            return {**about, "thought": thought_json(player.think(game, stop=stop))}
    except ThinkingStoppedError:
        raise
    except OutflankError as error:
        return {**about, "thought": None, "error": str(error)}
    except Exception as error:
        _log.exception("%s failed", spec)
        return {
            **about,
            "thought": None,
            "error": f"it failed: {str(error) or type(error).__name__}",
        }


def review(spec: str, roster: Roster, game: Game, stop: _core.Stop, tell: Tell) -> None:
    """Review a game; report all moves so far after each, from the last one on."""
    if not game.moves:
        tell({"done": 0, "of": 0, "moves": []})
        return
    moves: list[dict[str, Any]] = []

    def heard(one: MoveReview) -> None:  # the last move's review comes first
        moves.insert(0, _review_json(one))
        tell({"done": len(moves), "of": len(game.moves), "moves": list(moves)})

    with roster.make(spec) as critic:
        list(review_game(game, critic, stop=stop, on_review=heard))


def _review_json(one: MoveReview) -> dict[str, Any]:
    black = one.position.turn is BLACK
    value = one.value if one.value is None or black else -one.value
    return {
        "ply": one.ply,
        "move": one.move.name,
        "side": one.position.turn.value,
        "value": value,
        "best": one.best.name,
        "best_value": one.best_value if one.best_value is None or black else -one.best_value,
        "loss": one.loss,
        "exact": one.exact,
        "unit": one.unit.value,
        "line": [move.name for move in one.line],
    }
