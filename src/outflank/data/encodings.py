"""Boards and moves as networks take them: input planes, and paper 1's sixty classes of moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.data.examples import Examples
from outflank.data.planes import CORE_PLANES, board_planes
from outflank.errors import DataError
from outflank.othello.boards import Boards

_CENTRE = (27, 28, 35, 36)  # d4, e4, d5, e5 are taken from the start

CLASSES = 60
SQUARE_OF_CLASS = np.array([square for square in range(64) if square not in _CENTRE], np.uint8)
CLASS_OF_SQUARE = np.full(64, -1, np.int8)  # -1: the centre
CLASS_OF_SQUARE[SQUARE_OF_CLASS] = np.arange(CLASSES)
SQUARE_OF_CLASS.flags.writeable = CLASS_OF_SQUARE.flags.writeable = False


@dataclass(frozen=True)
class Encoding:
    """A way to show boards to a network, as planes of 8 x 8 with a1 first, row by row."""

    name: str
    planes: tuple[str, ...]  # of outflank.data.planes.PLANES

    @overload
    def encode(
        self, boards: Boards | Examples, dtype: type[np.float32] = ..., *, threads: int = 0
    ) -> NDArray[np.float32]: ...
    @overload
    def encode(
        self, boards: Boards | Examples, dtype: type[np.uint8], *, threads: int = 0
    ) -> NDArray[np.uint8]: ...
    def encode(
        self,
        boards: Boards | Examples,
        dtype: type[np.float32] | type[np.uint8] = np.float32,
        *,
        threads: int = 0,
    ) -> NDArray[np.float32] | NDArray[np.uint8]:
        """Return the planes of boards, of shape [n, planes, 8, 8].

        They are zeros and ones, but for the planes of corners, which uint8 cannot hold.
        """
        if not set(self.planes) <= set(CORE_PLANES):
            if dtype is np.uint8:
                raise ValueError(f"{self.name} has planes that are made as float32 only")
            return board_planes(boards.own, boards.other, self.planes, threads=threads)
        planes = _core.planes if dtype is np.float32 else _core.planes_uint8
        return planes(boards.own, boards.other, list(self.planes), threads)


# The three of paper 1, section IV.
ENCODINGS = {
    encoding.name: encoding
    for encoding in (
        Encoding("pieces", ("own", "other")),
        Encoding("ones", ("own", "other", "ones")),
        Encoding("vmoves", ("own", "other", "legal")),
    )
}


# What a value network may be shown: features of Ng (2017), joined by + in an encoding's name.
FEATURES: dict[str, tuple[str, ...]] = {
    "raw": ("empty", "other", "own"),
    "border": ("border",),
    "corner": ("corner",),  # corners and border in one plane
    "corner-10": ("corner-10",),
    "freemove": ("legal",),
    "replies": ("replies",),
    "stable": ("own-stable", "other-stable"),
    "frontier": ("own-frontier", "other-frontier"),
    "gaps": ("gaps-1", "gaps-2"),
}


def find_encoding(name: str) -> Encoding:
    """Return the encoding of a name: one of ENCODINGS, or FEATURES joined by +."""
    if name in ENCODINGS:
        return ENCODINGS[name]
    parts = name.split("+")
    if not set(parts) <= FEATURES.keys():
        raise DataError(
            f"no such encoding: {name!r}; encodings are {', '.join(ENCODINGS)}, or some of "
            f"{', '.join(FEATURES)}, joined by +"
        )
    if len(set(parts)) < len(parts):
        raise DataError(f"encoding {name!r}: names a feature twice")
    return Encoding(name, tuple(plane for part in parts for plane in FEATURES[part]))
