"""A person at the terminal, as a player."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from rich.console import Console

from outflank.errors import IllegalMoveError, NotationError, OutflankError
from outflank.othello import PASS, Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, Player
from outflank.players.registry import register


@register("human", "asks a person at the terminal")
@dataclass
class HumanPlayer(Player):
    """Shows each position on the terminal and reads a move from there."""

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Ask about each board that leaves a choice."""
        return np.array([self._ask(position) for position in boards], np.uint8)

    def _ask(self, position: Position) -> Move:
        if position.must_pass:
            return PASS
        console = Console(highlight=False, emoji=False)
        console.print(position)
        while True:
            try:
                text = console.input(f"{position.turn}'s move? ")
            except EOFError:
                raise OutflankError("nobody is at the terminal") from None
            try:
                move = Move(text)
                position.play(move)
            except (NotationError, IllegalMoveError) as error:
                console.print(str(error), style="red", markup=False)
            else:
                return move
