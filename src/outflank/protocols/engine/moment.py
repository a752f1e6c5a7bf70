"""Where an engine is: a game together with its last position."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from outflank.othello import Game, Move, Position


class Moment(NamedTuple):
    """A game and its last position, which is long to find again from the moves."""

    game: Game
    position: Position

    @classmethod
    def of(cls, game: Game) -> Moment:
        """Go to the end of a game."""
        return cls(game, game.position)

    def play(self, move: Move) -> Moment:
        """Return the moment after a legal move."""
        position = self.position.play(move)
        return Moment(replace(self.game, moves=(*self.game.moves, move)), position)
