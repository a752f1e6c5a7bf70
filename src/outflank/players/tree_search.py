"""What a Monte Carlo tree search asks of a network, and what it says of a position."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.errors import DataError
from outflank.evaluations import Unit
from outflank.nets import PolicyNetwork
from outflank.nets.line import LinePolicy
from outflank.othello import Move, Position
from outflank.othello.boards import BitArray, Boards
from outflank.players.player import OnThought, Thought

_Answer = tuple[NDArray[np.float32], NDArray[np.float32]]
Evaluator = str | _core.LineNetwork | Callable[[BitArray, BitArray], _Answer]

_EXCLUDED = np.float32(-1e4)  # the logit of a move that a network excludes: a probability of 0
_LARGEST = 1.001  # that a value may be, by rounding
_BETWEEN_THOUGHTS = 0.2  # seconds


def evaluator_of(network: PolicyNetwork | None) -> Evaluator:
    """Return what values the leaves: a network, or random games if there is none.

    A line network is searched without Python, unless it has a memory, which the core does not
    know. The small numbers by which it breaks ties between symmetric moves are left out: the
    search looks at only one of the eight images of a position.
    """
    if network is None:
        return "rollouts"
    if isinstance(network, LinePolicy) and network.memory is None:
        return network.network
    return _Leaves(network)


def check_values(network: PolicyNetwork, name: str) -> None:
    """Raise ValueError for a network, called by some name, that cannot be searched over."""
    values = network.predict(Boards.start(1)).values
    if values is None:
        raise ValueError(f"net cannot be {name}: the network has no value head")
    if not _are_results(values):
        raise ValueError(f"net cannot be {name}: it gives values beyond -1..1")


class _Leaves:
    """A network as the compiled search asks for it."""

    def __init__(self, network: PolicyNetwork) -> None:
        self._network = network

    def __call__(self, own: BitArray, other: BitArray) -> _Answer:
        """Return logits float32[n, 64] and values float32[n] of n boards, movers' views."""
        seen = self._network.predict(Boards(own, other, np.zeros(len(own), np.bool_)))
        if seen.values is None or not _are_results(seen.values):
            raise DataError(f"{self._network.name}: the network gave values beyond -1..1")
        logits = np.maximum(seen.logits, _EXCLUDED).astype(np.float32, copy=False)
        return np.ascontiguousarray(logits), np.ascontiguousarray(seen.values, np.float32)


def _are_results(values: NDArray[np.float32]) -> bool:
    return bool((np.abs(values) <= _LARGEST).all())  # not a number is not below anything


def thought_of(
    forest: _core.Forest, position: Position, move: Move, *, with_policy: bool
) -> Thought:
    """Say what the search of a single tree has found so far.

    Args:
        forest: The tree, its root evaluated.
        position: Its root.
        move: The one that is chosen.
        with_policy: Whether the evaluator has one.
    """
    visits, values, priors = forest.visits()[0], forest.values()[0], forest.priors()[0]
    legal = position.legal_moves
    known = {one: _result(values[one]) for one in legal if not math.isnan(values[one])}
    line = tuple(map(Move, forest.line(0)))
    return Thought(
        move,
        known.get(move, _result(forest.root_values()[0])),
        nodes=int(forest.nodes()[0]),
        line=line if line[:1] == (move,) else (move,),
        values=known,
        # A root that was solved has none either.
        policy={one: float(priors[one]) for one in legal} if with_policy and priors.any() else {},
        visits={one: int(visits[one]) for one in legal if visits[one]},
        unit=Unit.RESULT,
    )


def _result(value: float) -> float:
    """Return an expected result as a number of Python; means may round beyond 1."""
    return max(-1.0, min(1.0, float(value)))


class Reporter:
    """Turns a search under way into thoughts, a few in a second.

    Args:
        position: The root of the tree.
        on_thought: Is called with each thought.
        with_policy: As for `thought_of`.
    """

    def __init__(self, position: Position, on_thought: OnThought, *, with_policy: bool) -> None:
        self._position = position
        self._with_policy = with_policy
        self._on_thought = on_thought
        self._last = self._began = time.perf_counter()

    def __call__(self, forest: _core.Forest) -> None:
        """Report, if the last report was some time ago and the search has found something."""
        now = time.perf_counter()
        if now - self._last < _BETWEEN_THOUGHTS or not forest.visits().any():
            return
        self._last = now
        best = Move(int(forest.best()[0]))
        thought = thought_of(forest, self._position, best, with_policy=self._with_policy)
        self._on_thought(replace(thought, seconds=now - self._began))
