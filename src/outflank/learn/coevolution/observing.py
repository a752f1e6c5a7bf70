"""Observers: players that do not evolve and whose results evolution never sees.

Each parent, as black, meets every observer at depth 2, then 4, 6, ... until it does not win.
By the number of depths that it beat, the paper calls it a novice (1), an intermediate (2) or a
master (3).
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
    """What the observers measured.

    Attributes:
        depths_beaten: int64[parents] for each observer: at how many depths the parent beat it.
        top_won: Whether the first parent beat its rival.
        winners: How many parents beat an observer at a depth, whether or not they beat it at the
            depths before; empty unless they met it at all depths.
    """

    depths_beaten: dict[str, NDArray[np.int64]]
    top_won: bool
    winners: dict[str, dict[str, int]]

    def to_json(self) -> dict[str, object]:
        """Return the measurements of one generation, as metrics.jsonl keeps them.

        "climbed" has the depths beaten, by observer. Novices, intermediates and masters are
        counted against the first observer; three depths or more make a master.
        """
        first = next(iter(self.depths_beaten.values()), np.zeros(0, np.int64))
        return {
            "climbed": {name: beaten.tolist() for name, beaten in self.depths_beaten.items()},
            "novices": int((first == 1).sum()),
            "intermediates": int((first == 2).sum()),
            "masters": int((first >= 3).sum()),
            "top_won": self.top_won,
            **({"winners": self.winners} if self.winners else {}),
        }


def observe(config: CoevolutionConfig, parents: Weights, crew: Crew) -> Observation:
    """Let parents, best first, meet the observers."""
    beaten = {name: np.zeros(len(parents), np.int64) for name in config.observed}
    everyone = np.arange(len(parents))
    climbing = dict.fromkeys(config.observed, everyone)  # who has won so far
    winners: dict[str, dict[str, int]] = {}
    top = _as_black(parents, np.arange(1), Rival(TOP_RIVAL, config.top_depth))
    for depth in config.observer_depths:
        kinds = [
            _as_black(parents, everyone if config.all_depths else numbers, Rival(name, depth))
            for name, numbers in climbing.items()
        ]
        # The long game of the first parent is played beside the others, and then remembered.
        *scores, _ = crew.play_all([*kinds, top])
        for name, won in zip(climbing, (one > 0 for one in scores), strict=True):
            if config.all_depths:
                winners.setdefault(name, {})[str(depth)] = int(won.sum())
                climbing[name] = climbing[name][won[climbing[name]]]
            else:
                climbing[name] = climbing[name][won]
            beaten[name][climbing[name]] += 1
    return Observation(beaten, bool(crew.play(top)[0] > 0), winners)


def _as_black(parents: Weights, numbers: NDArray[np.int64], rival: Rival) -> Games:
    black = numbers.astype(np.int32)
    return Games(parents, black, np.full(len(black), -1, np.int32), rival)
