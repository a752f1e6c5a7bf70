"""Descriptions of tournaments: players, openings, and who meets whom."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outflank.arena.lockstep import Fixture
from outflank.chance import key_of, keys_of
from outflank.errors import OutflankError
from outflank.numbers import GAMES, SEEDS
from outflank.othello import Game, Position


class TournamentError(OutflankError):
    """A tournament that cannot be played as it is described."""


# A word of a spec with a folder before it, or with the ending of a file behind it.
_PATH = re.compile(r"""[^\s:,=+"']*/[^\s:,=+"']*|[^\s:,=+"'/]+\.(?:safetensors|onnx|player)\b""")


@dataclass(frozen=True)
class Tournament:
    """Players that meet each other from the same openings.

    Attributes:
        players: Their specs.
        openings: Where games begin, used in this order and then again from the first.
        games: How many each pairing plays; an even number, since every opening is played twice,
            with colours swapped.
        seed: Of the games' randomness.
        gauntlet: Whether only the first player meets the others.
        fingerprints: Of the players' data (such as a network's weights), in their order. A player
            with other data is another player.
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
        if self.games > GAMES.greatest:
            raise TournamentError(
                f"cannot play {self.games} games: at most {GAMES.greatest:,} are accepted"
            )
        SEEDS.check("seed", self.seed)
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
        """The number of games."""
        return self.games * len(self.pairings)

    def names(self, pairing: int) -> tuple[str, str]:
        """Return the specs of the two players of a pairing."""
        first, second = self.pairings[pairing]
        return self.players[first], self.players[second]

    def fixtures(self, pairing: int, done: Collection[int] = ()) -> list[Fixture]:
        """Return the games of a pairing that are still to be played.

        Their randomness comes from the seed and the two specs, so a pairing plays the same games
        in every tournament with these openings. Where a player's files lie does not matter.
        """
        fingerprints = self.fingerprints or ("",) * len(self.players)
        drawn = [
            _without_paths(self.players[player], fingerprints[player])
            for player in self.pairings[pairing]
        ]
        keys = keys_of(key_of("games", self.seed, *drawn), np.arange(self.games))
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
        """Everything that decides which games are played, as JSON."""
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
        """Identifies the tournament in a store."""
        return hashlib.sha256(self.configuration.encode("utf-8", "surrogatepass")).hexdigest()


def _without_paths(spec: str, fingerprint: str) -> str:
    """Return a spec with the fingerprint of its player's data in the place of all paths."""
    return _PATH.sub(lambda _: fingerprint, spec)
