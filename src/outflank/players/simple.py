"""Players that need no search and no learning."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import keys_of
from outflank.othello.boards import Boards, MoveArray
from outflank.players.player import Keys, Player
from outflank.players.registry import register


class Drawing:
    """Gives a player its own random keys: from its `seed`, or different each time."""

    seed: int | None

    @cached_property
    def _random(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)

    def _keys(self, boards: Boards, keys: Keys | None) -> Keys:
        """One key for each board: the given one mixed with the seed, or a new one."""
        if keys is None:
            return self._random.integers(1 << 63, size=len(boards), dtype=np.uint64)
        return keys_of(keys, self.seed or 0)


@register("random", "plays any legal move")
@dataclass
class RandomPlayer(Drawing, Player):
    """Plays uniformly random legal moves."""

    seed: int | None = None

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose at random for each board."""
        return _core.random_moves(boards.own, boards.other, self._keys(boards, keys))


@register("greedy", "flips as many discs as it can")
@dataclass
class GreedyPlayer(Drawing, Player):
    """Takes the move that flips most discs; at random among equals."""

    seed: int | None = None

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose the greatest number of flips for each board."""
        board, move = _all_moves(boards)
        gain = np.bitwise_count(boards[board].play(move).other).astype(np.float64)
        luck = keys_of(self._keys(boards, keys)[board], move)
        return _best_of_each(boards, board, move, gain + luck * 2.0**-65)


@register("playouts", "plays random games after each move and takes the move that wins most")
@dataclass
class PlayoutsPlayer(Drawing, Player):
    """Plays random games after each legal move and takes the best average result.

    Args:
        games: Random games for each legal move.
        seed: Of these games; different each time if not given.
    """

    games: int = 1000
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError("games must be at least 1")

    def choose_many(self, boards: Boards, keys: Keys | None = None) -> MoveArray:
        """Choose the best average result for each board."""
        board, move = _all_moves(boards)
        rates = self._winning_rates(boards[board], move, self._keys(boards, keys)[board])
        return _best_of_each(boards, board, move, rates)

    def _winning_rates(self, boards: Boards, moves: MoveArray, keys: Keys) -> NDArray[np.float64]:
        """Share of random games won (draws half) after one move on each board, float64[n]."""
        after = boards.play(moves)
        keys = keys_of(keys, moves)
        scores = _core.random_playouts(after.own, after.other, keys, self.games)
        rates: NDArray[np.float64] = 0.5 - 0.5 * np.sign(scores).mean(axis=1)
        return rates


def _all_moves(boards: Boards) -> tuple[NDArray[np.intp], MoveArray]:
    """List every legal placement of every board: (index of the board, square)."""
    board, square = np.nonzero(boards.legal_mask()[:, :64])
    return board, square.astype(np.uint8)


def _best_of_each(
    boards: Boards, board: NDArray[np.intp], move: MoveArray, value: NDArray[np.float64]
) -> MoveArray:
    """Return the move of the greatest value of each board, a pass where there is none."""
    chosen = np.full(len(boards), _core.PASS, np.uint8)
    order = np.lexsort((value, board))  # the best move of a board comes last
    chosen[board[order]] = move[order]
    return chosen
