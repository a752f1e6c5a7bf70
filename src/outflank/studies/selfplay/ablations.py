"""What each ingredient of our agent brings: short trainings of equal processor time."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from outflank.arena.ratings import Rating
from outflank.learn.selfplay import SelfPlayConfig
from outflank.learn.selfplay.anchors import Anchors
from outflank.models import load_network
from outflank.studies.estimate import Estimate, margin_of_means
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Plot, Row
from outflank.studies.workbench import LearnedRun, Workbench

BASE = "none of these"
# What all trainings of the study share: enough for a network to begin to play within minutes.
_SHORT = (
    "games=500", "simulations=32", "last_simulations=32", "solve_at=10", "random_plies=8",
    "window=3000", "last_learning_rate=0.002", "evaluate_games=0", "generations=100000",
)  # fmt: skip
VARIANTS: dict[str, tuple[str, ...]] = {
    BASE: (),
    "no solver": ("solve_at=0",),
    "the solver's moves are learned": ("teach_endings=yes",),
    "leaves are solved": ("solve_leaves=8",),
    "no random first moves": ("random_plies=0",),
    "up to 14 random first moves": ("random_plies=14",),
    "uneven openings": ("uneven_share=0.5",),
    "openings before a wipe-out": ("wiped_share=0.2",),
    "16 simulations": ("simulations=16", "last_simulations=16"),
    "100 simulations": ("simulations=100", "last_simulations=100"),
    "Gumbel root": ("gumbel_moves=8",),
    "Gumbel root, 16 simulations": ("gumbel_moves=8", "simulations=16", "last_simulations=16"),
    "playout-cap randomisation": ("full_share=0.25", "fast_simulations=12", "simulations=96",
                                  "last_simulations=96"),
    "forced playouts": ("forced_playouts=2",),
    "weighted by surprise": ("surprise=0.5",),
    "the tree is not kept": ("reuse=no",),
    "outcome alone as value": ("value_mix=0",),
    "half of the value by search": ("value_mix=0.5",),
    "graded outcomes": ("graded=0.25",),
    "mean weights play": ("average=0.75",),
    "two blocks, two layers": ("blocks=2", "layers=2"),
    "64 channels": ("channels=64",),
    "one pass": ("passes=1",),
    "four passes": ("passes=4",),
}  # fmt: skip
# What the preset `laptop` is made of, and what was proposed for it by Wu (2019) and by
# Danihelka et al. (2022).
IMPORTANT = (
    BASE, "no solver", "the solver's moves are learned", "no random first moves",
    "uneven openings", "openings before a wipe-out", "100 simulations", "Gumbel root",
    "playout-cap randomisation", "weighted by surprise", "the tree is not kept",
    "outcome alone as value", "graded outcomes", "two blocks, two layers",
)  # fmt: skip


@dataclass(frozen=True)
class AblationConfig:
    """Variants, how often and how long each learns, and the games that measure it.

    Attributes:
        variants: Names of VARIANTS.
        cpu_minutes: Processor time of a training.
        seeds: Trainings of each variant.
        games: Against each of the nine anchors.
        settings: Further changes of all variants.
    """

    variants: tuple[str, ...]
    cpu_minutes: float
    seeds: int
    games: int
    settings: tuple[str, ...] = ()


@study(
    "selfplay-ablations",
    paper=3,
    title="What each ingredient brings in the same processor time",
    scales={
        "smoke": AblationConfig(
            tuple(VARIANTS)[:3], 0.001, 2, 2,
            ("games=6", "simulations=2", "last_simulations=2", "channels=16", "threads=1"),
        ),
        "laptop": AblationConfig(IMPORTANT, 2.5, 2, 40, ("threads=1",)),
        "paper": AblationConfig(tuple(VARIANTS), 120.0, 5, 200),
    },
)  # fmt: skip
def ablations(config: AblationConfig, bench: Workbench) -> Findings:
    """Train every variant from nothing, several times, and rate what comes out."""
    bench.note(
        f"Each variant learns {config.seeds} times from nothing, for {config.cpu_minutes:g} "
        "minutes of processor time. Elo by matches with nine fixed opponents at "
        f"{_config(config, BASE, 1).evaluate_simulations} simulations. Intervals are of the mean "
        "over trainings; their spread is taken as the same for all variants."
    )
    bench.note(
        "Such short trainings show what speeds up the beginning. What pays in the long run may "
        "differ: more simulations, for one."
    )
    # Every variant learns once before any learns again: what else the machine does, which changes
    # how much a minute of its time is worth, then falls on all alike.
    learned: dict[str, list[LearnedRun]] = {variant: [] for variant in config.variants}
    for seed in range(1, config.seeds + 1):
        for variant, runs in learned.items():
            runs.append(bench.learn("selfplay", _config(config, variant, seed)))
    elo = {
        variant: [_rating(config, run, bench).elo for run in runs]
        for variant, runs in learned.items()
    }
    margin = margin_of_means(list(elo.values()))
    rows = []
    for variant, values in elo.items():
        mean, base = statistics.fmean(values), statistics.fmean(elo[BASE])
        gain = None
        if variant != BASE:
            wide = margin * math.sqrt(2)
            gain = Estimate(mean - base, mean - base - wide, mean - base + wide, len(values))
        games = statistics.fmean(run.metrics[-1]["games"] for run in learned[variant])
        figures = {
            "elo": Estimate(mean, mean - margin, mean + margin, len(values)),
            "gain": gain,
            "games": games,
        }
        facts = {"settings": list(VARIANTS[variant]), "elo": values}
        rows.append(Row.of(variant, figures, facts=facts))
    columns = (
        Column("elo", "Elo", "", 0),
        Column("gain", "gain", "Elo", 0),
        Column("games", "games", "", 0),
    )
    bars = {row.label: [row.values["gain"], *row.intervals["gain"]] for row in rows[1:]}
    return Findings(columns, tuple(rows), plot=Plot("bars", {"unit": "Elo", "bars": bars}))


def _config(config: AblationConfig, variant: str, seed: int) -> SelfPlayConfig:
    hours = config.cpu_minutes / 60
    return SelfPlayConfig().with_settings(
        [*_SHORT, *VARIANTS[variant], *config.settings, f"cpu_hours={hours}", f"seed={seed}"]
    )


def _rating(config: AblationConfig, run: LearnedRun, bench: Workbench) -> Rating:
    """Rate the network that a run ended with."""
    settings = SelfPlayConfig.from_json(run.config.to_json()).with_settings(
        [f"evaluate_games={config.games}", "seed=1"]
    )
    network = load_network(str(run.folder))

    def find() -> dict[str, float]:
        bench.listener.began(f"{run.folder.name}: matches with the anchors", 0)
        rating = Anchors(settings).rate(network, 0)[1]
        return {"elo": rating.elo, "low": rating.low, "high": rating.high}

    found = bench.kept(find, network.fingerprint, "anchors", config.games)
    return Rating(found["elo"], found["low"], found["high"])
