"""Playing the games of a round: the same ones with one worker or many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank import _core, cluster
from outflank.chance import chance, draws, key_of, keys_of
from outflank.evaluations import evaluation
from outflank.evaluations.champion import KIND, PROBCUT, champion_regressions
from outflank.evaluations.learned import learned_path
from outflank.learn.champion.config import ChampionConfig
from outflank.learn.champion.positions import Positions
from outflank.nets.files import kind_of
from outflank.othello import Position

GAMES_OF_A_TASK = 125  # enough to keep the tables warm, few enough to share the work evenly
_LATEST = 15  # fewest empty squares of an expert's position that a game begins in


@dataclass(frozen=True, eq=False)
class Starts:
    """Experts' positions that games may begin in; empty arrays for none."""

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]

    @classmethod
    def none(cls) -> Starts:
        """Return no positions: all games begin at the start."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.uint64))

    @classmethod
    def of(cls, own: NDArray[np.uint64], other: NDArray[np.uint64]) -> Starts:
        """Keep the positions that are not too late to begin in."""
        early = np.bitwise_count(own | other) <= 64 - _LATEST
        return cls(own[early], other[early])

    def __len__(self) -> int:
        return len(self.own)


@dataclass(frozen=True, eq=False)
class GameTask:
    """Some games of a round.

    Attributes:
        depth: Of the searches.
        games: int64[n], their numbers, which decide all that is random in them.
        own: uint64[n], where each begins.
        other: uint64[n], the opponent's discs there.
    """

    depth: int
    games: NDArray[np.int64]
    own: NDArray[np.uint64]
    other: NDArray[np.uint64]


class TrainingGames(cluster.Work[GameTask, Positions]):
    """Plays tasks; a task's games depend on the task, the configuration and the evaluation alone.

    Args:
        config: Of the run.
        name: The evaluation that plays: a file, or in the first round perhaps a name.
    """

    def __init__(self, config: ChampionConfig, name: str) -> None:
        self.config, self.name = config, name

    def prepare(self) -> None:
        """Load the evaluation: its file goes along to other machines."""
        evaluation(self.name)

    def do(self, task: GameTask) -> Positions:
        """Play the games of a task and return their positions."""
        config = self.config
        options = _core.TrainingGameOptions(
            depth=task.depth,
            solve_from=config.solve_from,
            least_opening=config.least_opening,
            most_opening=config.most_opening,
            randomness=config.randomness,
            slips=config.slips,
            siblings=config.siblings,
            endings=config.endings,
        )
        keys = keys_of(key_of("games", config.seed), task.games)
        measured = []
        path = learned_path(self.name)
        if config.selectivity and path.is_file() and kind_of(path) == KIND:
            measured = champion_regressions(path, PROBCUT)
        own, other, score, value, game = _core.play_training_games(
            evaluation(self.name),
            task.own,
            task.other,
            keys,
            options,
            deviations=config.selectivity if measured else 0.0,
            regressions=measured,
        )
        return Positions(own, other, score.astype(np.float32), value, task.games[game])


class GamePlayers:
    """Workers that play blocks of games; they are kept as long as the same evaluation plays.

    Args:
        config: Of the run.
        starts: Experts' positions; a share of the games begins in one of them.
        workers: Processes.
    """

    def __init__(self, config: ChampionConfig, starts: Starts, workers: int) -> None:
        self.config, self.starts, self.workers = config, starts, workers
        self._cluster: cluster.Cluster[GameTask, Positions] | None = None
        self._playing = ""  # the evaluation that the workers have

    def play(self, evaluation_file: str, depth: int, games: NDArray[np.int64]) -> Positions:
        """Play games, given by their numbers, and return their positions in this order."""
        own, other = self._begin(games)
        tasks = [
            GameTask(depth, games[part], own[part], other[part])
            for part in (
                slice(first, first + GAMES_OF_A_TASK)
                for first in range(0, len(games), GAMES_OF_A_TASK)
            )
        ]
        parts: dict[int, Positions] = {}
        for outcome in self._workers_with(evaluation_file).map(tasks):
            parts[outcome.index] = outcome.value
        return Positions.concatenate([parts[index] for index in range(len(tasks))])

    def _begin(self, games: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        start = Position.start()
        own = np.full(len(games), start.own, np.uint64)
        other = np.full(len(games), start.other, np.uint64)
        if len(self.starts):
            seed = self.config.seed
            experts = chance(games, self.config.experts, "expert", seed)
            chosen = draws(games, len(self.starts), "start", seed)[experts]
            own[experts], other[experts] = self.starts.own[chosen], self.starts.other[chosen]
        return own, other

    def _workers_with(self, name: str) -> cluster.Cluster[GameTask, Positions]:
        """Return workers that have an evaluation; new ones if those of before have another."""
        if self._cluster is None or self._playing != name:
            self.close()
            work = TrainingGames(self.config, name)
            self._cluster, self._playing = cluster.start(work, self.workers), name
        return self._cluster

    def close(self) -> None:
        """End the workers."""
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None
