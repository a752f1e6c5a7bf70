"""The published players of the Othello League, which look one ply ahead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outflank import _core
from outflank._core import NTupleNetwork
from outflank.evaluations import league_network
from outflank.fingerprints import fingerprint, opening_boards
from outflank.othello import Game
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.registry import register
from outflank.players.simple import Drawing


@register("league", "plays as a published player of the Othello League, one ply deep")
@dataclass
class LeaguePlayer(Drawing, Player):
    """Takes the move after which its n-tuple network values the board most.

    It chooses at random among values within 1e-6 of the best, like the code published with the
    players.

    Args:
        player: A name that league_entries lists, or a .player file. Default: the standard
            heuristic, swh.
        convention: How it plays white, neg or inv. Default: the player's own way.
        seed: Of the choice among equals; different each time if not given.
    """

    player: str = "swh"
    convention: str | None = None
    seed: int | None = None

    gives_values = True

    def __post_init__(self) -> None:
        self._network  # noqa: B018  # a wrong name or file should fail now

    @cached_property
    def _network(self) -> NTupleNetwork:
        return league_network(self.player, self.convention)

    @property
    def fingerprint(self) -> str:
        """A hash of the network's values on some boards: another file is another player."""
        boards = opening_boards()
        return fingerprint(self._network.values(boards.own, boards.other, boards.white_to_move))

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose the move of the best value on each board."""
        return self._network.choose(
            boards.own, boards.other, boards.white_to_move, self._keys(boards, keys)
        )

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Choose a move and value all of them, from the mover's view in the network's own scale."""
        position = game.position
        move = self.choose(position)
        moves = position.legal_moves
        after = Boards.from_positions([position] * len(moves)).play(np.array(moves, np.uint8))
        found = -self._network.values(after.own, after.other, after.white_to_move)
        values = dict(zip(moves, found.tolist(), strict=True))
        return Thought(
            move,
            values[move],
            depth=1,
            nodes=len(moves),
            line=(move,),
            values=values,
            unit=self.unit,
        )
