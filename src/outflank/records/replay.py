"""Games as arrays of moves, replayed all at once into arrays of positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello import PASS, SQUARES, Move

NO_MOVE = _core.NO_MOVE


@dataclass(frozen=True, eq=False)
class Replay:
    """The positions of games replayed from the start.

    The first four arrays have an entry for each move, with the position before it; passes are
    implied and have none. The others have an entry for each game.

    Attributes:
        own: uint64, from the mover's view.
        other: uint64, from the mover's view.
        move: uint8, the square played; NO_MOVE for moves that could not be played.
        white_to_move: bool.
        offsets: int64[games + 1], where the game's moves begin and end.
        black: uint64, of the last position.
        white: uint64, of the last position.
        moves: uint8, how many were legal.
        legal: bool, whether all were.
        over: bool, whether the game ended.
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    move: NDArray[np.uint8]
    white_to_move: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    black: NDArray[np.uint64]
    white: NDArray[np.uint64]
    moves: NDArray[np.uint8]
    legal: NDArray[np.bool_]
    over: NDArray[np.bool_]

    def black_score(self) -> NDArray[np.int8]:
        """Black's score on each game's last board, the empty squares going to the winner."""
        return _core.final_score(self.black, self.white)

    def moves_of(self, game: int) -> tuple[Move, ...]:
        """Moves of one game, with its passes."""
        place = slice(self.offsets[game], self.offsets[game + 1])
        moves: list[Move] = []
        expected = False
        for square, white in zip(
            self.move[place].tolist(), self.white_to_move[place].tolist(), strict=True
        ):
            if white != expected:
                moves.append(PASS)
            moves.append(SQUARES[square])
            expected = not white
        return tuple(moves)


def replay(moves: NDArray[np.uint8], *, threads: int = 0) -> Replay:
    """Replay games given as squares, uint8[games, width], padded with NO_MOVE."""
    own, other, move, white_to_move, offsets, black, white, played, legal, over = (
        _core.replay_games(np.ascontiguousarray(moves), threads)
    )
    return Replay(
        own,
        other,
        move,
        white_to_move.view(np.bool_),
        offsets,
        black,
        white,
        played,
        legal,
        over,
    )
