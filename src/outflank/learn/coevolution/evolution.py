"""Evolution, generation by generation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.errors import DataError
from outflank.evaluations.learned import PLAYER_FILE
from outflank.learn.coevolution.config import CoevolutionConfig
from outflank.learn.coevolution.contest import Crew, network_of
from outflank.learn.coevolution.observing import LEVELS, observe
from outflank.learn.coevolution.selection import (
    Contest,
    hold_tournament,
    keep_better_children,
    rank,
    select,
)
from outflank.learn.coevolution.strategy import Strategy
from outflank.learn.coevolution.variation import Networks, Weights, first_parents, offspring
from outflank.nets.files import load_tensors, save_tensors

STATE, ARCHIVE = "population.safetensors", "archive"
_KIND, _FAMILY = "population", "family"


class Evolution:
    """A population; see learn.Trainer for what its methods promise. A step is a generation."""

    score = "score"

    def __init__(self, config: CoevolutionConfig, crew: Crew, folder: Path | None = None) -> None:
        """Make the first generation.

        Args:
            config: How networks evolve.
            crew: The workers that play the games.
            folder: Of the run, to archive parents in; None keeps no archive.
        """
        self.config, self.crew, self.folder = config, crew, folder
        self.step, self.steps = 0, config.generations
        self.parents = first_parents(config)
        self.strategy = Strategy(config) if config.variation == "strategy" else None
        self.points = np.zeros(config.parents)
        self.last_games = {"distinct_games": 0.0, "draws": 0.0}  # shares in the last tournament
        self.family = _family(self.parents)  # of all that ever were parents

    @property
    def pace(self) -> tuple[int, int]:
        """Generations between observations, and between checkpoints."""
        return self.config.observe_every, self.config.checkpoint_every

    def train_until(self, step: int) -> Mapping[str, float]:
        """Evolve until `step` generations are done."""
        if self.step == 0:
            self._archive()
        while self.step < step:
            if self.strategy is not None:
                self._follow(self.strategy)
            else:
                self._breed()
            self.step += 1
            newly = self.parents.take(np.flatnonzero(self.parents.born == self.step))
            self.family = np.concatenate([self.family, _family(newly)])
            if self.step % self.config.archive_every == 0 or self.step == self.steps:
                self._archive()
        return {"points": float(self.points.mean())}

    def _breed(self) -> None:
        """One generation of the paper: children, a tournament, survivors."""
        config, step, crew = self.config, self.step, self.crew
        children = offspring(config, self.parents, step)
        if len(children) > len(self.parents):
            children = keep_better_children(config, children, crew)
        everyone = self.parents.and_also(children)
        self.parents, self.points, contest = select(config, everyone, step, crew)
        self._remember(contest)

    def _follow(self, strategy: Strategy) -> None:
        """One generation of a strategy: its mean and the best samples take the parents' places."""
        config, step = self.config, self.step
        drawn = strategy.sample(step)
        contest = hold_tournament(config, drawn, step, self.crew)
        points = contest.points
        self._remember(contest)
        strategy.learn(step, points)
        best = rank(config, points, step)[: config.parents - 1]
        self.parents = strategy.center().and_also(drawn.take(best))
        self.points = np.concatenate([[points.mean()], points[best]])

    def _remember(self, contest: Contest) -> None:
        self.last_games = {"distinct_games": contest.distinct_games, "draws": contest.draws}

    def measure(self) -> Mapping[str, Any]:
        """Let the observers measure the parents."""
        seen = observe(self.config, self.parents.weights, self.crew)
        steps = self.parents.steps.astype(np.float64)
        return {
            "generation": self.step,
            "points": float(self.points.mean()),
            "most_points": float(self.points.max()),
            **seen.to_json(),
            "step_size": float(np.exp(np.log(steps).mean())),
            "weight_size": float(np.sqrt((self.parents.weights.astype(np.float64) ** 2).mean())),
            "age": float((self.step - self.parents.born).mean()),
            "families": len(_founders(self.parents, self.family)),
            **self.last_games,
            "spread": _spread(self.parents.weights),
            "score": float(np.mean([one.mean() for one in seen.depths_beaten.values()] or [0.0])),
        }

    def save(self, folder: Path) -> None:
        """Write the parents; everything else comes from the configuration."""
        self._write(folder / STATE)
        if self.step == 0:  # stopped before the first generation: the archive begins with it
            self._archive()

    def load(self, folder: Path) -> None:
        """Restore the parents of a checkpoint."""
        parents, family, facts = load_population(folder / STATE)
        if CoevolutionConfig.from_json(facts["config"]) != self.config:
            raise DataError(f"{folder / STATE}: was made with another configuration")
        self.parents, self.family = parents, family
        if self.strategy is not None:
            tensors, _ = load_tensors(folder / STATE, kind=_KIND)
            self.strategy.restore(tensors)
        self.step = int(facts["generation"])
        self.points = np.array(facts["points"])
        self.last_games |= facts.get("last_games", {})  # earlier versions had none

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the last parents, from which players can be made, and the first of them as one."""
        self._write(folder / STATE, measured)
        facts = {"generation": self.step, "rank": 1, "config": self.config.to_json()}
        network_of(self.config, self.parents.weights[0], facts).save(folder / PLAYER_FILE)

    def _archive(self) -> None:
        if self.folder is not None:
            folder = self.folder / ARCHIVE
            folder.mkdir(parents=True, exist_ok=True)
            self._write(folder / f"generation-{self.step:06d}.safetensors")

    def _write(self, path: Path, measured: Mapping[str, Any] | None = None) -> None:
        facts = {
            "config": self.config.to_json(),
            "generation": self.step,
            "points": self.points.tolist(),
            "last_games": self.last_games,
            "measured": dict(measured or {}),
        }
        tensors = {**self.parents.arrays(), _FAMILY: self.family}
        if self.strategy is not None:
            tensors |= self.strategy.arrays()
        save_tensors(path, tensors, kind=_KIND, facts=facts)


def _family(networks: Networks) -> NDArray[np.int64]:
    """Return a row for each network: its number, its parent's, and the generation of its birth."""
    return np.stack([networks.number, networks.parent, networks.born], axis=1)


def _founders(networks: Networks, family: NDArray[np.int64]) -> set[int]:
    """Return the founders that some networks descend from."""
    parent_of = dict(family[:, :2].tolist())
    founders = set()
    for number in networks.number.tolist():
        while parent_of.get(number, -1) >= 0:
            number = parent_of[number]
        founders.add(number)
    return founders


def _spread(weights: Weights) -> float:
    """Return the diversity of networks: their distance from their mean, relative to their size."""
    exact = weights.astype(np.float64)
    size = float(np.sqrt((exact**2).mean()))
    return float(np.sqrt(((exact - exact.mean(axis=0)) ** 2).mean())) / size if size else 0.0


def load_population(path: Path) -> tuple[Networks, NDArray[np.int64], dict[str, Any]]:
    """Read a run's parents of one generation, the family (see Evolution), and facts."""
    tensors, facts = load_tensors(path, kind=_KIND)
    try:
        networks = Networks(*(tensors[name] for name in Networks.__dataclass_fields__))
        return networks, tensors[_FAMILY], facts
    except KeyError as error:
        raise DataError(f"{path}: has no array {error}") from None


def level(depths_beaten: int) -> str:
    """Return the paper's name for a network that beat an observer at this many depths."""
    return LEVELS[min(depths_beaten, len(LEVELS) - 1)]
