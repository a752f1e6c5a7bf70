"""A second look at paper 4: how little must change for its evolution to evolve?

Each factor of the printed configuration is changed on its own, with many seeds. Parents are nearly
clones of each other, so what observers see of them rises and falls together; strength is therefore
measured in other ways, too.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from outflank.learn.coevolution import (
    CoevolutionConfig,
    Crew,
    archived_generations,
    first_parents,
    load_population,
    offspring,
    preset,
)
from outflank.learn.coevolution.drawing import Numbers, counts_winning
from outflank.learn.coevolution.selection import count_points, draw_pairings
from outflank.learn.coevolution.variation import random_of
from outflank.players import Spec
from outflank.studies.coevolution.claims import Metrics, at_the_end, shares
from outflank.studies.coevolution.heredity import Family, compare
from outflank.studies.coevolution.side_by_side import evolve_all
from outflank.studies.estimate import Estimate
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Plot, Result, Row
from outflank.studies.workbench import EvolvedRun, Workbench

PRINTED = "as printed"
# What is changed, by factor: names of variants, and their settings.
FACTORS: dict[str, dict[str, tuple[str, ...]]] = {
    "first step size, self-adaptive": {
        f"steps of {step:g}, adapted": (f"sigma={step:g}",)
        for step in (0.02, 0.01, 0.005, 0.002, 0.0005)
    },
    "step size, fixed": {
        f"steps of {step:g}, fixed": ("variation=fixed", f"sigma={step:g}")
        for step in (0.05, 0.02, 0.01, 0.005, 0.002, 0.0005)
    },
    "opponents": {f"{count} opponents": (f"opponents={count}",) for count in (10, 19)},
    "population": {f"population of {count}": (f"population={count}",) for count in (50, 100)},
    "openings": {f"{plies} random first moves": (f"opening={plies}",) for plies in (4, 6)},
    "colours": {"both colours": ("both_colours=yes",)},
    "games of each": {"as many for all": ("balanced=yes",)},
    "symmetry": {"symmetric weights": ("symmetric=yes",)},
    "first weights": {
        f"first weights up to {reach:g}": (f"first_weights={reach:g}",) for reach in (0.05, 1.0)
    },
}
VARIANTS: dict[str, tuple[str, ...]] = {
    PRINTED: (),
    **{name: changes for variants in FACTORS.values() for name, changes in variants.items()},
}
OBSERVERS = "discs,swh,iago-positional"
COLUMNS = (
    Column("ladder-4", "beat depths 2 and 4"),
    Column("ladder-6", "and 6"),
    Column("all-4", "beat depth 4"),
    Column("all-6", "beat depth 6"),
    Column("square-4", "beat weighted squares at depth 4"),
    Column("points", "survivors' points above chance", ""),
    Column("strength", "points against random networks"),
    Column("fair", "fair match against discs at depth 4"),
    Column("rise", "seeds above half at depth 4"),
    Column("spread", "distance between parents", "", 2),
    Column("distinct", "distinct games"),
    Column("heredity", "correlation of parent's and child's strength", "", 2),
)
_RIVAL = "alphabeta:eval=discs,depth=4"
_SIGNED = ("points", "heredity")
_TOURNAMENTS = 200  # of coins, for the points that chance gives
_JUDGED_BY = 5000  # seed of the judges, which no run has
_HALF = 50.0  # percent


@dataclass(frozen=True)
class ReproductionConfig:
    """Variants, how often and how long each evolves, and how strength is measured.

    Attributes:
        variants: Names of VARIANTS.
        seeds: Runs of each.
        generations: Of each run.
        openings: Of the fair match, each played twice.
        judges: Random networks that the last parents meet with both colours.
        settings: Changes of all variants.
    """

    variants: tuple[str, ...]
    seeds: int
    generations: int
    openings: int
    judges: int
    settings: tuple[str, ...] = ()


@study(
    "coevolution-reproduction",
    paper=4,
    title="How little must change for the evolution to evolve?",
    scales={
        "smoke": ReproductionConfig(
            (PRINTED, "steps of 0.005, fixed", "both colours"), 2, 4, 2, 3,
            ("population=6", "opponents=2", "deepest=4", "archive_every=1", "observe_every=1",
             "top_depth=2"),
        ),
        "laptop": ReproductionConfig(
            tuple(VARIANTS), 10, 600, 100, 20, ("observe_every=10", "top_depth=2")
        ),
        "paper": ReproductionConfig(
            tuple(VARIANTS), 10, 1000, 500, 50, ("observe_every=5", "top_depth=2")
        ),
    },
    judge=lambda result: judge_printed(result),
)  # fmt: skip
def reproduction(config: ReproductionConfig, bench: Workbench) -> Findings:
    """Evolve every variant with every seed, and measure the outcome in several ways."""
    bench.note(
        f"{config.seeds} runs of {config.generations} generations each; means of the last tenth "
        "with 95% intervals between runs. Percent of parents, who are black. The first two columns "
        "are the paper's ladder, on which who loses at a depth does not meet the next; the others "
        f"ask everybody. Random networks: {config.judges} of them, both colours. The fair match: "
        f"the last first parent, both colours of {config.openings} openings. Points above chance: "
        "what the survivors have more than if coins decided all games."
    )
    runs = _evolve(config, bench)
    found: dict[str, list[dict[str, float]]] = {}
    with Crew(preset("paper"), bench.workers) as crew:
        for variant, some in runs.items():
            bench.listener.began(f"strength of {variant}", 0)
            found[variant] = [
                bench.kept(
                    partial(_measured, run, config, bench, crew),
                    run.network.parent.name, "reproduction", config.openings, config.judges,
                )
                for run in some
            ]  # fmt: skip
    rows = tuple(_row(variant, values, runs[variant]) for variant, values in found.items())
    return Findings(COLUMNS, rows, plot=Plot("seeds", _plot(found)))


def config_of(config: ReproductionConfig, variant: str, seed: int) -> CoevolutionConfig:
    """Return the configuration of a run."""
    common = [f"generations={config.generations}", f"observers={OBSERVERS}", "all_depths=yes"]
    return preset("paper").with_settings(
        [*common, *config.settings, *VARIANTS[variant], f"seed={seed}"]
    )


def _evolve(config: ReproductionConfig, bench: Workbench) -> dict[str, list[EvolvedRun]]:
    """Evolve all, side by side; return the runs of each variant."""
    wanted = [
        (variant, config_of(config, variant, seed))
        for variant in config.variants
        for seed in range(1, config.seeds + 1)
    ]
    evolved = evolve_all([one for _, one in wanted], bench)
    runs: dict[str, list[EvolvedRun]] = {}
    for (variant, _), run in zip(wanted, evolved, strict=True):
        runs.setdefault(variant, []).append(run)
    return runs


def _measured(
    run: EvolvedRun, config: ReproductionConfig, bench: Workbench, crew: Crew
) -> dict[str, float]:
    """Return what COLUMNS have of one run."""
    metrics = run.metrics
    judges = replace(preset("paper"), population=2 * config.judges, seed=_JUDGED_BY)
    family = compare(_late_families(run), first_parents(judges).weights, crew)
    player = str(Spec("evolved", options={"name": str(run.network)}))
    fair = bench.match(player, _RIVAL, bench.openings(config.openings))
    points, draws, spread, distinct = (
        at_the_end(np.array([line[name] for line in metrics], float))
        for name in ("points", "draws", "spread", "distinct_games")
    )
    ladder = 100 * at_the_end(shares("discs-4", metrics))
    return {
        "ladder-4": ladder,
        "ladder-6": 100 * at_the_end(_climbed(metrics, 3)),
        "all-4": 100 * at_the_end(_winners(metrics, "discs", 4)),
        "all-6": 100 * at_the_end(_winners(metrics, "discs", 6)),
        "square-4": 100 * at_the_end(_winners(metrics, "swh", 4)),
        "points": points - chance_points(run.config, draws),
        "strength": family["parents"],
        "fair": 100 * (fair.winning_rate or 0.0),
        "rise": 100.0 * (ladder > _HALF),
        "spread": spread,
        "distinct": 100 * distinct,
        "heredity": family["correlation"],
    }


def _late_families(run: EvolvedRun) -> list[Family]:
    """Return the parents of each archived generation of the last tenth, and a child of each."""
    begin = 0.9 * run.config.generations
    return [
        (parents, offspring(run.config, parents, generation))
        for generation, path in archived_generations(run.network.parent).items()
        if generation >= begin
        for parents in [load_population(path)[0]]
    ]


def _climbed(metrics: Metrics, depths: int) -> Numbers:
    """Return the shares of parents that beat `depths` depths of the paper's ladder or more."""
    return np.array([np.mean(np.array(line["climbed"]["discs"]) >= depths) for line in metrics])


