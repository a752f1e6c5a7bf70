"""Many games ply by ply together, so that whoever chooses the moves answers for all at once.

games = Lockstep(Boards.start(1000))
while games:
    games.play(player.choose_many(games.boards))
scores = games.all_boards.score()
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outflank.othello.boards import Boards, MoveArray
from outflank.othello.moves import PASS

_LONGEST = 128  # plies: no more than 64 discs can be placed, and a pass comes between two of them


class Lockstep:
    """Games that are played together. A game's number is the place of its first board.

    Attributes:
        ply: How many plies have been played, passes included.
        running: int64[n], the numbers of the games that go on, in ascending order.
        boards: The boards of the running games, in the order of `running`.
        lengths: int64[games], how many plies each game has, passes included.
    """

    def __init__(self, boards: Boards) -> None:
        self.ply = 0
        self.running: NDArray[np.int64] = np.flatnonzero(~boards.is_over())
        self.boards = boards[self.running]
        self.lengths = np.zeros(len(boards), np.int64)
        self._moves = np.full((len(boards), _LONGEST), PASS, np.uint8)
        self._all = boards[np.arange(len(boards))]  # a copy: it is written to

    def __len__(self) -> int:
        """How many games go on."""
        return len(self.running)

    @property
    def all_boards(self) -> Boards:
        """The boards of all games as they stand: of those that ended, the last."""
        return self._all[np.arange(len(self._all))]

    def boards_of(self, games: NDArray[np.int64]) -> Boards:
        """Return the boards of some games as they stand."""
        return self._all[games]

    def play(self, moves: MoveArray) -> NDArray[np.int64]:
        """Play a legal move or a pass in each running game; return the games that ended by it."""
        after = self.boards.play(moves)
        self._moves[self.running, self.ply] = moves
        self.lengths[self.running] += 1
        self.ply += 1
        self._put(after)
        return self._leave(after.is_over())

    def turn(self, chosen: NDArray[np.bool_]) -> None:
        """Let the other side move in some of the running games, whatever is legal there."""
        self._put(self.boards.turn(chosen))

    def withdraw(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Stop some of the running games where they are, and return their numbers."""
        return self._leave(chosen)

    def moves_of(self, game: int) -> bytes:
        """Return the moves of a game so far, passes included, without those before its board."""
        return self._moves[game, : self.lengths[game]].tobytes()

    def moves(self) -> MoveArray:
        """Return the moves of all games, uint8[games, ply]; games that ended go on with passes."""
        return self._moves[:, : self.ply].copy()

    def _put(self, boards: Boards) -> None:
        """Set the running games' boards."""
        self.boards = boards
        self._all.own[self.running] = boards.own
        self._all.other[self.running] = boards.other
        self._all.white_to_move[self.running] = boards.white_to_move

    def _leave(self, leaving: NDArray[np.bool_]) -> NDArray[np.int64]:
        left = self.running[leaving]
        if len(left):
            self.boards, self.running = self.boards[~leaving], self.running[~leaving]
        return left
