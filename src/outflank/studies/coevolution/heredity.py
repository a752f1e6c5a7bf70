"""Why paper 4's evolution stands still here: what is inherited, and what is selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from outflank.learn.coevolution import (
    CoevolutionConfig,
    Crew,
    Games,
    Networks,
    archived_generations,
    first_parents,
    load_population,
    offspring,
    preset,
)
from outflank.learn.coevolution.selection import hold_tournament
from outflank.learn.coevolution.variation import Weights
from outflank.studies.coevolution.figures import DEEPER, SMALL
from outflank.studies.estimate import Estimate
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Row
from outflank.studies.workbench import Workbench

Family = tuple[Networks, Networks]  # parents, and a child of each

_JUDGED_BY = 1000  # added to a seed: the judges are relatives of nobody


@dataclass(frozen=True)
class HeredityConfig:
    """Parents and a child of each, all judged by their points against the same random networks.

    steps: of the first generation's mutation. generations: of the paper's run whose late parents
    are looked at too, in the periods that begin at these shares of it.
    """

    parents: int = 100
    judges: int = 20
    steps: tuple[float, ...] = (0.05, 0.02, 0.01, 0.005)
    seeds: int = 3
    generations: int = 1000
    periods: tuple[float, ...] = (0.1, 0.4, 0.9)
    settings: tuple[str, ...] = ()


@study(
    "coevolution-heredity",
    paper=4,
    title="Beyond the paper: what children inherit, and what the tournament selects",
    scales={
        "smoke": HeredityConfig(6, 3, (0.05, 0.01), 2, 4, (0.5,), SMALL),
        "laptop": HeredityConfig(settings=DEEPER),
        "paper": HeredityConfig(parents=300, judges=50, seeds=10, settings=DEEPER),
    },
)
def heredity(config: HeredityConfig, bench: Workbench) -> Findings:
    """Compare parents with their children: at the beginning by step size, and later."""
    seeds = range(1, config.seeds + 1)
    families = {
        f"first networks, steps of {step:g}": [[_first(config.parents, step, s)] for s in seeds]
        for step in config.steps
    }
    for share in config.periods:
        begin = round(share * config.generations)
        end = begin + round(0.1 * config.generations)
        late = [_late(config, bench, begin, end, seed) for seed in seeds]
        families[f"the paper's run, generations {begin} to {end}"] = late
    judges = [
        first_parents(_first_config(config.judges, seed + _JUDGED_BY)).weights for seed in seeds
    ]
    rows = []
    with Crew(preset("paper"), bench.workers) as crew:
        for label, some in families.items():
            bench.listener.began(f"games of {label}", 0)
            found = [compare(*one, crew) for one in zip(some, judges, strict=True)]
            rows.append(_row(label, found))
    bench.note(
        f"A network's strength is its share of the points against {config.judges} random networks, "
        f"both colours, two plies. {config.parents} parents, or all that were archived, with a "
        f"child of each; means of {config.seeds} seeds with 95% intervals between them. Selection "
        "by the points of a tournament of all of them, as in evolution, keeps only what these tell "
        "of strength, and of that only what children inherit."
    )
    columns = (
        Column("correlation", "correlation of parent's and child's strength", "", 2),
        Column("selection", "correlation of points and strength", "", 2),
        Column("parents", "strength of the parents"),
        Column("children", "strength of the children"),
    )
    return Findings(columns, tuple(rows))


def _first(count: int, step: float, seed: int) -> Family:
    """Random networks, and a child of each."""
    drawn = _first_config(count, seed, step)
    parents = first_parents(drawn)
    return parents, offspring(drawn, parents, 0)


def _first_config(count: int, seed: int, step: float = 0.05) -> CoevolutionConfig:
    return replace(preset("paper"), population=2 * count, sigma=step, seed=seed)


def _late(
    config: HeredityConfig, bench: Workbench, begin: int, end: int, seed: int
) -> list[Family]:
    """Parents of each archived generation in a period of the paper's run, and a child of each."""
    settings = [f"generations={config.generations}", f"seed={seed}", *config.settings]
    run = bench.evolve(preset("paper").with_settings(settings))
    found = []
    for generation, path in archived_generations(run.network.parent).items():
        if begin <= generation <= end:
            parents = load_population(path)[0]
            found.append((parents, offspring(run.config, parents, generation)))
    return found


def _strengths(weights: Weights, judges: Weights, crew: Crew) -> NDArray[np.float64]:
    """Return each network's share of the points against the judges; a draw is half a point."""
    own = np.repeat(np.arange(len(weights), dtype=np.int32), len(judges))
    other = np.tile(len(weights) + np.arange(len(judges), dtype=np.int32), len(weights))
    black, white = np.concatenate([own, other]), np.concatenate([other, own])
    scores = crew.play(Games(np.concatenate([weights, judges]), black, white))
    points = (np.sign(scores) * np.where(black < len(weights), 1, -1) + 1) / 2
    return np.bincount(np.concatenate([own, own]), points) / (2 * len(judges))


def compare(families: Sequence[Family], judges: Weights, crew: Crew) -> dict[str, float]:
    """Compare the strength of parents and children, and of all with their points."""
    before, after = (
        [_strengths(family[side].weights, judges, crew) for family in families] for side in (0, 1)
    )
    strength, points = [], []
    for number, (parents, children) in enumerate(families):
        everyone = parents.and_also(children)
        rules = replace(preset("paper"), population=len(everyone))
        points.append(hold_tournament(rules, everyone, number, crew).points)
        strength.append(np.concatenate([before[number], after[number]]))
    return {
        "correlation": _correlation(before, after),
        "selection": _correlation(strength, points),
        "parents": 100 * float(np.concatenate(before).mean()),
        "children": 100 * float(np.concatenate(after).mean()),
    }


def _correlation(
    some: Sequence[NDArray[np.float64]], others: Sequence[NDArray[np.float64]]
) -> float:
    """Within generations: what differs between these counts for nothing."""
    x, y = (np.concatenate([part - part.mean() for part in parts]) for parts in (some, others))
    return float(np.corrcoef(x, y)[0, 1]) if x.any() and y.any() else 0.0


def _row(label: str, found: Sequence[dict[str, float]]) -> Row:
    figures: dict[str, Estimate | float | None] = {
        name: Estimate.of_runs([one[name] for one in found], least=-1.0) for name in found[0]
    }
    return Row.of(label, figures)
