"""Games between networks, and between networks and observers, spread over a cluster's workers."""

from __future__ import annotations

import hashlib
import itertools
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core, cluster
from outflank.evaluations import evaluation
from outflank.evaluations.evolved import EvolvedNetwork
from outflank.learn.coevolution.config import CoevolutionConfig
from outflank.players.evolved import mind_of

_TASKS_PER_WORKER = 2  # several tasks per worker even out games of different length
_MOST_REMEMBERED = 50_000  # games


@dataclass(frozen=True)
class Rival:
    """A player that does not evolve: an evaluation under minimax of some depth."""

    eval: str
    depth: int


@dataclass(frozen=True, eq=False)
class Games:
    """Games to be played: black and white are numbers of networks, -1 meaning the rival.

    Attributes:
        weights: float32[networks, weights].
        black: int32[n], networks by number, -1 for the rival.
        white: int32[n], likewise.
        rival: The player that does not evolve, if any.
        openings: uint8[n, k], the first moves of each game; None: the players make them.
    """

    weights: NDArray[np.float32]
    black: NDArray[np.int32]
    white: NDArray[np.int32]
    rival: Rival | None = None
    openings: NDArray[np.uint8] | None = None


_Key = tuple["bytes | Rival | None", "bytes | Rival | None", bytes]
Outcomes = list[tuple[int, bytes]]  # of each game: black's score, and a digest of its moves


class GamesWork(cluster.Work[Games, Outcomes]):
    """Plays games of networks of one shape."""

    def __init__(self, config: CoevolutionConfig) -> None:
        self.config = config

    def prepare(self) -> None:
        """Load the evaluations that a user may have named by their files."""
        for name in (self.config.leaves, *self.config.observed):
            evaluation(name)

    def do(self, task: Games) -> Outcomes:
        """Play some games."""
        minds = [mind_of(network_of(self.config, weights)) for weights in task.weights]
        if task.rival:
            minds.append(_core.Mind(evaluation(task.rival.eval), task.rival.depth))
        last = len(minds) - 1
        scores, moves, plies = _core.play_minds(
            minds,
            np.where(task.black < 0, last, task.black).astype(np.int32),
            np.where(task.white < 0, last, task.white).astype(np.int32),
            task.openings,
            most_passes=self.config.most_passes,
            threads=1,
        )
        return [
            (score, _digest(played[:count].tobytes()))
            for score, played, count in zip(scores.tolist(), moves, plies, strict=True)
        ]


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def network_of(
    config: CoevolutionConfig, weights: NDArray[np.float32], facts: dict[str, Any] | None = None
) -> EvolvedNetwork:
    """Return the network of some weights."""
    return EvolvedNetwork(
        config.shape,
        weights,
        config.piece_weight,
        config.leaves,
        config.window,
        config.depth,
        facts or {},
    )


class Crew:
    """Workers that play games; use it as a context manager. One worker is this process.

    A game of the same networks from the same moves is the same game, so games of surviving parents
    are remembered rather than played again.
    """

    def __init__(self, config: CoevolutionConfig, workers: int | None = 1) -> None:
        self._cluster = cluster.start(GamesWork(config), workers)
        self.workers = self._cluster.workers
        # The most recently used come last.
        self._remembered: OrderedDict[_Key, tuple[int, bytes]] = OrderedDict()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            self._cluster.close()
        else:
            self._cluster.kill()

    def play(self, games: Games) -> NDArray[np.int32]:
        """Return black's scores; they do not depend on the number of workers."""
        return self.play_all([games])[0]

    def play_all(self, kinds: list[Games]) -> list[NDArray[np.int32]]:
        """Return black's scores of several kinds of games, played at once."""
        keys = [_keys(games) for games in kinds]
        parts = 1 if self.workers == 1 else self.workers * _TASKS_PER_WORKER
        tasks, places = [], []
        for kind, games in enumerate(kinds):
            new = [place for place, key in enumerate(keys[kind]) if key not in self._remembered]
            for index in np.array_split(np.array(new, np.int64), parts):
                if len(index):
                    tasks.append(_part(games, index))
                    places.append((kind, index))
        for outcome in self._cluster.map(tasks):
            kind, index = places[outcome.index]
            for place, found in zip(index.tolist(), outcome.value, strict=True):
                self._remembered[keys[kind][place]] = found
        scores = [np.array([self._remembered[key][0] for key in one], np.int32) for one in keys]
        for key in itertools.chain.from_iterable(keys):
            self._remembered.move_to_end(key)
        # The games of this call stay, however many they are: count_distinct asks for them.
        most = max(_MOST_REMEMBERED, sum(map(len, keys)))
        while len(self._remembered) > most:
            self._remembered.popitem(last=False)
        return scores

    def count_distinct(self, games: Games) -> int:
        """Return how many different games there are among those that were just played."""
        return len({self._remembered[key][1] for key in _keys(games)})


def _keys(games: Games) -> list[_Key]:
    """Return what decides each game: black, white, and the moves that it begins with."""
    names: list[bytes | Rival | None] = [_digest(weights.tobytes()) for weights in games.weights]
    names.append(games.rival)  # number -1
    openings = games.openings
    return [
        (names[black], names[white], b"" if openings is None else openings[place].tobytes())
        for place, (black, white) in enumerate(zip(games.black, games.white, strict=True))
    ]


def _part(games: Games, index: NDArray[np.int64]) -> Games:
    """Some of the games, with only the networks that play in them."""
    black, white = games.black[index], games.white[index]
    used = np.unique(np.concatenate([black, white]))
    used = used[used >= 0]

    def renumber(numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.where(numbers < 0, -1, np.searchsorted(used, numbers)).astype(np.int32)

    openings = None if games.openings is None else games.openings[index]
    return Games(games.weights[used], renumber(black), renumber(white), games.rival, openings)
