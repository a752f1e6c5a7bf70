"""The configuration of value networks, and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outflank.data.encodings import find_encoding
from outflank.data.years import parse_years
from outflank.errors import DataError
from outflank.learn.settings import (
    Preset,
    Settings,
    check_choices,
    check_limits,
    explained,
    find_preset,
)
from outflank.learn.value.sets import parse_sets

CONVOLUTIONAL, PATTERNS = "convolutional", "patterns"

_SEED = (1 << 63) - 1
_LIMITS: dict[str, tuple[float, float]] = {
    "states": (0, 1 << 40), "held_out": (0, 0.9), "split_seed": (0, _SEED), "seed": (0, _SEED),
    "conv_layers": (0, 16), "maps": (1, 1024), "dense_layers": (0, 16), "nodes": (1, 1 << 16),
    "conv_dropout": (0, 0.95), "dense_dropout": (0, 0.95), "max_norm": (0, 1e6),
    "epochs": (1e-3, 1e6), "patience": (0, 1e6), "batch": (1, 1 << 20), "learning_rate": (0, 1e3),
    "momentum": (0, 1), "decay": (0, 1e3), "threads": (0, 1024), "evaluate_states": (1, 1 << 40),
    "hidden": (1, 256), "td_lambda": (0, 1), "score_weight": (0, 100), "perfect_weight": (0, 100),
    "pattern_dropout": (0, 0.9),
}  # fmt: skip


@dataclass(frozen=True)
class ValueConfig(Settings):
    """What a value network is shown, what it is like, and how it learns.

    The defaults are network 13 of Ng (2017).
    """

    network: str = explained(
        CONVOLUTIONAL, "convolutional (Ng's), or patterns (ours: more accurate and far faster)"
    )
    features: str = explained(
        "raw+corner+freemove",
        "planes, joined by +: raw, border, corner, corner-10, freemove, replies, stable, "
        "frontier, gaps",
    )
    years: str = explained("1977-2015", "of the games; empty: all")
    sets: str = explained("1", "of states, one of each game: 1, 1-7; a set has its number as seed")
    states: int = explained(0, "train on this many states, chosen at random; 0: all")
    rotate: bool = explained(True, "turn boards so that black's first move was c4")
    held_out: float = explained(0.2, "share of the states held out, to know when to stop")
    split: str = explained("state", "what is held out: single states, or all those of a game")
    split_seed: int = explained(1, "seed of that choice")
    seed: int = explained(1, "seed of initial weights, order and dropout")
    start: str = explained("", "network to start from; empty: random weights")
    games: str = explained("", "file of games to learn from instead of WThor's; empty: WThor's")

    conv_layers: int = explained(2, "convolutional layers of 3 x 3")
    maps: int = explained(32, "feature maps of each")
    dense_layers: int = explained(4, "fully connected layers before the one of 64 units")
    nodes: int = explained(512, "units of each")
    conv_dropout: float = explained(0.3, "share of units dropped after a convolution")
    dense_dropout: float = explained(0.3, "share of units dropped after a fully connected layer")
    max_norm: float = explained(2.0, "greatest norm of the weights into a unit; 0: no limit")

    # Of the network of patterns alone.
    channels: int = explained(32, "of a pattern's vector: 16, 32 or 64")
    hidden: int = explained(32, "units of the layer behind the sums, for each stage")
    pattern_dropout: float = explained(0.0, "share of the patterns left out of each position")
    score_weight: float = explained(0.0, "of the error of the final score, a second output")
    perfect_weight: float = explained(
        0.0, "of the error of the score under perfect play that WThor records, a third output"
    )
    td_lambda: float = explained(
        1.0, "of TD(lambda): after the first pass, 1 - lambda of a target is the next value"
    )

    epochs: float = explained(500.0, "most passes over the states")
    patience: int = explained(
        5, "epochs without a lower held-out error after which to stop; 0: all"
    )
    batch: int = explained(5, "states in a step")
    learning_rate: float = explained(0.001, "of the first step")
    momentum: float = explained(0.9, "of stochastic gradient descent; the first beta of Adam")
    decay: float | None = explained(
        None, "the learning rate of step n is divided by 1 + decay * n; none: rate / epochs"
    )
    evaluate_states: int = explained(100_000, "measure on at most this many held-out states")
    threads: int = explained(1, "on the processor; 0: all cores")

    def __post_init__(self) -> None:
        check_choices(self, {"network": (CONVOLUTIONAL, PATTERNS), "split": ("state", "game")})
        check_limits(self, _LIMITS)
        if self.channels not in (16, 32, 64):
            raise DataError(f"channels: {self.channels}; accepted is 16, 32, 64")
        parse_sets(self.sets)
        if self.years:
            parse_years(self.years)
        find_encoding(self.features)

    @property
    def rate_decay(self) -> float:
        """The decay of the learning rate; Ng's if none is given."""
        return self.decay if self.decay is not None else self.learning_rate / self.epochs


_FINAL: dict[str, Any] = {"held_out": 0.1}
_FAST: dict[str, Any] = {
    "network": PATTERNS, "years": "1977-2018", "split": "game", "held_out": 0.02, "batch": 4096,
    "epochs": 5.0, "patience": 0, "learning_rate": 0.002, "td_lambda": 0.85, "score_weight": 0.1,
    "perfect_weight": 0.1,
}  # fmt: skip

# Each lists its differences from the defaults.
PRESETS = {
    "paper": Preset("network 13 of Ng (2017): 2 convolutions, 4 x 512 units; an hour or two"),
    "paper-border": Preset("the same, shown the border instead of corners and moves", {
        "features": "raw+border"}),
    "paper-corner": Preset("the same, shown corners and border, not the moves", {
        "features": "raw+corner"}),
    "paper-raw": Preset("the same, shown the discs alone", {"features": "raw"}),
    "paper-whole": Preset("final_network1: a tenth of set 1 held out, not a fifth", _FINAL),
    "paper-all": Preset("final_network2: learns from sets 1 to 7; many hours", {
        **_FINAL, "sets": "1-7"}),
    "paper-corner-10": Preset("final_network3: corners count 10 instead of 4", {
        **_FINAL, "features": "raw+corner-10+freemove"}),
    "fast": Preset(
        "value-fast: a small network over patterns, all positions to 2018; half an hour", _FAST
    ),
    "fast-smoke": Preset(
        "the same, tiny, to check that everything works; seconds",
        {**_FAST, "years": "", "states": 20_000, "channels": 16, "hidden": 8, "batch": 256,
         "epochs": 2.0},
    ),
    "smoke": Preset(
        "a tiny convolutional network, to check that everything works; seconds",
        {"years": "", "states": 2000, "maps": 8, "nodes": 32, "dense_layers": 1, "batch": 50,
         "learning_rate": 0.01, "epochs": 2.0, "patience": 0},
    ),
}  # fmt: skip


def preset(name: str) -> ValueConfig:
    """Return the configuration of a preset."""
    return find_preset(PRESETS, name, ValueConfig)
