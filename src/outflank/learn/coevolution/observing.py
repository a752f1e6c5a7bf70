"""Observers: players that do not evolve and whose results evolution never sees.

Each parent, as black, meets every observer at depth 2, then 4, 6, ... until it does not win.
By the rungs that it climbed the paper calls it novice (1), intermediate (2) or master (3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank.learn.coevolution.config import CoevolutionConfig
from outflank.learn.coevolution.contest import Crew, Games, Rival
from outflank.learn.coevolution.variation import Weights

LEVELS = ("beginner", "novice", "intermediate", "master")
TOP_RIVAL = "discs"


@dataclass(frozen=True, eq=False)
class Observation:
    """What the observers saw of some parents.

    rungs: int64[parents] for each observer, how many each parent climbed. top_won: whether the
    first of the parents beat its rival.
    """

    rungs: dict[str, NDArray[np.int64]]
    top_won: bool

    def to_json(self) -> dict[str, object]:
        """Return how many rungs each parent climbed, by observer, and the rest.

        Novices, intermediates and masters are those of the first observer; whoever climbed more
        is a master too.
        """
        climbed = next(iter(self.rungs.values()), np.zeros(0, np.int64))
        return {
            "climbed": {name: rungs.tolist() for name, rungs in self.rungs.items()},
            "novices": int((climbed == 1).sum()),
            "intermediates": int((climbed == 2).sum()),
            "masters": int((climbed >= 3).sum()),
            "top_won": self.top_won,
        }


def observe(config: CoevolutionConfig, parents: Weights, crew: Crew) -> Observation:
    """Let parents, best first, meet the observers."""
    rungs = {name: np.zeros(len(parents), np.int64) for name in config.observed}
    climbing = {name: np.arange(len(parents)) for name in config.observed}
    top = _as_black(parents, np.arange(1), Rival(TOP_RIVAL, config.top_depth))
    for depth in config.rungs:
        kinds = [
            _as_black(parents, numbers, Rival(name, depth)) for name, numbers in climbing.items()
        ]
        # The long game of the first parent is played beside the others, and then remembered.
        *scores, _ = crew.play_all([*kinds, top])
        for name, won in zip(climbing, (one > 0 for one in scores), strict=True):
            climbing[name] = climbing[name][won]
            rungs[name][climbing[name]] += 1
    return Observation(rungs, bool(crew.play(top)[0] > 0))


def _as_black(parents: Weights, numbers: NDArray[np.int64], rival: Rival) -> Games:
    black = numbers.astype(np.int32)
    return Games(parents, black, np.full(len(black), -1, np.int32), rival)
