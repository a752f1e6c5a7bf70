"""The players of paper 4: minimax over a network that evolved."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from outflank import _core
from outflank.errors import DataError
from outflank.evaluations import evaluation
from outflank.evaluations.evolved import FILTER, EvolvedNetwork
from outflank.models import shipped_models
from outflank.othello import Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, Player, Thought
from outflank.players.registry import register
from outflank.players.search import shown_value

_SHIPPED = "evolved-"  # what their names begin with
_DEEPEST = 20


@register("evolved", "looks two plies ahead with an evaluation function that evolved")
@dataclass
class EvolvedPlayer(Player):
    """Plain minimax to a fixed depth over a network of paper 4.

    name: novice, intermediate or master, which are shipped, or a network's file. depth: plies.
    filter: a network's file that says which moves are looked at; a network that is a filter itself
    searches over its own evaluation. window: how many moves; 0: as the filter was evolved with.
    """

    name: str = "master"
    depth: int = 2
    filter: str = ""
    window: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= _DEEPEST:
            raise ValueError(f"depth cannot be {self.depth}; from 1 to {_DEEPEST}")
        if not 0 <= self.window <= 64:
            raise ValueError(f"window cannot be {self.window}; from 1 to 64, or 0")
        self._mind  # noqa: B018  # a wrong name or file should be told now

    @cached_property
    def _networks(self) -> tuple[EvolvedNetwork, EvolvedNetwork | None]:
        """The network, and the filter if there is one."""
        network = _load(self.name)
        filtering = _load(self.filter) if self.filter else None
        if filtering is not None and filtering.shape != FILTER:
            raise DataError(f"{self.filter}: evaluates boards; a filter ranks moves")
        return network, network if network.shape == FILTER else filtering

    @cached_property
    def _evaluation(self) -> _core.Evaluation:
        network, _ = self._networks
        return evaluation(network.leaves) if network.shape == FILTER else network.evaluation()

    @cached_property
    def _mind(self) -> _core.Mind:
        _, filtering = self._networks
        if filtering is None:
            return _core.Mind(self._evaluation, self.depth)
        window = self.window or filtering.window
        ranking = _core.MoveFilter(filtering.weights)
        return _core.Mind(self._evaluation, self.depth, ranking, window)

    @property
    def fingerprint(self) -> str:
        """That of the networks: other weights are another player."""
        parts = [network.fingerprint for network in self._networks if network is not None]
        return "+".join(parts)

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Search each board."""
        moves, _ = self._mind.choose(boards.own, boards.other, boards.white_to_move)
        return moves

    def think(self, position: Position) -> Thought:
        """Search one position; a network's value is what its output says, from -1 to 1."""
        began = time.perf_counter()
        boards = Boards.from_positions([position])
        moves, values = self._mind.choose(boards.own, boards.other, boards.white_to_move)
        shown, exact = shown_value(int(values[0]), self._evaluation)
        network, _ = self._networks
        value = shown if exact or network.shape == FILTER else math.tanh(shown)
        return Thought(
            Move(int(moves[0])), value, self.depth, seconds=time.perf_counter() - began, exact=exact
        )


def _load(name: str) -> EvolvedNetwork:
    """Read a shipped network, or that of a file."""
    shipped = {
        known.removeprefix(_SHIPPED): model.path
        for known, model in shipped_models().items()
        if known.startswith(_SHIPPED)
    }
    path = shipped.get(name.removeprefix(_SHIPPED), Path(name).expanduser())
    if name in shipped or path.is_file():
        return EvolvedNetwork.load(path)
    known = f"shipped are {', '.join(shipped)}" if shipped else "none are shipped"
    raise DataError(f"no such network: {name!r}; {known}; a network's file is accepted too")
