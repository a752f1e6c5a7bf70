"""The configuration of the patterns learner."""

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
    """How the weights are learned. The first step fits them to games; each further step is a round.

    Files written before version 0.2 have the names trace and slip.
    """

    ALIASES: ClassVar[Mapping[str, str]] = {"trace": "td_lambda", "slip": "epsilon"}

    years: str = explained("", "of the games, such as 1977-2015; empty: all")
    held_out: float = explained(0.02, "share of the games held out to measure with")
    split_seed: int = explained(1, "seed of the choice of held-out games")
    passes: int = explained(
        60, "passes over all positions when the weights are fitted to the scores"
    )
    learning_rate: float = explained(
        2.0, "of the fit, relative to what would suit patterns that do not overlap"
    )
    prior: float = explained(8.0, "a weight seen this often moves half as far as a frequent one")

    rounds: int = explained(0, "rounds of self-play after the fit")
    games: int = explained(10_000, "games in a round, played in lockstep")
    depth: int = explained(1, "search depth in these games")
    batches: int = explained(4, "learning steps in a round")
    td_lambda: float = explained(
        0.5, "lambda of TD(lambda): 0 learns from the next position alone, 1 from the final score"
    )
    epsilon: float = explained(0.05, "share of random moves")
    least_opening: int = explained(2, "fewest random moves that a game begins with")
    most_opening: int = explained(12, "most random moves that a game begins with")
    experts: float = explained(0.3, "share of games that begin in an expert's position instead")
    round_learning_rate: float = explained(2.0, "in the first round; it falls to zero")
    round_prior: float = explained(1.0, "like `prior`, in the rounds")

    seed: int = explained(1, "seed of all randomness in the rounds")
    threads: int = explained(0, "threads; 0: all cores")
    measure_every: int = explained(10, "steps between measurements")
    checkpoint_every: int = explained(10, "steps between checkpoints")

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
    "experts": Preset("fitted to the scores of expert games; a minute"),
    "self-play": Preset(
        "fitted, then 200 rounds of 10,000 games of self-play; minutes", {"rounds": 200}
    ),
    "shipped": Preset(
        "as the shipped evaluation was made: self-play after the games of 1977 to 2015; minutes",
        {"rounds": 200, "years": "1977-2015"},
    ),
    "smoke": Preset(
        "a few passes and tiny rounds, to check that everything works; seconds",
        {"passes": 4, "rounds": 6, "games": 200, "measure_every": 1, "checkpoint_every": 2},
    ),
}


def preset(name: str) -> PatternsConfig:
    """Return the configuration of a preset."""
    return find_preset(PRESETS, name, PatternsConfig)
