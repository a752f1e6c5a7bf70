"""The registry of learners. To add one, write a folder with a module `learner` and list it here."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from outflank.errors import DataError, OutflankError
from outflank.learn.layout import is_run, read_config
from outflank.learn.learner import Learner

# Each of these modules has a LEARNER. They are listed in this order everywhere.
MODULES = (
    "outflank.learn.imitation.learner",
    "outflank.learn.coevolution.learner",
    "outflank.learn.patterns.learner",
    "outflank.learn.selfplay.learner",
    "outflank.learn.champion.learner",
    "outflank.learn.value.learner",
)

# Environment variable: further such modules, in packages of your own, separated by commas.
VARIABLE = "OUTFLANK_LEARNERS"


def learners() -> dict[str, Learner]:
    """Return all learners by name."""
    more = [name.strip() for name in os.environ.get(VARIABLE, "").split(",")]
    return _load((*MODULES, *(name for name in more if name)))


def find_learner(name: str) -> Learner:
    """Return the learner of a name."""
    every = learners()
    if name not in every:
        raise DataError(f"no such learner: {name!r}; learners are {', '.join(every)}")
    return every[name]


def learner_of(name: str, config: Mapping[str, Any]) -> Learner | None:
    """Return the learner that config.json names, or None if there is no such learner here."""
    return learners().get(name) if name else _guess_before_0_2(config)


def learner_of_run(folder: Path) -> Learner | None:
    """Return the learner of a run, or None if there is no such learner here."""
    return learner_of(*read_config(folder))


def player_of_run(folder: Path) -> str | None:
    """Return the spec of a run's current player, or None if it has none yet."""
    learner = learner_of_run(folder) if is_run(folder) else None
    return learner.player(folder) if learner else None


@lru_cache(maxsize=8)
def _load(modules: tuple[str, ...]) -> dict[str, Learner]:
    found: dict[str, Learner] = {}
    for name in modules:
        try:
            learner = importlib.import_module(name).LEARNER
        except (ImportError, AttributeError) as error:
            raise OutflankError(f"{name}: not a module with a LEARNER: {error}") from error
        if found.setdefault(learner.name, learner) is not learner:
            raise OutflankError(f"{name}: there is another learner called {learner.name!r}")
    return found


def _guess_before_0_2(config: Mapping[str, Any]) -> Learner | None:
    """Return the learner of a run made before version 0.2, whose configuration names none.

    Each learner's fields differ from the others', so they say whose they are.
    """
    for learner in learners().values():
        fields = {field.name for field in learner.config.fields()}
        given = {learner.config.ALIASES.get(name, name) for name in config}
        if fields >= given and len(given) > len(fields) // 2:
            return learner
    return None
