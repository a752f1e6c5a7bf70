"""The configuration of the champion's learner."""

from __future__ import annotations

from dataclasses import dataclass

from outflank.errors import DataError
from outflank.learn.settings import (
    Preset,
    Settings,
    check_choices,
    check_limits,
    explained,
    find_preset,
)

_SEED = (1 << 63) - 1
_CHOICES = {"source": ("zero", "wthor")}
_LIMITS: dict[str, tuple[float, float]] = {
    "rounds": (1, 1e6), "games": (1, 1 << 30), "block": (1, 1 << 20), "depth": (1, 20),
    "first_depth": (1, 20), "solve_from": (0, 24), "least_opening": (0, 60),
    "most_opening": (0, 60), "randomness": (0, 1), "slips": (0, 1), "endings": (0, 1000),
    "siblings": (0, 1000), "experts": (0, 1), "expert_rounds": (0, 1e6), "search_share": (0, 1),
    "selectivity": (0, 10), "held_out": (0.001, 0.5), "passes": (0, 1e4), "batch": (1, 1 << 20),
    "learning_rate": (0, 10), "keep": (1, 1e6), "match_games": (0, 1e6),
    "match_depth": (1, 20), "match_plies": (1, 40), "seed": (0, _SEED), "threads": (0, 1024),
}  # fmt: skip


@dataclass(frozen=True)
class ChampionConfig(Settings):
    """How the evaluation is learned: rounds of games, training on all of them, and a match."""

    source: str = explained(
        "zero", "zero: from nothing but the rules; wthor: from the scores of expert games"
    )
    first: str = explained(
        "",
        "name of an evaluation in discs that plays the first round, such as patterns; one of "
        "the champion's own, such as champion, is trained further",
    )
    years: str = explained("1977-2015", "of the expert games, if source is wthor")
    rounds: int = explained(8, "rounds of games and training")
    games: int = explained(100_000, "games in a round")
    block: int = explained(500, "games in a step; what an interruption loses is less than that")
    depth: int = explained(6, "search depth in these games")
    first_depth: int = explained(
        2, "search depth in the first round; it grows by one ply a round up to depth"
    )
    selectivity: float = explained(
        1.5, "standard deviations at which probcut prunes in these games; 0: never"
    )
    solve_from: int = explained(12, "empty squares from which games are solved")
    least_opening: int = explained(4, "fewest plies that a game begins with before searches decide")
    most_opening: int = explained(34, "most such plies")
    randomness: float = explained(0.5, "share of random moves among them; the others are searched")
    slips: float = explained(
        0.25, "share of random moves once a game is solved; after each it is solved again"
    )
    siblings: int = explained(
        4, "other moves of each searched position that are learned from, too, drawn at random"
    )
    endings: int = explained(
        1, "other endings of a game, each after a few random moves, because late ones cost little"
    )
    experts: float = explained(
        0.5, "share of games that begin in an expert's position, if source is wthor"
    )
    expert_rounds: int = explained(
        6, "rounds after which the scores of expert games are no longer learned from"
    )
    held_out: float = explained(0.01, "share of the games held out to measure the error with")
    search_share: float = explained(
        0.5, "weight of the search's value in what is learned; the rest is the final score"
    )
    passes: float = explained(2.0, "over the positions when the network is trained")
    batch: int = explained(2048, "positions in a step of that training")
    learning_rate: float = explained(
        0.003, "of its first steps; it falls like a cosine, to nothing"
    )
    keep: int = explained(4, "rounds, the newest ones, whose positions are learned from")
    match_games: int = explained(400, "most games against the evaluation of the round before")
    match_depth: int = explained(4, "search depth in these games")
    match_plies: int = explained(10, "random plies that they begin with")
    seed: int = explained(1, "seed of all randomness")
    threads: int = explained(0, "threads that train; 0: all cores")

    def __post_init__(self) -> None:
        check_choices(self, _CHOICES)
        check_limits(self, _LIMITS)
        if self.least_opening > self.most_opening:
            raise DataError(
                f"least_opening: {self.least_opening}; accepted is at most most_opening, "
                f"{self.most_opening}"
            )

    @property
    def blocks(self) -> int:
        """Steps of a round."""
        return -(-self.games // self.block)


PRESETS = {
    "smoke": Preset(
        "two tiny rounds from nothing, to check that everything works; seconds",
        {
            "rounds": 2, "games": 60, "block": 20, "depth": 2, "first_depth": 1, "solve_from": 8,
            "passes": 4.0, "batch": 128, "selectivity": 0.0, "match_games": 20, "match_depth": 1,
            "held_out": 0.1,
        },
    ),
    "laptop": Preset("from nothing; 8 hours on 2 cores"),
    "experts": Preset(
        "begins with expert games and their positions, as the shipped run did; 8 hours on 2 cores",
        {
            "source": "wthor", "years": "1977-2018", "rounds": 16, "games": 90_000, "depth": 5,
            "first_depth": 5, "expert_rounds": 1, "keep": 16,
        },
    ),
}  # fmt: skip


def preset(name: str) -> ChampionConfig:
    """Return the configuration of a preset."""
    return find_preset(PRESETS, name, ChampionConfig)
