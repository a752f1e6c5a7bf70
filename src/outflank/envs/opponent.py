"""The other side: a player, and where its random numbers come from."""

from __future__ import annotations

import dataclasses

import numpy as np

from outflank.players import Player, make_player


class Opponent:
    """The player that an environment plays the other side with.

    Given as a spec, the player is made anew whenever the environment is seeded, so that the same
    seed brings the same moves: with the seed of its spec, or, where that has none, with one from
    the environment. Given as a Player, it is played as it is: what it remembers and draws is its
    owner's affair.
    """

    def __init__(self, given: str | Player) -> None:
        self._remade = isinstance(given, str)
        self.player = make_player(given) if isinstance(given, str) else given
        self._seedless = getattr(self.player, "seed", 0) is None

    def reseed(self, random: np.random.Generator) -> None:
        """Begin again with random numbers that follow from the environment's."""
        seed = int(random.integers(1 << 31))  # drawn for every opponent: all leave the same state
        if self._remade:
            self.player = dataclasses.replace(
                self.player, **({"seed": seed} if self._seedless else {})
            )
