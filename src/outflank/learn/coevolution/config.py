"""The configuration of coevolution: everything that decides how networks evolve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from outflank.errors import DataError
from outflank.evaluations import evaluation
from outflank.evaluations.evolved import SHAPES, weights_of
from outflank.learn.coevolution.symmetry import tied_weights
from outflank.learn.settings import (
    Preset,
    Settings,
    check_choices,
    check_limits,
    explained,
    find_preset,
)

Drawn = NDArray[np.float64]

VARIATIONS = ("each", "single", "fixed", "cauchy", "mean", "better", "differential", "strategy")
_CHOICES = {"shape": SHAPES, "variation": VARIATIONS}
_LIMITS: dict[str, tuple[float, float]] = {
    "population": (4, 10_000), "generations": (0, 1e9), "opponents": (1, 9_999),
    "depth": (1, 12), "most_passes": (1, 60), "window": (1, 34), "opening": (0, 40),
    "piece_weight": (0, 1e3),
    "first_weights": (0, 1e3), "sigma": (0, 1e3), "scale": (0, 1e3), "learning_rate": (0, 1e3),
    "averaging": (0, 0.9999),
    "win": (-1e6, 1e6), "draw": (-1e6, 1e6), "loss": (-1e6, 1e6),
    "observe_every": (1, 1e9), "checkpoint_every": (1, 1e9), "archive_every": (1, 1e9),
    "deepest": (0, 10), "top_depth": (1, 10),
}  # fmt: skip


@dataclass(frozen=True)
class CoevolutionConfig(Settings):
    """How networks vary, meet and survive. The defaults are those of Chong et al. (2005)."""

    ALIASES: ClassVar[Mapping[str, str]] = {"step": "sigma", "rate": "learning_rate"}

    shape: str = explained(
        "spatial",
        "of the networks: spatial (91-40-10-1), flat (40-10-1), only (91-1), filter (91-64), "
        "hybrid (a spatial one and a filter)",
    )
    piece_weight: float = explained(
        1 / 64, "what each disc of difference adds to the output's sum; the paper does not say"
    )
    symmetric: bool = explained(
        False, "weights that the board's symmetries map onto each other are one; not in the paper"
    )
    depth: int = explained(2, "plies of the minimax search, for both sides")
    window: int = explained(3, "moves that a filter leaves at each node")
    leaves: str = explained("discs", "evaluation at the leaves of a filtered search")
    opening: int = explained(
        0, "random moves with which each game between networks begins; the paper has none"
    )
    most_passes: int = explained(10, "number of passes after which a game ends")

    population: int = explained(20, "networks in a generation, half of them parents")
    opponents: int = explained(5, "others that each network meets as black, drawn at random")
    both_colours: bool = explained(
        False, "it meets the same opponents as white, too; not in the paper"
    )
    balanced: bool = explained(
        False,
        "it is white as often as black, and in each round all games begin with the same moves; in "
        "the paper chance decides how many games it plays, and so how many points it can get",
    )
    win: float = explained(5.0, "points for a won game")
    draw: float = explained(1.0, "points for a drawn one")
    loss: float = explained(0.0, "points for a lost one")
    keep_best: bool = explained(
        False, "the best of a round robin takes the last parent's place (Fig. 13)"
    )

    variation: str = explained(
        "each",
        "of offspring: each (a step size for every weight), single (one for all), fixed, "
        "cauchy, mean (of Gauss and Cauchy), better (of two, one of each), differential; "
        "strategy (OpenAI's evolution strategy, in the place of parents and children)",
    )
    first_weights: float = explained(0.2, "weights start within plus or minus this")
    sigma: float = explained(0.05, "step size of mutation, at the start")
    scale: float = explained(0.5, "of differences between parents (differential)")
    learning_rate: float = explained(
        0.02, "at which the mean follows the better samples (strategy)"
    )

    averaging: float = explained(
        0.0, "share of the mean's past in the network that plays; 0: the mean itself (strategy)"
    )

    generations: int = explained(1000, "length of the run")
    seed: int = explained(1, "seed of all randomness")
    observe_every: int = explained(1, "generations between measurements of the parents")
    deepest: int = explained(
        6, "observers search 2, 4, 6, ... plies up to this depth; 0: no observers"
    )
    observers: str = explained("discs,iago-positional", "evaluations of the observers")
    all_depths: bool = explained(
        False, "parents meet observers at all depths, not only until they fail at one"
    )
    top_depth: int = explained(6, "depth of the `discs` player that the first parent meets")
    checkpoint_every: int = explained(25, "generations between checkpoints")
    archive_every: int = explained(10, "generations between archived sets of parents")

    def __post_init__(self) -> None:
        check_choices(self, _CHOICES)
        check_limits(self, _LIMITS)
        if self.population % 2:
            raise DataError(f"population: {self.population}; accepted is an even number")
        if self.opponents >= self.population:
            raise DataError(
                f"opponents: {self.opponents}; accepted is less than the population, "
                f"{self.population}"
            )
        if self.variation == "strategy" and not self.sigma:
            raise DataError("sigma: 0; a strategy learns from networks that differ from its mean")
        if self.variation == "strategy" and self.keep_best:
            raise DataError("keep_best: a strategy has no parents that could be kept")
        if self.variation != "strategy" and self.averaging:
            raise DataError("averaging: only a strategy has a mean (variation=strategy)")
        for name in (self.leaves, *self.observed):
            evaluation(name)  # a wrong name should fail now

    @property
    def parents(self) -> int:
        """How many survive a generation."""
        return self.population // 2

    @property
    def weights(self) -> int:
        """How many weights a network has."""
        return weights_of(self.shape)

    @property
    def free(self) -> int:
        """How many of them vary independently."""
        return int(tied_weights(self.shape).max()) + 1 if self.symmetric else self.weights

    def spread(self, drawn: Drawn) -> Drawn:
        """Return numbers for all weights, given some for the free ones."""
        return drawn[..., tied_weights(self.shape)] if self.symmetric else drawn

    @property
    def tau(self) -> float:
        """The learning rate of the step sizes themselves: 1 / sqrt(2 sqrt(n)) for n weights."""
        return 1 / math.sqrt(2 * math.sqrt(self.free))

    @property
    def observed(self) -> tuple[str, ...]:
        """The observers' evaluations."""
        return tuple(name.strip() for name in self.observers.split(",") if name.strip())

    @property
    def observer_depths(self) -> tuple[int, ...]:
        """The depths at which an observer plays, shallowest first."""
        return tuple(range(2, self.deepest + 1, 2))


