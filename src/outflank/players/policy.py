"""Players that ask a policy network and do not search."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import keys_of
from outflank.evaluations import Unit
from outflank.models import load_network, load_networks
from outflank.nets import PolicyNetwork, Prediction, legal_probabilities, symmetrised
from outflank.othello import PASS, Game, Move
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.registry import register
from outflank.players.simple import Drawing

_PLIES = 60  # of a game


class _Policy(Drawing, Player):
    """What the players of one network and of several share."""

    symmetric: bool
    temperature: float
    temperature_plies: int
    seed: int | None

    unit = Unit.RESULT
    gives_values = True
    gives_policy = True

    def __post_init__(self) -> None:
        check_temperature(self.temperature)
        if not 0 <= self.temperature_plies <= _PLIES:
            raise ValueError(f"temperature_plies must be 0..{_PLIES}, not {self.temperature_plies}")
        if not self.network.has_policy:  # a wrong name or file fails here, too
            raise ValueError(
                f"{self.network.name} scores no moves; search over it with alphabeta:net="
            )

    @cached_property
    def network(self) -> PolicyNetwork:
        """The network that is asked."""
        network = self._load()
        return symmetrised(network) if self.symmetric else network

    @abstractmethod
    def _load(self) -> PolicyNetwork:
        """Read the network, or several as one."""

    @property
    def fingerprint(self) -> str:
        """The network's fingerprint: a network with other weights is another player."""
        return self.network.fingerprint

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose each board's likeliest legal move, or draw one if there is a temperature."""
        return self._choose(boards, self.network.predict(boards), keys)

    def _choose(self, boards: Boards, prediction: Prediction, keys: Keys | None) -> MoveArray:
        legal = boards.legal_mask()
        scores = np.where(legal[:, :64], prediction.logits, -np.inf)
        # A network without an opinion on any legal square still has to move.
        scores[np.isneginf(scores).all(axis=1)] = 0
        scores[~legal[:, :64]] = -np.inf
        if self.temperature > 0:
            drawn = scores / self.temperature + gumbel(self._keys(boards, keys))
            early = np.bitwise_count(boards.own | boards.other) - 4 < self.temperature_plies
            scores = np.where(early[:, None], drawn, scores)
        return np.where(legal[:, 64], PASS, scores.argmax(axis=1)).astype(np.uint8)

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Choose a move, with the expected result and the probability of each move."""
        position = game.position
        boards = Boards.from_positions([position])
        prediction = self.network.predict(boards)
        (move,) = self._choose(boards, prediction, None)
        shares = legal_probabilities(boards, prediction)[0]
        return Thought(
            Move(int(move)),
            None if prediction.values is None else float(prediction.values[0]),
            depth=self.network.plies,
            nodes=1 + self.network.plies * len(position.legal_moves),
            policy={one: float(shares[one]) for one in position.legal_moves if one != PASS},
            unit=self.unit,
        )


@register("policy", "plays the move that a network finds likeliest")
@dataclass
class PolicyPlayer(_Policy):
    """Asks one network (Liskowski et al., 2018).

    Args:
        name: A shipped network's name, a run's folder, or a file.
        symmetric: Average over the eight symmetries. Line networks need not: they are symmetric.
        temperature: 0 plays the likeliest move; 1 draws moves by their probabilities, much as
            people of the games' strength vary.
        temperature_plies: Plies of the game (60 less the empty squares) in which they are drawn.
        seed: Of the draws; different each time if not given.
    """

    name: str = "imitation-fast"
    symmetric: bool = False
    temperature: float = 0.0
    temperature_plies: int = _PLIES
    seed: int | None = None

    def _load(self) -> PolicyNetwork:
        return load_network(self.name)


@register("bag", "plays the likeliest move of several networks, averaged")
@dataclass
class BagPlayer(_Policy):
    """Averages the probabilities of several networks (bagging in Liskowski et al., 2018).

    Args:
        networks: Names or files joined by +; wildcards are allowed.
        symmetric: As for policy.
        temperature: As for policy.
        temperature_plies: As for policy.
        seed: As for policy.
    """

    networks: str = "imitation-*"
    symmetric: bool = False
    temperature: float = 0.0
    temperature_plies: int = _PLIES
    seed: int | None = None

    def _load(self) -> PolicyNetwork:
        return load_networks(self.networks)


def check_temperature(temperature: float) -> None:
    """Raise ValueError for a temperature at which moves cannot be drawn."""
    if temperature != 0 and not 1e-3 <= temperature <= 1e3:
        raise ValueError(f"temperature cannot be {temperature:g}; 0, or from 0.001 to 1000")


def gumbel(keys: Keys) -> NDArray[np.float64]:
    """Gumbel noise, float64[n, 64]: the argmax of logits plus this noise samples their softmax."""
    squares = np.arange(64, dtype=np.uint64)
    drawn = keys_of(np.repeat(keys, 64), np.tile(squares, len(keys))).reshape(-1, 64)
    return -np.log(-np.log(drawn.astype(np.float64) * 2.0**-64 + 2.0**-66))