def _winners(metrics: Metrics, observer: str, depth: int) -> Numbers:
    """Return the shares of all parents that beat an observer at a depth; 0 if they never met."""
    parents = [len(line["climbed"][observer]) for line in metrics]
    found: Numbers = counts_winning(metrics, observer, depth) / parents
    return found


def chance_points(config: CoevolutionConfig, draws: float) -> float:
    """Return the points that survivors would have if fair coins decided what is not drawn."""
    random = random_of(config, "coins")
    means = []
    for number in range(_TOURNAMENTS):
        black, white = draw_pairings(config, config.population, number)
        scores = random.choice(np.array([-1, 1], np.int32), len(black))
        scores[random.random(len(black)) < draws] = 0
        points = count_points(config, config.population, black, white, scores)
        means.append(np.sort(points)[-config.parents :].mean())
    return float(np.mean(means))


def _row(variant: str, values: Sequence[Mapping[str, float]], runs: Sequence[EvolvedRun]) -> Row:
    figures: dict[str, Estimate | float | None] = {}
    for column in COLUMNS:
        least = -math.inf if column.name in _SIGNED else 0.0
        figures[column.name] = Estimate.of_runs([one[column.name] for one in values], least=least)
    figures["rise"] = float(statistics.fmean(one["rise"] for one in values))  # a count
    seeds = [run.config.seed for run in runs]
    by_strength = sorted(range(len(values)), key=lambda at: values[at]["fair"])
    facts = {
        "settings": list(VARIANTS[variant]),
        "seeds": {str(seed): dict(one) for seed, one in zip(seeds, values, strict=True)},
        "best seed in the fair match": seeds[by_strength[-1]],
        "worst": seeds[by_strength[0]],
        "seconds": [run.seconds for run in runs],
    }
    return Row.of(variant, figures, facts=facts)


