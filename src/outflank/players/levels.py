"""Named levels for people: opponents that err as people do, from weak to strong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from outflank import _core
from outflank.evaluations import Unit
from outflank.fingerprints import fingerprint
from outflank.othello import Game, Move
from outflank.othello.boards import Boards, MoveArray
from outflank.players.lenient import LenientPlayer
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.registry import register


@dataclass(frozen=True)
class Level:
    """How a level plays, as options of `lenient`.

    Attributes:
        discs: The most that it may give away in a game.
        once: The most that it may give away in one move.
        temperature: 1 draws moves as often as experts play them; more varies more.
        depth: Of the search that judges what moves cost.
        about: What it is like to play against, in one sentence.
    """

    discs: float
    once: float
    temperature: float
    depth: int
    about: str


# Weakest first. Each wins 70 to 80% of its games against the one before: benchmarks/levels.py.
LEVELS = {
    "beginner": Level(500, 40, 6.0, 2, "Knows the rules and little more: for your first games."),
    "casual": Level(220, 23, 3.1, 2, "Plays reasonable moves and makes mistakes in every game."),
    "club": Level(135, 17, 2.35, 3, "Knows about corners and mobility, and still slips often."),
    "strong": Level(102, 13.8, 2.0, 3, "Punishes large mistakes and makes fewer of its own."),
    "expert": Level(84, 12, 1.85, 4, "Plays much as experts do; its mistakes are small."),
    "master": Level(69, 10.6, 1.71, 4, "Gives away little, and makes you pay for your errors."),
    "champion": Level(56, 9, 1.62, 4, "The hardest of these: like an expert on a good day."),
}


@register("level", "plays like a person of a named level, from beginner to champion")
@dataclass
class LevelPlayer(Player):
    """Makes the mistakes that people make, within a budget, and never collapses.

    Args:
        name: beginner, casual, club, strong, expert, master or champion.
        seed: Of the draws; different each time if not given.
    """

    name: str = "casual"
    seed: int | None = None

    needs_games = True
    batched = False
    unit = Unit.DISCS
    gives_values = True

    def __post_init__(self) -> None:
        if self.name not in LEVELS:
            raise ValueError(f"no level called {self.name!r}; levels are {', '.join(LEVELS)}")
        self._person  # noqa: B018  # a missing network should fail now

    @cached_property
    def _person(self) -> LenientPlayer:
        level = LEVELS[self.name]
        return LenientPlayer(
            discs=level.discs,
            once=level.once,
            temperature=level.temperature,
            depth=level.depth,
            seed=self.seed,
        )

    @property
    def fingerprint(self) -> str:
        """Changes with the lenient player and with the options of the level."""
        options = replace(LEVELS[self.name], about="")
        return fingerprint(self._person.fingerprint, repr(options))

    def choose_in_games(self, games: Sequence[Game], keys: Keys | None = None) -> list[Move]:
        """Choose a move in each game."""
        return self._person.choose_in_games(games, keys)

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose a move for each board, each as a game that begins there."""
        return self._person.choose_many(boards, keys)

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Choose a move, with the search's values of all moves."""
        return self._person._think(game, stop, on_thought)
