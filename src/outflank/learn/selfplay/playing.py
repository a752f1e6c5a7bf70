"""Playing a generation: the same games with one worker or many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core, cluster
from outflank.learn.selfplay.config import LINES, SelfPlayConfig
from outflank.learn.selfplay.networks import Weights, evaluator_of

GAMES_OF_A_TASK = 250  # enough to fill batches, few enough to share the work evenly
_LEAST_OF_A_TASK = 32  # games, if workers are so numerous that each would have less than two tasks
_AT_ONCE = 250  # games whose leaves make one batch

Played = dict[str, NDArray[Any]]


def search_options(config: SelfPlayConfig) -> _core.MctsOptions:
    """Return the options of the searches in games of self-play."""
    return _core.MctsOptions(
        exploration=config.exploration,
        first_play=config.first_play,
        fpu_reduction=config.first_play_reduction,
        noise_alpha=config.noise_alpha,
        noise_share=config.noise_share,
        forced_playouts=config.forced_playouts,
        gumbel_moves=config.gumbel_moves,
        solve_empties=config.solve_leaves,
        wipe_outs=config.wipe_outs,
    )


def game_options(config: SelfPlayConfig, generation: int) -> _core.SelfPlayOptions:
    """Return the options of the games of a generation, from 0."""
    return _core.SelfPlayOptions(
        simulations=config.simulations_in(generation),
        fast_simulations=config.fast_simulations,
        full_share=config.full_share,
        temperature=config.temperature,
        temperature_plies=config.temperature_plies,
        late_temperature=config.late_temperature,
        random_plies=config.random_plies,
        uneven_share=config.uneven_share,
        uneven_plies=config.uneven_plies,
        wiped_share=config.wiped_share,
        solve_at=config.solve_at,
        teach_endings=config.teach_endings,
        reuse=config.reuse,
    )


@dataclass(frozen=True)
class Chunk:
    """Some games of a generation, and the weights that play them."""

    weights: cluster.Shared[Weights]
    generation: int  # from 0
    first_game: int
    games: int


class GamesOfItself(cluster.Work[Chunk, Played]):
    """Plays chunks of games; a game depends on the weights and its own number alone."""

    def __init__(self, config: SelfPlayConfig, threads: int) -> None:
        self.config, self.threads = config, threads

    def do(self, task: Chunk) -> Played:
        """Play the games of a chunk to their ends."""
        evaluator = evaluator_of(self.config, task.weights.value, self.threads)
        played: Played = _core.play_selfplay(
            evaluator,
            task.games,
            search_options(self.config),
            game_options(self.config, task.generation),
            seed=self.config.seed,
            first_game=task.first_game,
            parallel=_AT_ONCE,
            # A network that is called has threads of its own; its batches stay the same.
            threads=1 if callable(evaluator) else self.threads,
        )
        return played


class SelfPlayers:
    """Workers that play generations; they are kept from one to the next.

    Args:
        config: How they play.
        workers: How many; None: this process, or all cores of a Ray cluster.
    """

    def __init__(self, config: SelfPlayConfig, workers: int | None) -> None:
        self.config = config
        count = cluster.count_workers(workers, usual=1)
        threads = cluster.threads_of_each(count, config.threads)
        self._cluster = cluster.start(GamesOfItself(config, threads), count)

    def play(self, weights: Weights, generation: int) -> Played:
        """Play the games of a generation, from 0, and return them in the order of their numbers."""
        total = self.config.games
        first = generation * total
        most = GAMES_OF_A_TASK
        if self.config.network in LINES:  # the others' answers depend on the size of their batches
            fair = -(-total // (2 * self._cluster.workers))
            most = min(most, max(_LEAST_OF_A_TASK, fair))
        sizes = [min(most, total - done) for done in range(0, total, most)]
        starts = first + np.cumsum([0, *sizes[:-1]])
        shared = self._cluster.share(weights)
        chunks = [
            Chunk(shared, generation, int(start), size)
            for start, size in zip(starts, sizes, strict=True)
        ]
        parts: dict[int, Played] = {}
        for outcome in self._cluster.map(chunks):
            parts[outcome.index] = outcome.value
        return {
            name: np.concatenate([parts[index][name] for index in range(len(chunks))])
            for name in parts[0]
        }

    def close(self) -> None:
        """End the workers."""
        self._cluster.close()
