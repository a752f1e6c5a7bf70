"""Paper 4: what observers saw of evolution; of the paper's own configuration, Figures 3 to 6.

One run is an anecdote: every variant runs with several seeds, and what is shown is their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from outflank.learn.coevolution import CoevolutionConfig, preset
from outflank.learn.coevolution.drawing import smoothed
from outflank.players import Spec
from outflank.studies.coevolution.claims import (
    COUNTS,
    Metrics,
    at_the_end,
    judge_evolution,
    measure,
    shares,
)
from outflank.studies.coevolution.repaired import REPAIRED, repaired
from outflank.studies.coevolution.side_by_side import evolve_all
from outflank.studies.estimate import Estimate
from outflank.studies.papers import printed_rows
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Plot, Row
from outflank.studies.workbench import EvolvedRun, Workbench

_POINTS = 200  # that a curve is drawn with
_RIVAL = "alphabeta:eval=discs,depth=4"

DEEPER = ("deepest=8",)  # observers go on to where the paper's had to stop
BOTH_WAYS = ("all_depths=yes", "deepest=4")  # parents are counted on the ladder, and all of them
SMALL = ("population=6", "opponents=2", "deepest=2", "top_depth=2", "archive_every=2")
_LEVELS = ("novice", "intermediate", "master")

# The paper prints curves; of its last hundred generations the text says this, in percent.
_PAPER = {"paper": {name: last for name, (_, last) in printed_rows(4, "figure-3").items()}}


@dataclass(frozen=True)
class EvolutionConfig:
    """Variants (presets of coevolution) that run, and how long; shown: which series.

    repaired: whether they are variants of the preset `paper-repaired` instead of the paper's.
    """

    variants: tuple[str, ...]
    shown: tuple[str, ...]
    seeds: int = 3
    generations: int = 1000
    openings: int = 100  # of the fair match against discs at depth 4, each played twice
    settings: tuple[str, ...] = ()  # changes of all variants
    claims: str = ""  # what the paper says of it: a name in CLAIMS
    repaired: bool = False


def _scales(
    variants: tuple[str, ...],
    shown: tuple[str, ...],
    settings: tuple[str, ...],
    claims: str,
    repaired: bool,
) -> dict[str, EvolutionConfig]:
    small = (*SMALL, "deepest=4", "top_depth=4", "archive_every=4", "observe_every=1", *settings)
    smoke = EvolutionConfig(variants, shown, 2, 4, 2, small, claims, repaired)
    deeper = (*DEEPER, *settings)
    whole = EvolutionConfig(variants, shown, settings=deeper, claims=claims, repaired=repaired)
    if repaired:
        whole = replace(whole, seeds=10, generations=600, settings=settings)
    return {"smoke": smoke, "laptop": whole, "paper": replace(whole, seeds=10, generations=1000)}


def observed(config: EvolutionConfig, bench: Workbench) -> Findings:
    """Evolve all variants and say what observers saw in the last tenth of the generations."""
    bench.note(
        f"Means over {config.seeds} runs with different seeds, of the last tenth of "
        f"{config.generations} generations, with 95% intervals between runs. The fair match: the "
        f"last generation's first parent, at the depth it evolved with, against {_RIVAL}, both "
        f"colours of {config.openings} openings. In the figure a line is the mean of the runs, "
        "each averaged over a tenth of the generations, a band is from the least run to the "
        f"greatest, and grey is one run at {_POINTS} of its generations."
    )
    if any(preset(variant).variation == "strategy" for variant in config.variants):
        bench.note(
            "Of a strategy the first parent is what it found, its mean; the other parents are its "
            "best samples around that, so for it the first parent's column and the match tell most."
        )
    if any(preset(variant).depth != preset("paper").depth for variant in config.variants):
        bench.note("Observers meet every network at the depth it evolved with: the hybrid's is 4.")
    columns = [Column(name, COUNTS[name][0]) for name in config.shown]
    columns.append(Column("fair", "fair match against discs at depth 4"))
    rows, curves, seen = [], {}, {}
    evolve_all([one for variant in config.variants for one in _configs(config, variant)], bench)
    for variant in config.variants:
        runs = [bench.evolve(one) for one in _configs(config, variant)]
        metrics = seen[variant] = [run.metrics for run in runs]
        ends = {name: [100 * at_the_end(shares(name, m)) for m in metrics] for name in config.shown}
        ends["fair"] = [_fair(run, config, bench) for run in runs]
        figures: dict[str, Estimate | float | None] = {
            name: Estimate.of_runs(values) for name, values in ends.items()
        }
        facts = {
            "seconds": [run.seconds for run in runs],
            "config": runs[0].config.to_json(),
            "by seed": {name: [round(one, 1) for one in values] for name, values in ends.items()},
        }
        printed = {} if config.repaired else _PAPER.get(variant, {})
        known = {name: value for name, value in printed.items() if name in config.shown}
        rows.append(Row.of(variant, figures, known, facts))
        curves[variant] = {name: _curve(name, metrics) for name in config.shown}
    data = {"labels": {name: COUNTS[name][0] for name in config.shown}, "curves": curves}
    plot, measured = Plot("evolution", data), measure(config.claims, seen)
    return Findings(tuple(columns), tuple(rows), plot=plot, measured=measured)


def _configs(config: EvolutionConfig, variant: str) -> list[CoevolutionConfig]:
    common = [f"generations={config.generations}", *config.settings]
    base = repaired(variant) if config.repaired else preset(variant)
    return [base.with_settings([*common, f"seed={seed}"]) for seed in range(1, config.seeds + 1)]


def _fair(run: EvolvedRun, config: EvolutionConfig, bench: Workbench) -> float:
    """Return the winning rate, in percent, of a run's last first parent in a fair match."""
    spec = str(Spec("evolved", options={"name": str(run.network)}))
    result = bench.match(spec, _RIVAL, bench.openings(config.openings))
    return 100 * (result.winning_rate or 0.0)


