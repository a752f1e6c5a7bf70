"""The players of paper 4: minimax over a network that evolved."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cached_property

from outflank import _core
from outflank.errors import DataError
from outflank.evaluations import evaluation
from outflank.evaluations.evolved import FILTERS, EvolvedNetwork
from outflank.evaluations.learned import PLAYER_FILE, find_player_file
from outflank.models import shipped_models
from outflank.othello import Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, Player, Thought
from outflank.players.registry import register
from outflank.players.search import shown_value

_SHIPPED = "evolved-"  # what their names begin with
_DEEPEST = 20


def mind_of(
    network: EvolvedNetwork,
    depth: int = 0,
    filtering: EvolvedNetwork | None = None,
    window: int = 0,
) -> _core.Mind:
    """Make the player that a network is; depth and window: as it evolved if 0.

    filtering: another network that says which moves are looked at.
    """
    evaluated = evaluation(network.leaves) if network.shape == FILTERS else network.evaluation()
    source = filtering or network
    ranking = source.filter()
    if ranking is None:
        if filtering is not None:
            raise DataError(f"a network of the shape {filtering.shape} filters no moves")
        if window:
            raise DataError("window: the network filters no moves, and no filter is given")
        return _core.Mind(evaluated, depth or network.depth)
    return _core.Mind(evaluated, depth or network.depth, ranking, window or source.window)


@register(
    "evolved", "looks two plies ahead with an evaluation function that evolved", prefix=_SHIPPED
)
@dataclass
class EvolvedPlayer(Player):
    """Plain minimax to a fixed depth over a network of paper 4.

    name: of a shipped network, or a network's file, or a run's folder. depth: plies; 0: as it
    evolved. filter: a network that says which moves are looked at, named in the same ways, instead
    of the network's own filter if it has one. window: how many moves; 0: as the filter evolved.
    """

    name: str = ""
    depth: int = 0
    filter: str = ""
    window: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.depth <= _DEEPEST:
            raise ValueError(f"depth cannot be {self.depth}; from 1 to {_DEEPEST}, or 0")
        if not 0 <= self.window <= 64:
            raise ValueError(f"window cannot be {self.window}; from 1 to 64, or 0")
        self._mind  # noqa: B018  # a wrong name or file should be told now

    @cached_property
    def _network(self) -> EvolvedNetwork:
        return _load(self.name)

    @cached_property
    def _filtering(self) -> EvolvedNetwork | None:
        return _load(self.filter) if self.filter else None

    @cached_property
    def _mind(self) -> _core.Mind:
        return mind_of(self._network, self.depth, self._filtering, self.window)

    @property
    def fingerprint(self) -> str:
        """That of the networks: other weights are another player."""
        networks = (self._network, self._filtering)
        return "+".join(one.fingerprint for one in networks if one is not None)

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Search each board."""
        moves, _ = self._mind.choose(boards.own, boards.other, boards.white_to_move)
        return moves

    def think(self, position: Position) -> Thought:
        """Search one position; a network's value is what its output says, from -1 to 1."""
        began = time.perf_counter()
        boards = Boards.from_positions([position])
        moves, values = self._mind.choose(boards.own, boards.other, boards.white_to_move)
        network = self._network
        if network.shape == FILTERS:
            value, exact = shown_value(int(values[0]), evaluation(network.leaves))
        else:
            value, exact = shown_value(int(values[0]), network.evaluation())
            value = value if exact else math.tanh(value)
        depth = self.depth or network.depth
        seconds = time.perf_counter() - began
        return Thought(Move(int(moves[0])), value, depth, seconds=seconds, exact=exact)


def _load(name: str) -> EvolvedNetwork:
    """Read a shipped network, or that of a file or of a run's folder."""
    shipped = {
        known.removeprefix(_SHIPPED): model.path
        for known, model in shipped_models().items()
        if known.startswith(_SHIPPED)
    }
    path = shipped.get(name.removeprefix(_SHIPPED)) or find_player_file(name)
    if path.is_file():
        return EvolvedNetwork.load(path)
    known = f"shipped are {', '.join(shipped)}" if shipped else "none are shipped"
    accepted = f"{known}; a network's file or a run's folder is accepted too"
    if not name:
        raise DataError(f"evolved needs a network: evolved:NAME; {accepted}")
    if path.is_dir():
        raise DataError(f"{path}: holds no {PLAYER_FILE}; {accepted}")
    raise DataError(f"no such network: {name!r}; {accepted}")
