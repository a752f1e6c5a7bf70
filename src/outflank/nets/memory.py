"""A memory beside a network: what was played in frequent positions.

A network learns what positions have in common. It knows what experts prefer in a position that
hundreds of them have met less well than the records do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.data.positions import Positions, places_of
from outflank.errors import DataError
from outflank.nets.network import Prediction, legal_probabilities
from outflank.othello.boards import Boards

if TYPE_CHECKING:
    from pathlib import Path

    from outflank.nets.files import Tensors

_KINDS = {
    "own": np.uint64, "other": np.uint64, "count": np.uint32, "moves": np.uint8, "move": np.uint8,
    "share": np.float16, "doubt": np.float32,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Memory:
    """Canonical boards, ordered by their hash, with the moves that were played there.

    Attributes:
        own: uint64[n].
        other: uint64[n].
        count: uint32[n], how often the board occurred.
        moves: uint8[n], how many different moves were played there.
        move: uint8, the moves of all boards.
        share: float16, how often each was played.
        doubt: float32[1]; the memory's weight is n / (n + doubt) for a board that occurred n times.
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    count: NDArray[np.uint32]
    moves: NDArray[np.uint8]
    move: NDArray[np.uint8]
    share: NDArray[np.float16]
    doubt: NDArray[np.float32]
    # What every prediction needs, made once: hashes, where the moves begin, the most discs.
    _hash: NDArray[np.uint64] = field(init=False, repr=False)
    _first: NDArray[np.int64] = field(init=False, repr=False)
    _discs: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        discs = np.bitwise_count(self.own | self.other)
        object.__setattr__(self, "_hash", _core.hash(self.own, self.other))
        object.__setattr__(self, "_first", np.cumsum(self.moves, dtype=np.int64) - self.moves)
        object.__setattr__(self, "_discs", int(discs.max(initial=0)))

    def __len__(self) -> int:
        return len(self.own)

    @classmethod
    def gather(cls, positions: Positions, *, at_least: int, doubt: float) -> Memory:
        """Remember the positions that occurred at least `at_least` times."""
        often = np.flatnonzero(positions.count >= at_least)
        own, other = positions.own[often], positions.other[often]
        shares = _spread(own, other, positions.policies(often))
        order = np.argsort(_core.hash(own, other))
        row, move = np.nonzero(shares[order])
        return cls(
            own[order],
            other[order],
            positions.count[often][order],
            np.bincount(row, minlength=len(order)).astype(np.uint8),
            move.astype(np.uint8),
            shares[order][row, move].astype(np.float16),
            np.array([doubt], np.float32),
        )

    def recall(self, boards: Boards, logits: NDArray[np.float32]) -> None:
        """Mix what is remembered of some boards into a network's scores, in place."""
        few = np.flatnonzero(np.bitwise_count(boards.own | boards.other) <= self._discs)
        if not len(few) or not len(self):
            return
        least, symmetry = boards[few].canonical()
        place = np.searchsorted(self._hash, _core.hash(least.own, least.other)) % len(self)
        known = (self.own[place] == least.own) & (self.other[place] == least.other)
        few, place, symmetry = few[known], place[known], symmetry[known]
        if not len(few):
            return
        shares = self._shares(place, symmetry)
        part = (self.count[place] / (self.count[place] + self.doubt))[:, None].astype(np.float32)
        own = legal_probabilities(boards[few], Prediction(logits[few]))
        with np.errstate(divide="ignore"):  # of squares that are not legal
            logits[few] = np.log((1 - part) * own + part * shares)

    def _shares(self, place: NDArray[np.intp], symmetry: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the shares of the squares of boards that were turned by these symmetries."""
        row, index = places_of(self._first[place], self.moves[place].astype(np.int64))
        shares = np.zeros((len(place), 64), np.float32)
        shares[row, _BEFORE[symmetry[row], self.move[index]]] = self.share[index]
        shares /= shares.sum(axis=1, keepdims=True)  # they were rounded
        return shares

    def tensors(self) -> Tensors:
        """Return its arrays for a file."""
        return {f"memory.{name}": getattr(self, name) for name in _KINDS}

    @classmethod
    def take_from(cls, tensors: Tensors, path: Path | str) -> Memory | None:
        """Take a memory out of a file's tensors, if there is one."""
        found = {name: tensors.pop(f"memory.{name}", None) for name in _KINDS}
        parts = {name: array for name, array in found.items() if array is not None}
        if not parts:
            return None
        if parts.keys() != _KINDS.keys():
            raise DataError(f"{path}: a part of its memory is missing")
        boards, moves = parts["own"].shape, parts["move"].shape
        shapes = {"move": moves, "share": moves, "doubt": (1,)}
        fitting = all(
            array.dtype == _KINDS[name]
            and array.ndim == 1
            and array.shape == shapes.get(name, boards)
            for name, array in parts.items()
        )
        if (
            not fitting
            or int(parts["moves"].sum()) != moves[0]
            or not (parts["moves"] > 0).all()
            or not (parts["count"] > 0).all()
            or not ((parts["share"] > 0) & np.isfinite(parts["share"])).all()
            or not parts["doubt"][0] >= 0
            or not _all_legal(parts)
        ):
            raise DataError(f"{path}: the parts of its memory do not fit together")
        return cls(**parts)


def _all_legal(parts: Tensors) -> bool:
    """Return whether every move can be played on its board."""
    if (parts["own"] & parts["other"]).any():
        return False
    board = np.repeat(np.arange(len(parts["own"])), parts["moves"])
    legal = _core.legal_moves(parts["own"], parts["other"])[board]
    on_board = parts["move"] < 64
    squares = np.where(on_board, parts["move"], 0).astype(np.uint64)
    return bool((on_board & ((legal >> squares) & np.uint64(1) == 1)).all())


def _squares_before() -> NDArray[np.uint8]:
    """Return for each symmetry and square the square that it leads there."""
    bits = np.uint64(1) << np.arange(64, dtype=np.uint64)
    before = np.zeros((8, 64), np.uint8)
    for symmetry in range(8):
        images = _core.transform(bits, symmetry)
        before[symmetry, np.bitwise_count(images - np.uint64(1))] = np.arange(64)
    return before


_BEFORE = _squares_before()


def _spread(
    own: NDArray[np.uint64], other: NDArray[np.uint64], shares: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Give moves that are images of each other, on a board that is its own image, equal shares."""
    sums, images = shares.copy(), np.ones(len(own), np.int64)
    for symmetry in range(1, 8):
        same = (_core.transform(own, symmetry) == own) & (_core.transform(other, symmetry) == other)
        sums[same] += shares[same][:, _BEFORE[symmetry]]
        images[same] += 1
    spread: NDArray[np.float32] = (sums / images[:, None]).astype(np.float32)
    return spread
