"""Many positions at once, as arrays: what batches of players, networks and environments use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from outflank import _core
from outflank.errors import IllegalMoveError
from outflank.othello.colors import BLACK, WHITE
from outflank.othello.position import Position

BitArray = NDArray[np.uint64]
MoveArray = NDArray[np.uint8]


@dataclass(frozen=True, eq=False, slots=True)
class Boards:
    """A batch of positions from their movers' views.

    own, other: uint64[n], the discs of the mover and of the opponent as bitboards.
    white_to_move: bool[n]. All operations run in _core, on all cores.
    """

    own: BitArray
    other: BitArray
    white_to_move: NDArray[np.bool_]

    @classmethod
    def start(cls, count: int) -> Boards:
        """Return `count` start positions."""
        return cls.from_positions([Position.start()])[np.zeros(count, np.intp)]

    @classmethod
    def from_positions(cls, positions: Iterable[Position]) -> Boards:
        """Gather positions into arrays."""
        positions = list(positions)
        return cls(
            np.array([position.own for position in positions], np.uint64),
            np.array([position.other for position in positions], np.uint64),
            np.array([position.turn is WHITE for position in positions], np.bool_),
        )

    def positions(self) -> list[Position]:
        """Return the batch as Position values."""
        return list(self)

    def __len__(self) -> int:
        return len(self.own)

    def __iter__(self) -> Iterator[Position]:
        for own, other, white in zip(
            self.own.tolist(), self.other.tolist(), self.white_to_move.tolist(), strict=True
        ):
            yield Position.from_bits(own, other, WHITE if white else BLACK)

    def __getitem__(self, index: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Boards:
        return Boards(self.own[index], self.other[index], self.white_to_move[index])

    @staticmethod
    def concatenate(parts: Sequence[Boards]) -> Boards:
        """Join batches in their order."""
        return Boards(
            np.concatenate([part.own for part in parts]),
            np.concatenate([part.other for part in parts]),
            np.concatenate([part.white_to_move for part in parts]),
        )

    def legal_moves(self) -> BitArray:
        """Legal squares of each board, as bitboards."""
        return _core.legal_moves(self.own, self.other)

    def legal_mask(self) -> NDArray[np.bool_]:
        """Legal moves as bool[n, 65]: 64 squares and the pass."""
        squares = self.legal_moves()
        mask = np.zeros((len(self), 65), np.bool_)
        mask[:, :64] = np.unpackbits(
            squares.astype("<u8", copy=False)[:, None].view(np.uint8), axis=1, bitorder="little"
        )
        mask[:, 64] = (squares == 0) & ~self.is_over()
        return mask

    def play(self, moves: ArrayLike) -> Boards:
        """Play one legal move or pass (64) on each board."""
        try:
            own, other = _core.play(self.own, self.other, np.ascontiguousarray(moves, np.uint8))
        except ValueError as error:
            raise IllegalMoveError(str(error)) from None
        return Boards(own, other, ~self.white_to_move)

    def turn(self, chosen: NDArray[np.bool_]) -> Boards:
        """Let the other side move on the chosen boards, whatever is legal there."""
        own, other = np.where(chosen, (self.other, self.own), (self.own, self.other))
        return Boards(own, other, self.white_to_move ^ chosen)

    def is_over(self) -> NDArray[np.bool_]:
        """True where neither side can move."""
        return _core.is_over(self.own, self.other)

    def score(self) -> NDArray[np.int8]:
        """Final scores from the movers' views, the empty squares going to the winner."""
        return _core.final_score(self.own, self.other)

    def transform(self, symmetry: int | ArrayLike) -> Boards:
        """Images under one symmetry (0..7), or under one each."""
        if not isinstance(symmetry, int):
            symmetry = np.ascontiguousarray(symmetry, np.uint8)
        return Boards(
            _core.transform(self.own, symmetry),
            _core.transform(self.other, symmetry),
            self.white_to_move,
        )

    def canonical(self) -> tuple[Boards, NDArray[np.uint8]]:
        """Smallest images and the symmetries that lead to them."""
        own, other, symmetry = _core.canonical(self.own, self.other)
        return Boards(own, other, self.white_to_move), symmetry

    def planes(self, names: Sequence[str] = ("own", "other", "legal")) -> NDArray[np.float32]:
        """Network input float32[n, planes, 8, 8].

        Planes are own, other, empty, legal, ones, border.
        """
        return _core.planes(self.own, self.other, list(names))

    def random_playouts(self, seed: int, games: int = 1) -> NDArray[np.int8]:
        """Scores int8[n, games] of random games from each board, from its mover's view."""
        return _core.random_playouts(self.own, self.other, seed, games)
