"""What a policy network is: scores of all squares for many boards at once, without torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello.boards import Boards

Scores = NDArray[np.float32]

ANCESTORS = "ancestors"  # in a card's training: the trainings of the networks it comes from

_SYMMETRIES = 8


@dataclass(frozen=True)
class Card:
    """What a network is and where it comes from, as it is written into its file."""

    architecture: str  # a name of the registry
    encoding: str  # of the boards it is given: pieces, ones, vmoves
    name: str = ""  # what it is called in lists
    training: Mapping[str, Any] = field(default_factory=dict)  # configuration, data, steps
    measured: Mapping[str, Any] = field(default_factory=dict)  # by name: accuracy and the like

    @property
    def trainings(self) -> list[Mapping[str, Any]]:
        """Its own training and those of all networks that it comes from or learned from."""
        return [self.training, *self.training.get(ANCESTORS, [])]


@dataclass(frozen=True, eq=False)
class Prediction:
    """A network's output for n boards, from their movers' views.

    Attributes:
        logits: float32[n, 64], a score of each square; minus infinity where the network has no
            output (the four centre squares, or illegal squares for networks that score only legal
            moves).
        values: float32[n], the expected result in [-1, 1], or None if the network has no such
            output.
    """

    logits: Scores
    values: Scores | None = None

    @staticmethod
    def of_values(values: Scores) -> Prediction:
        """Make the prediction of a network without a policy: its values, cut off at -1 and 1."""
        nothing = np.full((len(values), 64), -np.inf, np.float32)
        return Prediction(nothing, np.clip(values, -1, 1))

    @staticmethod
    def concatenate(parts: Sequence[Prediction]) -> Prediction:
        """Join predictions in their order."""
        values = [part.values for part in parts if part.values is not None]
        return Prediction(
            np.concatenate([part.logits for part in parts]),
            np.concatenate(values) if len(values) == len(parts) else None,
        )


def trainings_of(cards: Sequence[Card]) -> list[Mapping[str, Any]]:
    """Return the trainings of several networks, each once, none within another."""
    found: list[Mapping[str, Any]] = []
    for card in cards:
        for training in card.trainings:
            plain = {key: value for key, value in training.items() if key != ANCESTORS}
            if plain not in found:
                found.append(plain)
    return found


class PolicyNetwork(ABC):
    """Something that scores the squares of a board as moves of its mover."""

    card: Card

    @property
    def name(self) -> str:
        """What the network is called in lists."""
        return self.card.name or self.card.architecture

    @property
    def fingerprint(self) -> str:
        """What tells networks of one name apart; empty if it is not known."""
        return ""

    @property
    def has_policy(self) -> bool:
        """Whether it scores moves; if not, it has values alone."""
        return True

    @property
    def symmetric(self) -> bool:
        """Whether its answer turns with the board by itself."""
        return False

    @property
    def rotated(self) -> bool:
        """Whether it learned from boards turned by black's first move, and so has to be shown such.

        See outflank.othello.orientation. A symmetric network need not be.
        """
        config = self.card.training.get("config")
        rotated = isinstance(config, Mapping) and config.get("rotate") is True
        return rotated and not self.symmetric

    @property
    def plies(self) -> int:
        """How far it looks ahead; 0 if it sees no board but the given one."""
        return 0

    @property
    def evaluation(self) -> _core.Evaluation | None:
        """Its values as searches in the core take them, if it runs there.

        The expected result is the hyperbolic tangent of a value over the evaluation's units.
        """
        return None

    @abstractmethod
    def predict(self, boards: Boards) -> Prediction:
        """Score all squares of each board."""


class Averaged(PolicyNetwork):
    """Several networks as one: the mean of their probabilities (paper 1's bagging)."""

    def __init__(self, networks: Sequence[PolicyNetwork]) -> None:
        if not networks:
            raise ValueError("there is nothing to average: no networks")
        self.networks = tuple(networks)
        first = self.networks[0].card
        self.card = Card(
            "averaged",
            first.encoding,
            training={
                "networks": [network.name for network in self.networks],
                ANCESTORS: trainings_of([network.card for network in self.networks]),
            },
        )

    @property
    def name(self) -> str:
        """The names of all, once each."""
        return "+".join(dict.fromkeys(network.name for network in self.networks))

    @property
    def fingerprint(self) -> str:
        """The fingerprints of all."""
        return "+".join(network.fingerprint for network in self.networks)

    @property
    def has_policy(self) -> bool:
        """Whether all have one."""
        return all(network.has_policy for network in self.networks)

    @property
    def symmetric(self) -> bool:
        """Whether all are."""
        return all(network.symmetric for network in self.networks)

    @property
    def rotated(self) -> bool:
        """Whether any is."""
        return any(network.rotated for network in self.networks)

    @property
    def plies(self) -> int:
        """The most of any."""
        return max(network.plies for network in self.networks)

    def predict(self, boards: Boards) -> Prediction:
        """Average over the networks."""
        return _mean([network.predict(boards) for network in self.networks])


class Symmetrised(PolicyNetwork):
    """A network whose answer turns with the board: the mean over the eight symmetries."""

    def __init__(self, network: PolicyNetwork) -> None:
        self.network = network
        self.card = network.card
        squares = np.arange(64, dtype=np.uint8)
        self._images = [
            _core.transform_move(squares, np.full(64, symmetry, np.uint8))
            for symmetry in range(_SYMMETRIES)
        ]

    @property
    def name(self) -> str:
        """That of the network."""
        return self.network.name

    @property
    def fingerprint(self) -> str:
        """That of the network, marked."""
        return f"{self.network.fingerprint}*{_SYMMETRIES}"

    @property
    def has_policy(self) -> bool:
        """Whether the network has one."""
        return self.network.has_policy

    @property
    def symmetric(self) -> bool:
        """It is made so."""
        return True

    @property
    def plies(self) -> int:
        """Those of the network."""
        return self.network.plies

    def predict(self, boards: Boards) -> Prediction:
        """Average over the images of each board."""
        predictions = []
        for symmetry, images in enumerate(self._images):
            seen = self.network.predict(boards.transform(symmetry))
            predictions.append(Prediction(seen.logits[:, images], seen.values))
        return _mean(predictions)


def symmetrised(network: PolicyNetwork) -> PolicyNetwork:
    """Return a network whose answer turns with the board: the same one, if it does already.

    The mean would only make equal again what a symmetric network has told apart by the records.
    """
    return network if network.symmetric else Symmetrised(network)


def _mean(predictions: Sequence[Prediction]) -> Prediction:
    """Return the prediction whose probabilities, over all squares, are the mean of the others'."""
    total = reduce(np.add, (_softmax(prediction.logits) for prediction in predictions))
    with np.errstate(divide="ignore"):  # a probability of 0 is a logit of minus infinity
        logits = np.log(total / np.float32(len(predictions)))
    values = [prediction.values for prediction in predictions if prediction.values is not None]
    if len(values) < len(predictions):
        return Prediction(logits)
    return Prediction(logits, np.stack(values).mean(axis=0))


def legal_probabilities(boards: Boards, prediction: Prediction) -> Scores:
    """Return probabilities float32[n, 64] of the legal squares: zeros where there is none.

    If a network excludes every legal square, all of them are equally likely.
    """
    legal = boards.legal_mask()[:, :64]
    logits = np.where(legal, prediction.logits, np.float32(-np.inf))
    excluded = legal.any(axis=1) & np.isneginf(logits).all(axis=1)
    logits[excluded] = np.where(legal[excluded], np.float32(0), np.float32(-np.inf))
    return _softmax(logits)


def _softmax(logits: Scores) -> Scores:
    """Softmax over the squares; a row of minus infinities becomes zeros."""
    greatest = logits.max(axis=1, keepdims=True)
    greatest[np.isneginf(greatest)] = 0
    weights: Scores = np.exp(logits - greatest)
    total = weights.sum(axis=1, keepdims=True)
    total[total == 0] = 1
    weights /= total
    return weights
