"""Alpha-beta over the values of a network, which sees many leaves at once."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.evaluations import Unit
from outflank.evaluations.units import shown_value
from outflank.models import load_networks
from outflank.nets import PolicyNetwork, legal_probabilities
from outflank.othello import PASS, WHITE, Game, Move, Position
from outflank.othello.boards import BitArray, Boards, MoveArray
from outflank.othello.orientation import orientation_of_game
from outflank.players.player import OnThought, Thought

# Plies before the leaves that are not pruned, so that a call has about a hundred boards: pruning
# them would save fewer boards than a network gains by seeing them together.
_HORIZON = 2
_AT_ONCE = 128  # boards between looks at the clock
_REMEMBERED = 4_000_000  # positions, some 300 MB; then all are forgotten


class NetworkSearch:
    """Searches over the expected results of a network's value head.

    The network is asked about each position once: what it said is kept for deeper searches and for
    later moves of the game, and thinking on the opponent's time adds to it.

    A network that learned from boards turned by black's first move is shown such boards: positions
    are turned before they are searched, and the moves found are turned back. What is remembered is
    about turned boards, so it holds for every game, whatever its first move.

    Args:
        network: With a value head.
        ends: Value of a finished game: its `score` (beyond every value), or the network's value
            (`evaluate`).
        chooser: Says which moves are worth searching; None: all are.
    """

    unit = Unit.RESULT

    def __init__(
        self, network: PolicyNetwork, ends: str = "score", chooser: MoveChooser | None = None
    ) -> None:
        self.network = network
        self._ends = ends
        self._chooser = chooser
        self._orientation = 0  # the symmetry that turns the positions of the game under way
        self._memory = _core.ValueMemory()
        # What was answered of a batch that was then stopped: the core keeps whole batches only.
        self._answered: dict[tuple[int, int, bool], float] = {}
        if ends not in ("score", "evaluate"):
            raise ValueError("ends are score or evaluate")

    def follow(self, game: Game | None) -> None:
        """Expect positions of a game, or of none: then no position is turned."""
        self._orientation = 0
        if game is not None and self.network.rotated:
            self._orientation = orientation_of_game(game)

    def choose_many(self, boards: Boards, depth: int) -> MoveArray:
        """Search each board to a depth: uint8[n]."""
        moves = []
        for position in boards:
            self._memory.clear()  # a move must not depend on the boards before
            if position.must_pass:
                moves.append(PASS)
            else:
                seen = position.transform(self._orientation)
                moves.append(self._turn_back(self._to_depth(seen, depth, None)[1]))
        return np.array(moves, np.uint8)

    def think(
        self,
        position: Position,
        depth: int | None = None,
        *,
        seconds: float | None = None,
        lines: int = 1,
        stop: _core.Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought:
        """Search deeper and deeper, so that there is always a move to answer with.

        Args:
            position: One in which a disc can be placed.
            depth: Plies of the last search; None for no limit.
            seconds: When to answer; None for no limit.
            lines: If more than 1, all moves are valued, each by a search of its own.
            stop: Ends the search from another thread, at the earliest after one ply.
            on_thought: Is called after every depth.
        """
        began, nodes = time.perf_counter(), 0
        limit = Limit(stop, None if seconds is None else began + seconds)
        thought = Thought(position.legal_moves[0])
        seen = position.transform(self._orientation)
        self._forget_what_cannot_come(position)
        # With passes between them, twice as many plies as empty squares reach every end.
        for plies in range(1, (depth or 2 * position.empties) + 1):
            try:
                found, searched = self._ranked(seen, plies, lines, limit if plies > 1 else None)
            except _StoppedError:
                break
            nodes += searched
            values = {self._turn_back(move): value for move, value in found.items()}
            thought = _thought(values, plies, nodes, time.perf_counter() - began)
            if on_thought is not None:
                on_thought(thought)
        return thought

    def _forget_what_cannot_come(self, position: Position) -> None:
        """Keep what is below the position that was reached, and little enough in all."""
        if len(self._memory) > _REMEMBERED:
            self._memory.clear()
        self._memory.forget_before(64 - position.empties)

    def _turn_back(self, move: Move) -> Move:
        """Return a move of a turned position as the game has it."""
        return Move(_core.transform_move(move, self._orientation))

    def _worth_searching(self, own: int, other: int) -> int:
        """Ask the chooser about a turned board, as the game has it."""
        assert self._chooser is not None  # noqa: S101  # otherwise the core is given no chooser
        turn = self._orientation
        kept = self._chooser(_core.transform(own, turn), _core.transform(other, turn))
        return _core.transform(kept, turn)

    def _ranked(
        self, position: Position, depth: int, lines: int, limit: Limit | None
    ) -> tuple[dict[Move, float], int]:
        """Return the values of the best move or of all, best first, and the nodes searched."""
        if lines == 1:
            value, move, nodes = self._to_depth(position, depth, limit)
            return {move: value}, nodes
        values, total = {}, 1
        for move in position.legal_moves:
            value, nodes = self._value(position.play(move), depth - 1, limit)
            values[move] = -value
            total += nodes
        return {move: values[move] for move in sorted(values, key=lambda m: -values[m])}, total

    def _value(self, position: Position, depth: int, limit: Limit | None) -> tuple[float, int]:
        """Return what a position is worth to its mover, as the search has it, and its nodes."""
        if position.is_over and self._ends == "score":
            score = position.score
            return float(np.sign(score) * _core.GAME_VALUE + score * _core.DISC_VALUE), 1
        if depth == 0 or position.is_over:
            own, other = (np.array([bits], np.uint64) for bits in position.bits)
            return float(self._evaluate(own, other, position.turn is WHITE, limit)[0]), 1
        value, _, nodes = self._to_depth(position, depth, limit)
        return value, nodes

    def _to_depth(
        self, position: Position, depth: int, limit: Limit | None
    ) -> tuple[float, Move, int]:
        """Search a position that is not over: its value, the best move, and the nodes."""
        value, move, nodes, _, _ = _core.search_python(
            *position.bits,
            position.turn is WHITE,
            depth,
            lambda own, other, white: self._evaluate(own, other, white, limit),
            _HORIZON,
            self._ends,
            self._memory,
            None if self._chooser is None else self._worth_searching,
        )
        return value, Move(move), nodes

    def _evaluate(
        self, own: BitArray, other: BitArray, white_to_move: bool, limit: Limit | None
    ) -> NDArray[np.float64]:
        """Ask the network for the expected results of boards with one side to move."""
        keys = [(*board, white_to_move) for board in zip(own.tolist(), other.tolist(), strict=True)]
        found = np.array([self._answered.get(key, np.nan) for key in keys])
        unknown = np.flatnonzero(np.isnan(found))
        for start in range(0, len(unknown), _AT_ONCE):
            if limit is not None and limit.reached:
                self._answered = {keys[i]: found[i] for i in np.flatnonzero(~np.isnan(found))}
                raise _StoppedError
            part = unknown[start : start + _AT_ONCE]
            side = np.full(len(part), white_to_move)
            values = self.network.predict(Boards(own[part], other[part], side)).values
            assert values is not None  # noqa: S101  # the player has refused such networks
            found[part] = values
        return found


class Limit:
    """When a search has to end: when it is stopped, or when its time is up."""

    def __init__(self, stop: _core.Stop | None, until: float | None) -> None:
        self._stop, self._until = stop, until

    @property
    def reached(self) -> bool:
        """Whether it has to end now."""
        if self._stop is not None and self._stop.is_set:
            return True
        return self._until is not None and time.perf_counter() >= self._until


class MoveChooser:
    """Keeps the moves that a policy network finds likeliest, so that a search goes deeper.

    Args:
        names: Networks that score moves, joined by +.
        moves: How many moves of a position are kept.
        threads: Threads that they predict with; 0: all cores.
    """

    def __init__(self, names: str, moves: int, *, threads: int = 1) -> None:
        self.network, self.moves = load_networks(names, threads=threads), moves
        if not self.network.has_policy:
            raise ValueError(f"filter cannot be {names}: the network scores no moves")
        self._known: dict[tuple[int, int], int] = {}

    def __call__(self, own: int, other: int) -> int:
        """Return the squares worth searching, as bits."""
        if (own, other) not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            boards = Boards(
                np.array([own], np.uint64), np.array([other], np.uint64), np.zeros(1, np.bool_)
            )
            shares = legal_probabilities(boards, self.network.predict(boards))[0]
            best = np.argsort(-shares, kind="stable")[: self.moves]
            kept = [1 << int(square) for square in best if shares[square] > 0]
            self._known[own, other] = sum(kept)
        return self._known[own, other]


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
