"""Single games of evolved networks, to look at."""

from __future__ import annotations

import numpy as np

from outflank import _core
from outflank.evaluations import evaluation
from outflank.learn.coevolution.config import CoevolutionConfig
from outflank.learn.coevolution.contest import Rival, network_of
from outflank.learn.coevolution.variation import Weights
from outflank.othello import Game
from outflank.players.evolved import mind_of


def game_of(
    config: CoevolutionConfig, weights: Weights, rival: Rival, *, depth: int | None = None
) -> Game:
    """Let a network play a rival as black, at its own depth if `depth` is None."""
    minds = [
        mind_of(network_of(config, weights), depth or 0),
        _core.Mind(evaluation(rival.eval), rival.depth),
    ]
    _, moves, plies = _core.play_minds(
        minds, np.zeros(1, np.int32), np.ones(1, np.int32), most_passes=config.most_passes
    )
    white = f"{rival.eval}, depth {rival.depth}"
    return Game.from_moves(moves[0, : plies[0]].tolist(), black="evolved network", white=white)
