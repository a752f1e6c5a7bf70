"""Minimax over an evolved network (Chong et al., 2005)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from outflank import _core
from outflank.errors import DataError
from outflank.evaluations import Evaluation, evaluation, unit_of
from outflank.evaluations.evolved import FILTERS, EvolvedNetwork
from outflank.evaluations.learned import PLAYER_FILE, find_player_file
from outflank.evaluations.units import shown_value
from outflank.models import shipped_models
from outflank.othello import Game, Move
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.registry import register

_SHIPPED = "evolved-"  # prefix of their names
_DEEPEST = 20


def mind_of(
    network: EvolvedNetwork,
    depth: int = 0,
    filtering: EvolvedNetwork | None = None,
    window: int = 0,
) -> _core.Mind:
    """Make the compiled player of a network.

    Args:
        network: Values the leaves, or filters the moves.
        depth: Plies; 0: as it evolved.
        filtering: Another network, which chooses the moves to look at.
        window: How many moves to look at; 0: as the filter evolved.
    """
    evaluated = evaluation(network.leaves) if network.shape == FILTERS else network.evaluation()
    source = filtering or network
    ranking = source.filter()
    if ranking is None:
        if filtering is not None:
            raise DataError(f"a network of shape {filtering.shape} cannot filter moves")
        if window:
            raise DataError("window: the network does not filter moves, and no filter is given")
        return _core.Mind(evaluated, depth or network.depth)
    return _core.Mind(evaluated, depth or network.depth, ranking, window or source.window)


@register(
    "evolved", "looks two plies ahead with an evaluation function that evolved", prefix=_SHIPPED
)
@dataclass
class EvolvedPlayer(Player):
    """Plain minimax to a fixed depth over an evolved network.

    Args:
        name: A shipped network's name, a network's file, or a run's folder.
        depth: Plies; 0: as it evolved.
        filter: A network that chooses the moves to look at, named in the same ways. It replaces
            the network's own filter, if it has one.
        window: How many moves to look at; 0: as the filter evolved.
    """

    name: str = ""
    depth: int = 0
    filter: str = ""
    window: int = 0

    gives_values = True

    def __post_init__(self) -> None:
        if not 0 <= self.depth <= _DEEPEST:
            raise ValueError(f"depth cannot be {self.depth}; from 1 to {_DEEPEST}, or 0")
        if not 0 <= self.window <= 64:
            raise ValueError(f"window cannot be {self.window}; from 1 to 64, or 0")
        self._mind  # noqa: B018  # a wrong name or file should fail now
        self.unit = unit_of(self._evaluation)

    @cached_property
    def _network(self) -> EvolvedNetwork:
        return _load(self.name)

    @cached_property
    def _filtering(self) -> EvolvedNetwork | None:
        return _load(self.filter) if self.filter else None

    @cached_property
    def _evaluation(self) -> Evaluation:
        """What values the leaves; a network that only filters moves leaves it to another."""
        network = self._network
        return evaluation(network.leaves) if network.shape == FILTERS else network.evaluation()

    @cached_property
    def _mind(self) -> _core.Mind:
        return mind_of(self._network, self.depth, self._filtering, self.window)

    @property
    def fingerprint(self) -> str:
        """The networks' fingerprints: a network with other weights is another player."""
        networks = (self._network, self._filtering)
        return "+".join(one.fingerprint for one in networks if one is not None)

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Search each board."""
        moves, _ = self._mind.choose(boards.own, boards.other, boards.white_to_move)
        return moves

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Search one position; a network's value is its output, from -1 to 1."""
        boards = Boards.from_positions([game.position])
        moves, values = self._mind.choose(boards.own, boards.other, boards.white_to_move)
        value, exact = shown_value(int(values[0]), self._evaluation.units)
        if not exact and self._network.shape != FILTERS:
            value = math.tanh(value)
        depth = self.depth or self._network.depth
        return Thought(Move(int(moves[0])), value, depth, exact=exact, unit=self.unit)


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
