"""Random keys: chance in a game comes from its key alone, not from who plays it when and where."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import ArrayLike

from outflank import _core
from outflank.players import Keys


def key_of(*parts: object) -> int:
    """Make a 64-bit key from words and numbers."""
    text = "\0".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def keys_of(key: int, numbers: ArrayLike) -> Keys:
    """Make a key for each number from one key: uint64[n]."""
    numbers = np.ascontiguousarray(numbers, np.uint64)
    return _core.hash(np.full(len(numbers), key, np.uint64), numbers)


def keys_at_ply(keys: Keys, ply: int) -> Keys:
    """Make the keys of one ply from the keys of games: uint64[n]."""
    return _core.hash(keys, np.full(len(keys), ply, np.uint64))
