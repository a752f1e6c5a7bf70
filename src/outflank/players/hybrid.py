"""A player that hands over to another in one stage of the game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outflank import _core
from outflank.evaluations import Unit
from outflank.othello import Game, Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, OnThought, Player, Thought
from outflank.players.registry import kinds, make_player, register
from outflank.players.spec import Spec

_STAGE = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")


@register("hybrid", "one player, with another for one stage of the game")
@dataclass
class HybridPlayer(Player):
    """Plays as `policy`, but as `with` in one stage (Liskowski et al., 2018, section VI-E).

    Args:
        policy: A player's spec (in double quotes if it has options), or a policy network's name.
        stage: First and last move number, from 1 to 60, both included. A move's number is that
            of the disc it places.
        with_: The player of that stage, named in the same ways; `with` in a spec.
    """

    policy: str = "random"
    stage: str = "46-60"
    with_: str = "random"

    def __post_init__(self) -> None:
        match = _STAGE.fullmatch(self.stage)
        if match is None or not 1 <= int(match[1]) <= int(match[2]) <= 60:
            raise ValueError(f"stage cannot be {self.stage!r}; written as 46-60, within 1-60")
        self._first, self._last = int(match[1]), int(match[2])
        both = self._outside, self._inside  # made now, so that a wrong spec fails at once
        self.needs_games = any(player.needs_games for player in both)
        self.stoppable = all(player.stoppable for player in both)
        self.gives_values = any(player.gives_values for player in both)
        self.gives_policy = any(player.gives_policy for player in both)
        self.gives_visits = any(player.gives_visits for player in both)
        units = {player.unit for player in both if player.gives_values}
        self.unit = units.pop() if len(units) == 1 else Unit.OWN  # each thought has its own

    @cached_property
    def _outside(self) -> Player:
        return _make(self.policy)

    @cached_property
    def _inside(self) -> Player:
        return _make(self.with_)

    @property
    def batched(self) -> bool:
        """Whether both players are."""
        return self._inside.batched and self._outside.batched

    @property
    def fingerprint(self) -> str:
        """The fingerprints of both players."""
        return "+".join(filter(None, (self._outside.fingerprint, self._inside.fingerprint)))

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Ask each player about the boards of its stage."""
        number = np.bitwise_count(boards.own | boards.other).astype(np.intp) - 3
        inside = (number >= self._first) & (number <= self._last)
        moves = np.empty(len(boards), np.uint8)
        for player, mask in ((self._inside, inside), (self._outside, ~inside)):
            if mask.any():
                moves[mask] = player.choose_many(boards[mask], None if keys is None else keys[mask])
        return moves

    def choose_in_games(self, games: Sequence[Game], keys: Keys | None = None) -> list[Move]:
        """Ask each player about the games in its stage."""
        moves: dict[int, Move] = {}
        for player in (self._inside, self._outside):
            mine = [i for i, game in enumerate(games) if self._whose(game.position) is player]
            chosen = player.choose_in_games(
                [games[i] for i in mine], None if keys is None else keys[mine]
            )
            moves.update(zip(mine, chosen, strict=True))
        return [moves[i] for i in range(len(games))]

    def _think(self, game: Game, stop: _core.Stop | None, on_thought: OnThought | None) -> Thought:
        """Think as the player whose stage it is."""
        return self._whose(game.position).think(game, stop=stop, on_thought=on_thought)

    def rank_moves(
        self,
        game: Game,
        count: int,
        *,
        stop: _core.Stop | None = None,
        on_thought: OnThought | None = None,
    ) -> Thought:
        """Rank moves as the player whose stage it is."""
        player = self._whose(game.position)
        return player.rank_moves(game, count, stop=stop, on_thought=on_thought)

    def _whose(self, position: Position) -> Player:
        inside = self._first <= position.discs - 3 <= self._last
        return self._inside if inside else self._outside

    def close(self) -> None:
        """Close both players."""
        self._outside.close()
        self._inside.close()


def _make(text: str) -> Player:
    """Make a player from a spec, or from the name of a policy network."""
    known = kinds()
    if text.split(":")[0] in known or "policy" not in known:
        return make_player(text)
    return make_player(Spec("policy", text))