def _curve(name: str, runs: Sequence[Metrics]) -> dict[str, list[float]]:
    """Return some places of a series: the runs' mean, the least and the greatest; one as it was."""
    raw = np.stack([100 * shares(name, metrics) for metrics in runs])
    width = max(1, raw.shape[1] // 10)
    places = np.unique(np.linspace(0, raw.shape[1] - 1, _POINTS).astype(int))
    smooth = np.stack([smoothed(values, width) for values in raw])[:, places]
    return {
        "generation": [runs[0][place]["generation"] for place in places],
        "mean": smooth.mean(axis=0).round(2).tolist(),
        "low": smooth.min(axis=0).round(2).tolist(),
        "high": smooth.max(axis=0).round(2).tolist(),
        "one": raw[0, places].round(2).tolist(),
    }


def enter(
    name: str,
    title: str,
    variants: tuple[str, ...],
    shown: tuple[str, ...] = _LEVELS,
    settings: tuple[str, ...] = (),
) -> None:
    """Enter a study of some variants, with what is shown of them; and one of them repaired."""
    scales = _scales(variants, shown, settings, name, False)
    study(f"coevolution-{name}", paper=4, title=title, scales=scales, judge=judge_evolution)(
        observed
    )
    if REPAIRED.keys() >= set(variants):
        scales = _scales(variants, shown, settings, name, True)
        study(
            f"coevolution-repaired-{name}", paper=4, title=f"{title}; repaired evolution",
            scales=scales, judge=judge_evolution,
        )(observed)  # fmt: skip


enter(
    "figure-3",
    "Figure 3: parents that beat depth 4",
    ("paper",),
    ("discs-4", "all-4", "iago-4"),
    BOTH_WAYS,
)
enter("figure-4", "Figure 4: the first parent against depth 6", ("paper",), ("top-6",))
enter(
    "figure-5",
    "Figure 5: levels against the piece differential",
    ("paper",),
    (*_LEVELS, "discs-8"),
)
enter(
    "figure-6",
    "Figure 6: levels against Iago's positions",
    ("paper",),
    ("iago-novice", "iago-intermediate", "iago-master"),
)
