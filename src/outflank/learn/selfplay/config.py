"""The configuration of self-play, and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outflank.errors import DataError
from outflank.learn.settings import (
    Preset,
    Settings,
    check_choices,
    check_limits,
    explained,
    find_preset,
)

LINES = ("line", "line-0ply")  # networks that the core trains
CONVOLUTIONAL = "convolutional"  # Fu and Xu's, which PyTorch trains

_LIMITS: dict[str, tuple[float, float]] = {
    "generations": (1, 1e6), "games": (1, 1e6), "cpu_hours": (0, 1e6), "simulations": (1, 1e5),
    "last_simulations": (0, 1e5), "rise": (1, 1e6), "fast_simulations": (0, 1e5),
    "full_share": (0, 1), "exploration": (0, 100), "first_play_reduction": (0, 2),
    "noise_alpha": (1e-3, 100), "noise_share": (0, 1), "temperature": (0, 100),
    "temperature_plies": (0, 60), "late_temperature": (0, 100), "random_plies": (0, 40),
    "uneven_share": (0, 1), "uneven_plies": (0, 50), "wiped_share": (0, 1),
    "solve_at": (0, 24), "solve_leaves": (0, 16), "forced_playouts": (0, 100),
    "gumbel_moves": (0, 64), "value_mix": (0, 1), "graded": (0, 1), "surprise": (0, 1),
    "window": (1, 1e8), "window_growth": (0, 1), "most_games": (1, 1e8), "passes": (1e-3, 1e3),
    "batch": (1, 1 << 16), "learning_rate": (0, 10), "last_learning_rate": (0, 10),
    "value_weight": (0, 1e3), "l2": (0, 10), "dropout": (0, 0.9),  "channels": (16, 256),
    "blocks": (0, 32), "layers": (0, 16), "hidden": (16, 1024),
    "maps": (1, 4096), "units": (2, 1 << 16), "line_rate": (0, 1e3), "move_rate": (0, 1e3),
    "average": (0, 0.9999), "evaluate_every": (1, 1e6), "evaluate_games": (0, 1e4),
    "evaluate_simulations": (1, 1e5), "evaluate_plies": (0, 60), "threads": (0, 1024),
}  # fmt: skip


@dataclass(frozen=True)
class SelfPlayConfig(Settings):
    """How an agent plays itself and learns from it. Plies are counted by discs: 60 - empties."""

    seed: int = explained(1, "of all chance: weights, games, order of learning")
    generations: int = explained(400, "of games with fixed weights, each followed by learning")
    games: int = explained(1000, "played in a generation")
    cpu_hours: float = explained(
        0.0, "of this process's time on all cores, after which training ends early; 0: no limit"
    )

    # The search.
    simulations: int = explained(32, "of a full search, in the first generation")
    last_simulations: int = explained(0, "of a full search, once the number has risen; 0: as first")
    rise: int = explained(100, "generations in which the number of simulations rises, evenly")
    fast_simulations: int = explained(0, "of the other searches (playout-cap randomisation)")
    full_share: float = explained(1.0, "of the searches that are full; only these teach a policy")
    exploration: float = explained(1.5, "c of PUCT")
    first_play: str = explained("mean", "value of a move not yet tried: mean (of the node) or zero")
    first_play_reduction: float = explained(0.1, "how far below that mean")
    noise_alpha: float = explained(0.3, "of the Dirichlet noise on the root's legal moves")
    noise_share: float = explained(0.25, "of that noise in the root's policy; 0: none")
    forced_playouts: float = explained(0.0, "k of forced playouts, pruned from targets; 0: none")
    gumbel_moves: int = explained(0, "moves that a Gumbel root considers; 0: plain PUCT root")
    reuse: bool = explained(True, "keep the subtree of the move that was played")

    # The games.
    temperature: float = explained(1.0, "of the choice among visit counts, early in a game")
    temperature_plies: int = explained(14, "plies for which that temperature holds")
    late_temperature: float = explained(0.35, "afterwards; 0: the most visited move")
    random_plies: int = explained(8, "most random moves that a game begins with; 0: none")
    uneven_share: float = explained(
        0.0, "of games that begin with one side flipping many discs and the other few"
    )
    uneven_plies: int = explained(28, "most moves of such a beginning")
    wiped_share: float = explained(
        0.0, "of games that begin shortly before such moves take a side's last disc"
    )
    solve_at: int = explained(0, "empty squares at which the exact solver ends a game; 0: never")
    teach_endings: bool = explained(False, "learn the solver's own moves after that, too")
    solve_leaves: int = explained(0, "empty squares at which leaves are solved; 0: never")
    wipe_outs: bool = explained(
        False, "a leaf is won if its mover can take the opponent's last disc"
    )

    # What is learned from them.
    value_mix: float = explained(0.2, "share of the search's value in the value target")
    graded: float = explained(0.0, "share of the disc difference in the outcome; 0: who won")
    surprise: float = explained(0.0, "share of a position's weight that grows with surprise")

    # The replay buffer.
    window: int = explained(4000, "games that are learned from, at first")
    window_growth: float = explained(0.5, "the window grows to this share of all games so far")
    most_games: int = explained(60_000, "greatest window, in games")

    # Learning.
    network: str = explained(
        "line", "line; line-0ply, which looks at no board but the given; or convolutional"
    )
    channels: int = explained(32, "of a line network")
    blocks: int = explained(1, "of a line network")
    layers: int = explained(1, "on the moves, of a line network")
    hidden: int = explained(64, "width of these layers")
    maps: int = explained(512, "of each of the four layers of a convolutional network")
    units: int = explained(1024, "of its first dense layer; the second has half as many")
    start: str = explained("", "a network to begin with, by name or file; empty: from nothing")
    passes: float = explained(
        2.0, "times that a new position, or each mirror image of it, is learned from, on average"
    )
    batch: int = explained(512, "positions in a step")
    learning_rate: float = explained(2e-3, "at first")
    last_learning_rate: float = explained(3e-4, "at the end; it falls by a constant factor")
    value_weight: float = explained(1.0, "of the value's squared error beside the cross-entropy")
    l2: float = explained(0.01, "decay of dense weights")
    dropout: float = explained(0.0, "of tables' rows, or of a convolutional network's dense units")
    line_rate: float = explained(10.0, "learning rate of lines' tables, as a multiple")
    move_rate: float = explained(2.0, "learning rate of moves' tables, as a multiple")
    average: float = explained(0.0, "decay, per generation, of the mean weights that play; 0: off")

    # Measuring.
    evaluate_every: int = explained(10, "generations between matches with the anchors")
    evaluate_games: int = explained(40, "games against each anchor")
    evaluate_simulations: int = explained(100, "of the agent in these games")
    evaluate_plies: int = explained(0, "plies of these games in which the agent draws its moves")
    threads: int = explained(0, "of this process; 0: all cores")

    def __post_init__(self) -> None:
        check_limits(self, _LIMITS)
        check_choices(self, {"network": (*LINES, CONVOLUTIONAL), "first_play": ("mean", "zero")})
        if self.full_share < 1 and not self.fast_simulations:
            raise DataError("full_share: needs fast_simulations for the other searches")
        if self.full_share == 0:
            raise DataError("full_share: 0 leaves no search that teaches a policy")
        if self.network == CONVOLUTIONAL and self.batch < 2:
            raise DataError("batch: a convolutional network is normalised over 2 positions or more")
        if self.teach_endings and not self.solve_at:
            raise DataError("teach_endings: needs solve_at, where the solver takes over")

    def simulations_in(self, generation: int) -> int:
        """Return the simulations of a full search in a generation, from 0."""
        last = self.last_simulations or self.simulations
        share = min(1.0, generation / self.rise)
        return round(self.simulations + (last - self.simulations) * share)

    def games_in_window(self, games: int) -> int:
        """Return the size of the window, in games, once `games` have been played."""
        return min(self.most_games, max(self.window, round(self.window_growth * games)))

    def learning_rate_in(self, generation: int) -> float:
        """Return the learning rate in a generation, from 0."""
        share = generation / max(1, self.generations - 1)
        ratio = self.last_learning_rate / self.learning_rate if self.learning_rate else 1.0
        return float(self.learning_rate * ratio**share)


def playing_options(config: SelfPlayConfig) -> dict[str, Any]:
    """Return the options of `mcts` with which the agent of a configuration plays others."""
    options: dict[str, Any] = {"sims": config.evaluate_simulations}
    if config.evaluate_plies:
        options |= {"temperature": config.temperature, "temperature_plies": config.evaluate_plies}
    if config.network == CONVOLUTIONAL:  # Fu and Xu search alike in both
        options |= {"c": config.exploration, "first_play": config.first_play, "wipe_outs": False}
    return options


def playing_words(config: SelfPlayConfig) -> dict[str, str]:
    """Return these options as words of a spec."""
    words = {True: "yes", False: "no"}
    return {
        name: words[value] if isinstance(value, bool) else str(value)
        for name, value in playing_options(config).items()
    }


PRESETS = {
    "paper": Preset(
        "the agent of Fu and Xu (2017): their network and settings; days",
        {
            "generations": 2000,
            "games": 5,
            "simulations": 100,
            "exploration": 1.0,
            "first_play": "zero",
            "noise_share": 0.0,
            "temperature_plies": 5,
            "late_temperature": 0.0,
            "random_plies": 0,
            "value_mix": 0.0,
            "window": 10_000,
            "window_growth": 0.0,
            "most_games": 10_000,
            "network": CONVOLUTIONAL,
            "passes": 1.0,
            "batch": 64,
            "learning_rate": 1e-3,
            "last_learning_rate": 1e-3,
            "l2": 0.0,
            "dropout": 0.3,
            "evaluate_plies": 5,
        },
    ),
    "laptop": Preset(
        "our agent: as much as two cores learn in some eight hours",
        {
            "simulations": 32,
            "last_simulations": 120,
            "rise": 150,
            "random_plies": 12,
            "uneven_share": 0.3,
            "wiped_share": 0.2,
            "solve_at": 12,
            "teach_endings": True,
            "wipe_outs": True,
            "value_mix": 0.3,
            "surprise": 0.5,
            "blocks": 2,
            "layers": 2,
            "window": 6000,
        },
    ),
    "smoke": Preset(
        "a tiny agent, to see that everything works; seconds",
        {
            "generations": 3,
            "games": 20,
            "simulations": 8,
            "channels": 16,
            "hidden": 16,
            "solve_at": 10,
            "window": 40,
            "batch": 64,
            "evaluate_every": 3,
            "evaluate_games": 4,
            "evaluate_simulations": 8,
        },
    ),
}


def preset(name: str) -> SelfPlayConfig:
    """Return the configuration of a preset."""
    return find_preset(PRESETS, name, SelfPlayConfig)
