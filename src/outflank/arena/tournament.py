"""What is to be played: players, openings, and who meets whom."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outflank.arena.lockstep import Fixture
from outflank.chance import key_of, keys_of
from outflank.errors import OutflankError
from outflank.othello import Game, Position


class TournamentError(OutflankError):
    """A tournament that cannot be played as it is described."""


@dataclass(frozen=True)
class Tournament:
    """Players that meet each other from the same openings.

    players: their specs. openings: where games begin, used in their order and then again from
    the first. games: how many each pairing plays, an even number: every opening is played twice,
    with colours swapped. seed: where the games' chance comes from. gauntlet: the first player
    meets all others, and they do not meet each other. fingerprints: of the players' data (the
    weights of a network), in their order; a player with other data is another player.
    """

    players: tuple[str, ...]
    openings: tuple[Game, ...]
    games: int
    seed: int = 0
    gauntlet: bool = False
    fingerprints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise TournamentError("it takes two players")
        if len(self.players) > 2 and len(set(self.players)) < len(self.players):
            twice = next(spec for spec in self.players if self.players.count(spec) > 1)
            raise TournamentError(f"{twice} is named twice")
        if self.games < 2 or self.games % 2:
            raise TournamentError(
                f"cannot play {self.games} games: every opening is played twice, with colours"
                " swapped, so the number is even and at least 2"
            )
        if not self.openings:
            raise TournamentError("there are no openings")

    @property
    def kind(self) -> str:
        """What it is called: match, gauntlet or round robin."""
        if len(self.players) == 2:
            return "match"
        return "gauntlet" if self.gauntlet else "round robin"

    @cached_property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom: the first player and the second, as indices of `players`."""
        count = len(self.players)
        return [
            (first, second)
            for first in range(1 if self.gauntlet else count)
            for second in range(first + 1, count)
        ]

    @property
    def total(self) -> int:
        """How many games it has."""
        return self.games * len(self.pairings)

    def names(self, pairing: int) -> tuple[str, str]:
        """Return the specs of the two players of a pairing."""
        first, second = self.pairings[pairing]
        return self.players[first], self.players[second]

    def fixtures(self, pairing: int, done: Collection[int] = ()) -> list[Fixture]:
        """Return the games of a pairing that are still to be played.

        Their chance comes from the seed and the two specs, so a pairing plays the same games in
        every tournament of the same openings.
        """
        keys = keys_of(key_of("games", self.seed, *self.names(pairing)), np.arange(self.games))
        return [
            Fixture(number, self.openings[opening], self._positions[opening], key)
            for number, key in enumerate(keys.tolist())
            for opening in [self.opening_of(number)]
            if number not in done
        ]

    def opening_of(self, number: int) -> int:
        """Return which opening a game of a pairing has, as an index of `openings`."""
        return number // 2 % len(self.openings)

    @cached_property
    def _positions(self) -> list[Position]:
        return [opening.position for opening in self.openings]

    @cached_property
    def configuration(self) -> str:
        """All that decides which games are played, as JSON."""
        openings = [(game.start.to_string(), game.transcript) for game in self.openings]
        parts = {
            "kind": self.kind,
            "players": self.players,
            "fingerprints": self.fingerprints,
            "openings": hashlib.sha256(json.dumps(openings).encode()).hexdigest(),
            "games": self.games,
            "seed": self.seed,
        }
        return json.dumps(parts, ensure_ascii=False, sort_keys=True)

    @cached_property
    def hash(self) -> str:
        """A name by which the same tournament is found again."""
        return hashlib.sha256(self.configuration.encode("utf-8", "surrogatepass")).hexdigest()
