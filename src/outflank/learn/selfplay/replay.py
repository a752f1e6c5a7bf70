"""The replay buffer: positions of the last games, on disk as bitboards, a file a generation.

A file appears when it is whole, and goes when no checkpoint needs its games any more; so the
folder is as large as the window of games that are learned from, and no larger.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.data.positions import places_of
from outflank.errors import DataError, FileError
from outflank.nets.files import Tensors, load_tensors, save_tensors
from outflank.othello.boards import Boards

KIND = "self-play"
SYMMETRIES = 8
_NAME = re.compile(r"generation-([0-9]{6})\.safetensors")
_WHOLE = 65535  # a share of 1, as it is kept


@dataclass(frozen=True, eq=False)
class PlayedPositions:
    """PlayedPositions of self-play, from the movers' views.

    Attributes:
        own, other: uint64[n].
        shares: uint16[m], what the search made of the legal moves of all positions, in the order
            of positions and squares, in parts of 65535; zeros if a position teaches no policy.
        value: float16[n], of the search, in [-1, 1].
        outcome: int8[n], the final difference of discs.
        surprise: float16[n], how far the search was from the network's policy (KL, in nats).
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    shares: NDArray[np.uint16]
    value: NDArray[np.float16]
    outcome: NDArray[np.int8]
    surprise: NDArray[np.float16]

    def __len__(self) -> int:
        return len(self.own)

    @staticmethod
    def of_games(played: Mapping[str, NDArray[Any]]) -> PlayedPositions:
        """Pack what `_core.play_selfplay` returns."""
        own, other = played["own"], played["other"]
        policy = np.where(played["full"][:, None], played["policy"], np.float32(0))
        shares = np.rint(policy[_legal(own, other)] * _WHOLE).astype(np.uint16)
        return PlayedPositions(
            own,
            other,
            shares,
            played["value"].astype(np.float16),
            played["outcome"],
            np.minimum(played["surprise"], np.float32(60)).astype(np.float16),
        )

    @staticmethod
    def join(parts: list[PlayedPositions]) -> PlayedPositions:
        """Put positions behind each other."""
        names = PlayedPositions.__dataclass_fields__
        return PlayedPositions(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
        )

    def tensors(self) -> Tensors:
        """Return all arrays by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def _legal(own: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.bool_]:
    legal: NDArray[np.bool_] = Boards(own, other, np.zeros(len(own), np.bool_)).legal_mask()
    return legal[:, :64]


class Window:
    """The positions that are learned from, with quick access to any of them."""

    def __init__(self, positions: PlayedPositions) -> None:
        self.positions = positions
        boards = Boards(positions.own, positions.other, np.zeros(len(positions), np.bool_))
        self.moves = np.bitwise_count(boards.legal_moves()).astype(np.int64)
        self.first = np.cumsum(self.moves) - self.moves

    def __len__(self) -> int:
        return len(self.positions)

    def policies(self, index: NDArray[np.integer]) -> NDArray[np.float32]:
        """Return the policy targets of some positions: float32[n, 64], rows of 1 or of zeros."""
        _, place = places_of(self.first[index], self.moves[index])
        legal = _legal(self.positions.own[index], self.positions.other[index])
        policies = np.zeros(legal.shape, np.float32)
        policies[legal] = self.positions.shares[place]
        total = policies.sum(axis=1, keepdims=True)
        total[total == 0] = 1
        policies /= total
        return policies


def mirrored(
    own: NDArray[np.uint64],
    other: NDArray[np.uint64],
    policies: NDArray[np.float32],
    symmetry: NDArray[np.uint8],
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.float32]]:
    """Return positions and their policy targets as a symmetry each, 0-7, shows them."""
    if not symmetry.any():
        return own, other, policies
    squares = np.tile(np.arange(64, dtype=np.uint8), len(own))
    images = _core.transform_move(squares, np.repeat(symmetry, 64)).reshape(-1, 64)
    turned = np.empty_like(policies)
    np.put_along_axis(turned, images.astype(np.int64), policies, axis=1)
    return _core.transform(own, symmetry), _core.transform(other, symmetry), turned


class Replay:
    """The files of a run's replay buffer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, generation: int) -> Path:
        """Return where the games of a generation are, counted from 1."""
        return self.folder / f"generation-{generation:06d}.safetensors"

    def save(self, generation: int, positions: PlayedPositions, facts: Mapping[str, Any]) -> None:
        """Write the games of a generation."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(self.folder, "make the folder", error) from error
        save_tensors(self.path(generation), positions.tensors(), kind=KIND, facts=facts)

    def load(self, generation: int) -> tuple[PlayedPositions, dict[str, Any]]:
        """Read the games of a generation."""
        path = self.path(generation)
        tensors, facts = load_tensors(path, kind=KIND)
        kinds = {
            "own": np.uint64, "other": np.uint64, "shares": np.uint16, "value": np.float16,
            "outcome": np.int8, "surprise": np.float16,
        }  # fmt: skip
        for name, kind in kinds.items():
            if name not in tensors or tensors[name].dtype != kind or tensors[name].ndim != 1:
                raise DataError(f"{path}: {name} is missing or of another kind")
        positions = PlayedPositions(**{name: tensors[name] for name in kinds})
        sizes = {len(tensors[name]) for name in kinds if name != "shares"}
        if sizes != {len(positions)} or len(positions.shares) != _moves(positions):
            raise DataError(f"{path}: its arrays do not fit together")
        return positions, facts

    def has(self, generation: int) -> bool:
        """Return whether the games of a generation are there."""
        return self.path(generation).is_file()

    def keep(self, first: int, last: int) -> None:
        """Remove the files of all other generations than these."""
        if not self.folder.is_dir():
            return
        for path in self.folder.iterdir():
            matched = _NAME.fullmatch(path.name)
            if matched and not first <= int(matched[1]) <= last:
                path.unlink(missing_ok=True)


def _moves(positions: PlayedPositions) -> int:
    """Return how many legal moves some positions have in all."""
    boards = Boards(positions.own, positions.other, np.zeros(len(positions), np.bool_))
    return int(np.bitwise_count(boards.legal_moves()).sum())