def _filter(text: str, **changes: Any) -> Preset:
    return Preset(
        f"section IV-E: networks that filter moves; {text}", {"shape": "filter", **changes}
    )


# Named after the figures of Chong et al. (2005). A thousand generations take minutes.
PRESETS = {
    "paper": Preset("as in the paper (Figs. 3 to 6); minutes"),
    "fig-9": Preset("Fig. 9: a population of 30", {"population": 30}),
    "fig-10": Preset("Fig. 10: no spatial layer", {"shape": "flat"}),
    "fig-11": Preset("Fig. 11: only the spatial layer", {"shape": "only"}),
    "fig-12": Preset("Fig. 12: one step size for all weights", {"variation": "single"}),
    "fixed": Preset("Fig. 12: a fixed step size", {"variation": "fixed"}),
    "fixed-small": Preset(
        "Fig. 12: a small fixed step size", {"variation": "fixed", "sigma": 0.01}
    ),
    "fig-13": Preset("Fig. 13: the best network is kept", {"keep_best": True}),
    "fig-14": Preset("Fig. 14: 15 opponents instead of five", {"opponents": 15}),
    "filter": _filter("a population of 20"),
    "filter-30": _filter("a population of 30", population=30),
    "filter-40": _filter("a population of 40", population=40),
    "filter-50": _filter("a population of 50", population=50),
    "filter-cauchy": _filter("Cauchy's mutation", variation="cauchy"),
    "filter-mean": _filter("the mean of Gauss's and Cauchy's mutation", variation="mean"),
    "filter-better": _filter("the better child of Gauss and Cauchy", variation="better"),
    "filter-differential": _filter("differential evolution", variation="differential"),
    "paper-repaired": Preset(
        "the paper's evolution, changed as little as makes networks stronger; minutes",
        {
            "population": 100, "opponents": 10, "opening": 6, "balanced": True, "symmetric": True,
            "variation": "fixed", "sigma": 0.005, "generations": 600, "observe_every": 10,
        },
    ),
    "hybrid": Preset(
        "beyond the paper: one network evaluates what another leaves, twice as deep",
        {"shape": "hybrid", "depth": 4},
    ),
    "strategy": Preset(
        "beyond the paper: an evolution strategy, with as many games in a generation",
        {"variation": "strategy"},
    ),
    "symmetric": Preset(
        "beyond the paper: its evolution, of networks that are symmetric by their weights",
        {"symmetric": True},
    ),
    "symmetric-strategy": Preset(
        "beyond the paper: both of these together", {"variation": "strategy", "symmetric": True}
    ),
    "evolved": Preset(
        "as the shipped players evolved: a large symmetric strategy, random openings; minutes",
        {
            "variation": "strategy", "symmetric": True, "population": 200, "opening": 6,
            "averaging": 0.95, "learning_rate": 0.01, "generations": 300, "observe_every": 10,
            "deepest": 8, "archive_every": 5,
        },
    ),
    "smoke": Preset(
        "a tiny population, to check that everything works; seconds",
        {
            "population": 8, "opponents": 3, "generations": 20, "deepest": 4, "top_depth": 4,
            "checkpoint_every": 5, "archive_every": 5,
        },
    ),
}  # fmt: skip


def preset(name: str) -> CoevolutionConfig:
    """Return the configuration of a preset."""
    return find_preset(PRESETS, name, CoevolutionConfig)
