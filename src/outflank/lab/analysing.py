"""Hints, opinions and reviews: what is thought of a moment or of a whole game."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from outflank import _core
from outflank.errors import OutflankError
from outflank.lab.roster import HINTER, Roster
from outflank.lab.thinking import NobodyWaitsError, ended_by, think
from outflank.lab.views import thought_json
from outflank.othello import BLACK, Game, Move, Position
from outflank.players import Thought, make_player
from outflank.players.analysis import MoveReview, review_game
from outflank.players.search import AlphaBetaPlayer
from outflank.players.units import unit_of

Tell = Callable[[dict[str, Any]], None]
_log = logging.getLogger(__name__)

_EXACT_FROM = 16  # empty squares from which hints are exact
_REVIEW_EXACT_FROM = 16


def hint(position: Position, stop: _core.Stop, tell: Tell) -> None:
    """Value all moves of a position, deeper and deeper, until it is stopped or deep enough."""
    if position.is_over or position.must_pass:
        tell({"values": {}, "unit": "discs", "exact": True, "depth": 0, "done": True})
        return
    hinter = make_player(f"{HINTER},memory=16")
    assert isinstance(hinter, AlphaBetaPlayer)  # noqa: S101

    def heard(thought: Thought) -> None:
        values = {move.name: round(value, 2) for move, value in thought.values.items()}
        tell(
            {"values": values, "unit": "discs", "exact": False, "depth": thought.depth,
             "done": False}
        )  # fmt: skip

    moves = len(position.legal_moves)
    exact = position.empties <= _EXACT_FROM
    hinter.depth = 4 if exact else hinter.depth
    thought = hinter.think(position, lines=moves, stop=stop, on_depth=heard)
    if stop.is_set:
        raise NobodyWaitsError
    if not exact:
        values = {move.name: round(value, 2) for move, value in thought.values.items()}
        depth = thought.depth
    else:
        scored, _ = _core.Solver(16).solve_moves(*position.bits, stop=stop)
        if stop.is_set:
            raise NobodyWaitsError
        values = {Move(move).name: float(score) for move, score in scored}
        depth = position.empties
    tell({"values": values, "unit": "discs", "exact": exact, "depth": depth, "done": True})


def opinion(spec: str, roster: Roster, game: Game, stop: _core.Stop) -> dict[str, Any]:
    """Ask one player about the position of a game; one that fails does not end the others."""
    about = {"spec": spec, "name": roster.name_of(spec)}
    try:
        with roster.make(spec) as player:
            return {**about, "thought": thought_json(think(player, game, stop), player)}
    except NobodyWaitsError:
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
    """Go over a game, telling of all moves so far after each."""
    if not game.moves:
        tell({"done": 0, "of": 0, "moves": []})
        return
    moves: list[dict[str, Any]] = []
    with roster.make(spec) as critic, ended_by(stop, critic):
        unit = unit_of(Thought(game.moves[0]), critic)
        for one in review_game(game, critic, solve_from=_REVIEW_EXACT_FROM, stop=stop):
            moves.append(_review_json(one, unit))
            tell({"done": len(moves), "of": len(game.moves), "moves": moves})


def _review_json(one: MoveReview, unit: str) -> dict[str, Any]:
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
        "unit": "discs" if one.exact else unit,
        "line": [move.name for move in one.line],
    }
