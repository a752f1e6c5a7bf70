"""Alpha-beta over the values of a network, which sees many leaves at once."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.evaluations import Unit
from outflank.evaluations.units import shown_value
from outflank.models import find_network_file, load_network
from outflank.othello import PASS, WHITE, Move, Position
from outflank.othello.boards import BitArray, Boards, MoveArray
from outflank.players.player import OnThought, Thought

# Plies before the leaves that are not pruned, so that a call has about a hundred boards: pruning
# them would save fewer boards than a network gains by seeing them together.
_HORIZON = 2


class NetworkSearch:
    """Searches to a fixed depth over the expected results of a network's value head.

    Args:
        name: A shipped network's name, a run's folder, or a file.
        ends: Value of a finished game: its `score` (beyond every value), or the network's value
            (`evaluate`).
    """

    unit = Unit.RESULT

    def __init__(self, name: str, ends: str = "score") -> None:
        self.network = load_network(find_network_file(name))
        self._ends = ends
        if ends not in ("score", "evaluate"):
            raise ValueError("ends are score or evaluate")
        if self.network.predict(Boards.start(1)).values is None:
            raise ValueError(f"net cannot be {name}: the network has no value head to search over")

    def choose_many(self, boards: Boards, depth: int) -> MoveArray:
        """Search each board to a depth: uint8[n]."""
        moves = [
            PASS if position.must_pass else self._to_depth(position, depth, None)[1]
            for position in boards
        ]
        return np.array(moves, np.uint8)

    def think(
        self,
        position: Position,
        depth: int,
        *,
        lines: int = 1,
        stop: _core.Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought:
        """Search deeper and deeper, so that there is always a move to answer with.

        Args:
            position: One in which a disc can be placed.
            depth: Plies of the last search, at least 1.
            lines: If more than 1, all moves are valued, each by a search of its own.
            stop: Ends the search from another thread, at the earliest after one ply.
            on_thought: Is called after every depth.
        """
        began, nodes = time.perf_counter(), 0
        thought = Thought(position.legal_moves[0])
        for plies in range(1, depth + 1):
            try:
                found, searched = self._ranked(position, plies, lines, stop if plies > 1 else None)
            except _StoppedError:
                break
            nodes += searched
            thought = _thought(found, plies, nodes, time.perf_counter() - began)
            if on_thought is not None:
                on_thought(thought)
        return thought

    def _ranked(
        self, position: Position, depth: int, lines: int, stop: _core.Stop | None
    ) -> tuple[dict[Move, float], int]:
        """Return the values of the best move or of all, best first, and the nodes searched."""
        if lines == 1:
            value, move, nodes = self._to_depth(position, depth, stop)
            return {move: value}, nodes
        values, total = {}, 1
        for move in position.legal_moves:
            value, nodes = self._value(position.play(move), depth - 1, stop)
            values[move] = -value
            total += nodes
        return {move: values[move] for move in sorted(values, key=lambda m: -values[m])}, total

    def _value(self, position: Position, depth: int, stop: _core.Stop | None) -> tuple[float, int]:
        """Return what a position is worth to its mover, as the search has it, and its nodes."""
        if position.is_over and self._ends == "score":
            score = position.score
            return float(np.sign(score) * _core.GAME_VALUE + score * _core.DISC_VALUE), 1
        if depth == 0 or position.is_over:
            own, other = (np.array([bits], np.uint64) for bits in position.bits)
            return float(self._evaluate(own, other, position.turn is WHITE, stop)[0]), 1
        value, _, nodes = self._to_depth(position, depth, stop)
        return value, nodes

    def _to_depth(
        self, position: Position, depth: int, stop: _core.Stop | None
    ) -> tuple[float, Move, int]:
        """Search a position that is not over: its value, the best move, and the nodes."""
        value, move, nodes, _, _ = _core.search_python(
            *position.bits,
            position.turn is WHITE,
            depth,
            lambda own, other, white: self._evaluate(own, other, white, stop),
            _HORIZON,
            self._ends,
        )
        return value, Move(move), nodes

    def _evaluate(
        self, own: BitArray, other: BitArray, white_to_move: bool, stop: _core.Stop | None
    ) -> NDArray[np.float64]:
        """Ask the network for the expected results of boards with one side to move."""
        if stop is not None and stop.is_set:
            raise _StoppedError
        values = self.network.predict(Boards(own, other, np.full(len(own), white_to_move))).values
        assert values is not None  # noqa: S101  # the constructor has refused such networks
        return values.astype(np.float64)


class _StoppedError(Exception):
    """Leaves the compiled search, which can be left only through the network."""


def _thought(found: dict[Move, float], depth: int, nodes: int, seconds: float) -> Thought:
    """Make the thought of the best move; discs and expected results are not mixed."""
    best = next(iter(found))
    shown = {move: shown_value(value) for move, value in found.items()}
    value, exact = shown[best]
    values = {move: one for move, (one, decided) in shown.items() if decided is exact}
    return Thought(
        best,
        value,
        depth,
        nodes,
        seconds,
        exact,
        line=(best,),
        values=values,
        unit=NetworkSearch.unit,
    )
