"""Examples to learn from: boards, the moves that were played on them, and how the games ended.

Examples are arrays. A set with all mirror images is not: it keeps one example of each eight and
makes the images of those that are taken.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.othello.boards import Boards

IndexArray = NDArray[np.uint32]
Index = NDArray[np.integer] | NDArray[np.bool_] | slice

SYMMETRIES = 8
# The images of an example that a mirroring leaves as it is: a diagonal's mirroring, since no other
# leaves the move's square in place. Mirrored left and right, top and bottom, all four are reached.
_HALF = 4


@dataclass(frozen=True, eq=False)
class Examples:
    """Boards from the movers' views and the legal moves played there.

    If duplicates were removed, score, game and year are those of the first time.

    Attributes:
        own: uint64[n], the mover's discs as bitboards.
        other: uint64[n], the opponent's discs.
        move: uint8[n], the square played, 0..63.
        score: int8[n], the final score of the game from the mover's view, empty squares going to
            the winner; the score of the last board if the game is unfinished.
        value: float32[n], the mean result for the mover (1 won, 0 drawn, -1 lost) of all games that
            the example stands for.
        count: uint32[n], how often it was played in them; 1 unless duplicates were removed.
        game: uint32[n], the index of the game.
        year: uint16[n], of the game.
        ply: uint8[n], the discs on the board less four, so 0 for a game's first move.
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    move: NDArray[np.uint8]
    score: NDArray[np.int8]
    value: NDArray[np.float32]
    count: NDArray[np.uint32]
    game: NDArray[np.uint32]
    year: NDArray[np.uint16]
    ply: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.own)

    def take(self, index: Index) -> Examples:
        """Return the examples of an index array, a mask or a slice, in its order."""
        return Examples(*(array[index] for array in self.arrays().values()))

    def boards(self) -> Boards:
        """Return the boards; whose turn it was is not kept, and black's is assumed."""
        return Boards(self.own, self.other, np.zeros(len(self), np.bool_))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


@dataclass(frozen=True, eq=False)
class SymmetricExamples:
    """All mirror images of some examples, which are made only when they are taken.

    base: one example of each set of images, the `whole` ones first, which have eight different
    images; the few after them are left in place by a mirroring and have four. So image i belongs
    to example i // 8 under symmetry i % 8 as far as the whole ones go, and the images of an
    example stand together, the example itself first.
    """

    base: Examples
    whole: int

    def __len__(self) -> int:
        return SYMMETRIES * self.whole + _HALF * (len(self.base) - self.whole)

    def origin(self, index: Index) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Return which base example each image belongs to, and the symmetry that makes it."""
        if isinstance(index, slice):
            index = np.arange(len(self))[index]
        elif index.dtype == np.bool_:
            index = np.flatnonzero(index)
        image = index.astype(np.int64)
        if len(image) and not (-len(self) <= image.min() and image.max() < len(self)):
            raise IndexError(f"there are {len(self)} examples")
        image[image < 0] += len(self)
        beyond = image - SYMMETRIES * self.whole
        in_whole = beyond < 0
        example = np.where(in_whole, image // SYMMETRIES, self.whole + beyond // _HALF)
        symmetry = np.where(in_whole, image % SYMMETRIES, beyond % _HALF)
        return example, symmetry.astype(np.uint8)

    def base_of(self, index: Index) -> Examples:
        """Return the base examples of which any image is in an index array, a mask or a slice."""
        wanted = np.zeros(len(self), np.bool_)
        wanted[index] = True
        border = SYMMETRIES * self.whole
        parts = (wanted[:border].reshape(-1, SYMMETRIES), wanted[border:].reshape(-1, _HALF))
        return self.base.take(np.concatenate([part.any(axis=1) for part in parts]))

    def take(self, index: Index) -> Examples:
        """Return the images of an index array, a mask or a slice, in its order."""
        example, symmetry = self.origin(index)
        taken = self.base.take(example)
        return dataclasses.replace(
            taken,
            own=_core.transform(taken.own, symmetry),
            other=_core.transform(taken.other, symmetry),
            move=_core.transform_move(taken.move, symmetry),
        )

    @cached_property
    def game(self) -> NDArray[np.uint32]:
        """The index of each image's game, uint32[n]."""
        return np.repeat(self.base.game, self._images())

    @cached_property
    def year(self) -> NDArray[np.uint16]:
        """The year of each image's game, uint16[n]."""
        return np.repeat(self.base.year, self._images())

    def _images(self) -> NDArray[np.int64]:
        """How many images each base example has."""
        return np.where(np.arange(len(self.base)) < self.whole, SYMMETRIES, _HALF)


AnyExamples = Examples | SymmetricExamples


def without_duplicates(examples: Examples, *, symmetric: bool = False) -> Examples:
    """Return each distinct (board, move) once, where it first appears; exactly, by comparison.

    Symmetric: of mirror images, only the first is kept, and value and count are of all of them.
    """
    index, _, group = _core.unique_examples(
        examples.own, examples.other, examples.move, symmetric=symmetric
    )
    # Sums of at most 2^32 whole results: exact in float64.
    count = np.bincount(group, examples.count, len(index))
    value = np.bincount(group, examples.value * examples.count, len(index)) / np.maximum(count, 1)
    return dataclasses.replace(
        examples.take(index), value=value.astype(np.float32), count=count.astype(np.uint32)
    )


def with_images(examples: Examples) -> SymmetricExamples:
    """Return all eight images of each example, duplicates included."""
    return SymmetricExamples(examples, len(examples))


def with_distinct_images(examples: Examples) -> SymmetricExamples:
    """Return the images of all examples, each distinct one once."""
    first = without_duplicates(examples, symmetric=True)
    images = _core.count_images(first.own, first.other, first.move)
    in_order = np.argsort(images != SYMMETRIES, kind="stable")
    return SymmetricExamples(first.take(in_order), int((images == SYMMETRIES).sum()))


def ceiling(examples: Examples) -> float:
    """Return the accuracy of a perfect predictor, which knows the most frequent move of each board.

    Each example counts once, whatever its `count`. Without examples it is 0.
    """
    if not len(examples):
        return 0.0
    index, times, _ = _core.unique_examples(examples.own, examples.other, examples.move)
    nothing = np.full(len(index), _core.PASS, np.uint8)
    boards, _, board = _core.unique_examples(examples.own[index], examples.other[index], nothing)
    best = np.zeros(len(boards), np.uint32)
    np.maximum.at(best, board, times)
    return int(best.sum(dtype=np.int64)) / len(examples)
