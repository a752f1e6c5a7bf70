"""All that decides how the weights of patterns are found, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from outflank.errors import DataError
from outflank.learn.patterns.temporal_difference import TemporalDifferenceConfig
from outflank.learn.settings import Preset, Settings, check_limits, explained, find_preset

_SEED = (1 << 63) - 1
_LIMITS: dict[str, tuple[float, float]] = {
    "held_out": (0, 0.9), "split_seed": (0, _SEED), "passes": (1, 1e6),
    "learning_rate": (0, 1e3), "prior": (0, 1e6), "rounds": (0, 1e9), "games": (1, 1 << 24),
    "depth": (1, 12), "batches": (1, 1e6), "td_lambda": (0, 1), "epsilon": (0, 1),
    "least_opening": (0, 60), "most_opening": (0, 60), "experts": (0, 1),
    "round_learning_rate": (0, 1e3), "round_prior": (0, 1e6), "seed": (0, _SEED),
    "threads": (0, 1024), "measure_every": (1, 1e9), "checkpoint_every": (1, 1e9),
}  # fmt: skip


@dataclass(frozen=True)
class PatternsConfig(Settings):
    """From what the weights are learned, and how. The first step fits them, each other is a round.

    The names trace and slip are those of files written before version 0.2.
    """

    ALIASES: ClassVar[Mapping[str, str]] = {"trace": "td_lambda", "slip": "epsilon"}

    years: str = explained("", "of the games, such as 1977-2015; empty: all there are")
    held_out: float = explained(0.02, "share of the games kept back to measure with")
    split_seed: int = explained(1, "of which games are held out")
    passes: int = explained(60, "over all positions, to fit the weights to the games' scores")
    learning_rate: float = explained(
        2.0, "of the fit, relative to what would suit patterns that do not overlap"
    )
    prior: float = explained(8.0, "a weight seen this often moves half as far as one seen always")

    rounds: int = explained(0, "of games against itself that follow the fit")
    games: int = explained(10_000, "in a round, played together")
    depth: int = explained(1, "of the search that plays them")
    batches: int = explained(4, "learning steps in a round")
    td_lambda: float = explained(
        0.5, "how far an outcome reaches back: 0 to the position before, 1 to all (TD's lambda)"
    )
    epsilon: float = explained(0.05, "share of random moves")
    least_opening: int = explained(2, "random moves that a game begins with, at least")
    most_opening: int = explained(12, "and at most")
    experts: float = explained(0.3, "share of games that begin in an expert's position instead")
    round_learning_rate: float = explained(2.0, "of the first round; it falls to zero")
    round_prior: float = explained(1.0, "as `prior`, in the rounds")

    seed: int = explained(1, "of all chance in the rounds")
    threads: int = explained(0, "on the processor; 0: all cores")
    measure_every: int = explained(10, "steps from one measurement to the next")
    checkpoint_every: int = explained(10, "steps from one checkpoint to the next")

    def __post_init__(self) -> None:
        check_limits(self, _LIMITS)
        if self.least_opening > self.most_opening:
            raise DataError(
                f"least_opening: {self.least_opening}; accepted is at most most_opening, "
                f"{self.most_opening}"
            )

    @property
    def temporal_difference(self) -> TemporalDifferenceConfig:
        """How the rounds are played and learned from."""
        return TemporalDifferenceConfig(
            rounds=self.rounds,
            games=self.games,
            depth=self.depth,
            batches=self.batches,
            td_lambda=self.td_lambda,
            epsilon=self.epsilon,
            opening=(self.least_opening, self.most_opening),
            experts=self.experts,
            learning_rate=self.round_learning_rate,
            prior=self.round_prior,
            seed=self.seed,
            threads=self.threads,
        )


PRESETS = {
    "experts": Preset("fitted to the scores of experts' games; a minute"),
    "self-play": Preset(
        "fitted, then 200 rounds of 10,000 games against itself; minutes", {"rounds": 200}
    ),
    "shipped": Preset(
        "as the shipped evaluation was made: self-play after the games of 1977 to 2015; minutes",
        {"rounds": 200, "years": "1977-2015"},
    ),
    "smoke": Preset(
        "a few passes and tiny rounds, to see that everything works; seconds",
        {"passes": 4, "rounds": 6, "games": 200, "measure_every": 1, "checkpoint_every": 2},
    ),
}


def preset(name: str) -> PatternsConfig:
    """Return the configuration of a preset."""
    return find_preset(PRESETS, name, PatternsConfig)
