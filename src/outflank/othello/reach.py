"""How a position can come about: moves from the start that lead to it."""

from __future__ import annotations

from functools import lru_cache

from outflank import _core
from outflank.othello.moves import PASS, Move, squares_of
from outflank.othello.position import Position

_EFFORT = 50_000  # positions looked at before the search gives up: about half a second


@lru_cache(maxsize=4096)
def moves_to(position: Position, effort: int = _EFFORT) -> tuple[Move, ...] | None:
    """Return moves, passes included, that lead from the start to a position and side to move.

    None means that there are no such moves, or that none were found among `effort` positions:
    with up to about 16 discs the search is complete, beyond that it is a matter of luck.

    >>> moves_to(Position.start().play("f5").play("f6"))
    (Move('f5'), Move('f6'))
    """
    start = Position.start()
    discs = position.black | position.white
    if (start.black | start.white) & ~discs:
        return None  # discs never leave the board
    search = _Search(position, effort)
    return tuple(search.moves) if search.reaches(*start.bits, start.turn is position.turn) else None


class _Search:
    """Depth-first over the orders in which the position's discs can have been placed."""

    def __init__(self, target: Position, effort: int) -> None:
        self.target = target.bits  # from its mover's view
        self.discs = target.black | target.white
        self.left = effort
        self.moves: list[Move] = []
        self.failed: set[tuple[int, int, bool]] = set()

    def reaches(self, own: int, other: int, same: bool) -> bool:
        """Complete `moves` from a board; `same` if its mover is the target's mover."""
        seen = (own, other, same)
        if seen in self.failed or self.left == 0:
            return False
        if same and (own, other) == self.target:
            return True
        self.left -= 1
        legal = _core.legal_moves(own, other)
        if legal:
            choices = list(squares_of(legal & self.discs & ~(own | other)))
        else:
            choices = [PASS] if _core.legal_moves(other, own) else []
        for move in choices:
            self.moves.append(move)
            if self.reaches(*_core.play(own, other, move), not same):
                return True
            self.moves.pop()
        self.failed.add(seen)
        return False
