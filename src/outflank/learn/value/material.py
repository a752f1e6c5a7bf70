"""What a configuration trains on, and what it is measured with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outflank.chance import Shuffle
from outflank.data.extraction import Step
from outflank.errors import DataError
from outflank.learn.value.config import ValueConfig
from outflank.learn.value.played import games_in_files
from outflank.learn.value.sets import States, gather_games, parse_sets, split_states


@dataclass(frozen=True, eq=False)
class Material:
    """States to train on, held-out states, and facts for the network's card."""

    training: States
    held_out: States
    facts: dict[str, Any]


def gather_material(
    config: ValueConfig, *, wthor: Path | None = None, step: Step | None = None
) -> Material:
    """Draw the sets of a configuration, and split them.

    Args:
        config: Which games and sets, and how they are split.
        wthor: Folder of WThor files; the store's if None.
        step: Called with what is being done and the steps done.
    """
    if config.games:
        games = games_in_files(config.games)
    else:
        games = gather_games(config.years, wthor=wthor, step=step)
    states = games.sets(parse_sets(config.sets), rotate=config.rotate)
    if config.states:
        some = Shuffle(len(states), config.split_seed, "states")
        states = states.take(some(np.arange(min(config.states, len(states)))))
    training, held_out = split_states(
        states, config.held_out, by=config.split, seed=config.split_seed
    )
    if not len(training):
        raise DataError(
            f"there is nothing to learn from: of {games.facts['games']} games, none has a state "
            "(after five moves) to train on"
        )
    facts = {**games.facts, "states": len(training), "held_out": len(held_out)}
    return Material(training, held_out.take(slice(config.evaluate_states)), facts)
