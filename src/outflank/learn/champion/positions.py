"""Positions with their scores, in files of a run's folder that outlive its process."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import chance
from outflank.errors import DataError
from outflank.files import read_bytes, write_bytes


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions from the movers' view, and the scores that their games ended with.

    Attributes:
        own: uint64[n], the mover's discs.
        other: uint64[n], the opponent's.
        score: float32[n], in discs; the mean score of all games that reached the position.
        value: float32[n], the mean of what searches found in these games, in discs.
        game: int64[n], the number of the first of these games.
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    score: NDArray[np.float32]
    value: NDArray[np.float32]
    game: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.own)

    def take(self, chosen: NDArray[np.bool_] | NDArray[np.integer]) -> Positions:
        """Return some of them."""
        return Positions(
            self.own[chosen],
            self.other[chosen],
            self.score[chosen],
            self.value[chosen],
            self.game[chosen],
        )

    @property
    def empties(self) -> NDArray[np.int64]:
        """The number of empty squares of each."""
        number: NDArray[np.int64] = 64 - np.bitwise_count(self.own | self.other).astype(np.int64)
        return number

    def save(self, path: Path) -> None:
        """Write them into a file, whole or not at all. Scores must be whole numbers."""
        stream = io.BytesIO()
        np.savez(
            stream, own=self.own, other=self.other, score=self.score.astype(np.int8),
            value=self.value, game=self.game,
        )  # fmt: skip
        write_bytes(path, stream.getvalue())

    @classmethod
    def load(cls, path: Path) -> Positions:
        """Read a file that `save` wrote."""
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
                return cls(
                    arrays["own"],
                    arrays["other"],
                    arrays["score"].astype(np.float32),
                    arrays["value"].astype(np.float32),
                    arrays["game"].astype(np.int64),
                )
        except (KeyError, ValueError, OSError, zipfile.BadZipFile) as error:
            raise DataError(f"{path}: not a file of positions: {error}") from None

    @classmethod
    def concatenate(cls, parts: Sequence[Positions]) -> Positions:
        """Join some in their order."""
        return cls(
            np.concatenate([part.own for part in parts]),
            np.concatenate([part.other for part in parts]),
            np.concatenate([part.score for part in parts]),
            np.concatenate([part.value for part in parts]),
            np.concatenate([part.game for part in parts]),
        )

    def distinct(self) -> Positions:
        """Return one of each set of mirror images, with the means of their scores and values."""
        passes = np.full(len(self), _core.PASS, np.uint8)
        index, count, group = _core.unique_examples(self.own, self.other, passes, symmetric=True)
        score, value = (
            (np.bincount(group, numbers, minlength=len(index)) / count).astype(np.float32)
            for numbers in (self.score, self.value)
        )
        return Positions(self.own[index], self.other[index], score, value, self.game[index])

    def labels(self, search_share: float) -> NDArray[np.float32]:
        """Return what to fit to: a mean of searches' values, of this weight, and scores."""
        share = np.float32(search_share)
        mixed: NDArray[np.float32] = share * self.value + (1 - share) * self.score
        return mixed

    def split(self, held_out: float, seed: int) -> tuple[Positions, Positions]:
        """Return those to learn from and the held-out ones. Games are never divided."""
        held = chance(self.game, held_out, "held out", seed)
        return self.take(~held), self.take(held)


def distinct_sets(training: Positions, held: Positions) -> tuple[Positions, Positions]:
    """Remove mirror images within both sets, and from the held-out one what is in training."""
    training, held = training.distinct(), held.distinct()
    both = Positions.concatenate([training, held])
    passes = np.full(len(both), _core.PASS, np.uint8)
    index, _, _ = _core.unique_examples(both.own, both.other, passes, symmetric=True)
    new = np.zeros(len(both), np.bool_)
    new[index] = True
    return training, held.take(new[len(training) :])