def _plot(found: Mapping[str, Sequence[Mapping[str, float]]]) -> dict[str, Any]:
    """Return two measures of every seed, by factor; each factor begins with what is printed."""
    panels = {"ladder-4": "beat discs at depth 4 [%]", "fair": "fair match [%]"}
    groups = {
        factor: [PRINTED, *(name for name in variants if name in found)]
        for factor, variants in FACTORS.items()
        if any(name in found for name in variants)
    }
    return {
        "panels": {
            title: {variant: [one[name] for one in values] for variant, values in found.items()}
            for name, title in panels.items()
        },
        "groups": groups,
    }


def judge_printed(result: Result) -> list[Claim]:
    """Judge what the paper says of its printed configuration."""
    (printed,) = [list(row.facts["seeds"].values()) for row in result.rows if row.label == PRINTED]

    def of(name: str, least: float = 0.0) -> Estimate:
        return Estimate.of_runs([one[name] for one in printed], least=least)

    return [
        Claim.judge("as printed, parents that beat the piece differential at depth 4 come to 70%; "
                    "half are asked for here", "parents on the ladder, last tenth",
                    of("ladder-4"), least=_HALF),
        Claim.judge("as printed, survivors win more games than chance gives them (the paper's "
                    "seven wins)", "points above those of coins", of("points", -math.inf),
                    above=0.0),
        Claim.judge("as printed, parents become stronger than random networks",
                    "points against random networks", of("strength"), above=_HALF),
    ]  # fmt: skip
