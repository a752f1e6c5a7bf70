"""Players that need no search and no learning."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello import Move, Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Player
from outflank.players.registry import register


class _Drawing:
    """Random numbers of a player's own: from its `seed`, or different each time."""

    seed: int | None

    @cached_property
    def _random(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)

    def _next_seed(self) -> int:
        return int(self._random.integers(1 << 63))


@register("random", "plays any legal move")
@dataclass
class RandomPlayer(_Drawing, Player):
    """Plays uniformly random legal moves."""

    seed: int | None = None

    def choose_many(self, boards: Boards) -> MoveArray:
        """Choose at random for each board."""
        return _core.random_moves(boards.own, boards.other, self._next_seed())


@register("greedy", "flips as many discs as it can")
@dataclass
class GreedyPlayer(_Drawing, Player):
    """Takes the move that flips most discs; among equals, any."""

    seed: int | None = None

    def choose_many(self, boards: Boards) -> MoveArray:
        """Choose the greatest number of flips for each board."""
        board, move = _all_moves(boards)
        chosen = np.full(len(boards), _core.PASS, np.uint8)
        if len(move):
            after = boards[board].play(move)
            gain = np.bitwise_count(after.other).astype(np.float64)
            _keep_best(chosen, board, move, gain + self._random.random(len(gain)) * 0.5)
        return chosen


@register("playouts", "tries each move in random games and takes the one that wins most")
@dataclass
class PlayoutsPlayer(_Drawing, Player):
    """Plays random games after each legal move and takes the best average result.

    games: random games for each legal move. seed: as everywhere.
    """

    games: int = 1000
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError("games must be at least 1")

    def choose_many(self, boards: Boards) -> MoveArray:
        """Choose the best average result for each board."""
        board, move = _all_moves(boards)
        chosen = np.full(len(boards), _core.PASS, np.uint8)
        if len(move):
            _keep_best(chosen, board, move, self.winning_rates(boards[board], move))
        return chosen

    def winning_rates(self, boards: Boards, moves: MoveArray) -> NDArray[np.float64]:
        """Share of random games won (draws half) after one move on each board, float64[n]."""
        scores = boards.play(moves).random_playouts(self._next_seed(), self.games)
        rates: NDArray[np.float64] = 0.5 - 0.5 * np.sign(scores).mean(axis=1)
        return rates

    def rate_moves(self, position: Position) -> dict[Move, float]:
        """Share of random games won after each legal move of a position."""
        moves = position.legal_moves
        boards = Boards.from_positions([position] * len(moves))
        rates = self.winning_rates(boards, np.array(moves, np.uint8))
        return dict(zip(moves, rates.tolist(), strict=True))


def _all_moves(boards: Boards) -> tuple[NDArray[np.intp], MoveArray]:
    """List every legal placement of every board: (index of the board, square)."""
    board, square = np.nonzero(boards.legal_mask()[:, :64])
    return board, square.astype(np.uint8)


def _keep_best(
    chosen: MoveArray,
    board: NDArray[np.intp],
    move: MoveArray,
    value: NDArray[np.float64],
) -> None:
    """Enter, for each board that has moves, the one of the greatest value."""
    order = np.lexsort((value, board))  # the best move of a board comes last
    chosen[board[order]] = move[order]
