"""Random orders and random numbers that are computed where they are needed, from a key.

What comes at one place depends on the key and the place alone. So a run that is resumed in the
middle of an epoch sees what it would have seen, and forty million places take no memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.arena.keys import key_of

Places = NDArray[np.int64]

_ROUNDS = 6


class Shuffle:
    """A random order of the numbers 0..size-1.

    A Feistel network, which is a bijection whatever its rounds do, permutes the numbers below a
    power of four; a result that is too large is permuted again until it is not.
    """

    def __init__(self, size: int, *key: object) -> None:
        self.size = size
        self._half = np.uint64(max(1, ((size - 1).bit_length() + 1) // 2))
        self._mask = (np.uint64(1) << self._half) - np.uint64(1)
        self._keys = [np.uint64(key_of(*key, "round", number)) for number in range(_ROUNDS)]

    def __call__(self, places: NDArray[np.integer]) -> Places:
        """Return the numbers at some places, int64[n]."""
        if len(places) and not (places.min() >= 0 and places.max() < self.size):
            raise IndexError(f"the order has {self.size} places")
        found = self._permute(places.astype(np.uint64))
        while (outside := np.flatnonzero(found >= self.size)).size:
            found[outside] = self._permute(found[outside])
        return found.astype(np.int64)

    def _permute(self, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        left, right = numbers >> self._half, numbers & self._mask
        for key in self._keys:
            mixed = _core.hash(np.full(len(right), key, np.uint64), right, 1)
            left, right = right, left ^ (mixed & self._mask)
        return (left << self._half) | right


def draws(places: NDArray[np.integer], below: int, *key: object) -> Places:
    """Return a random number 0..below-1 for each place, int64[n]; `below` is far under 2^32."""
    numbers = np.ascontiguousarray(places, np.uint64)
    mixed = _core.hash(np.full(len(numbers), key_of(*key), np.uint64), numbers, 1)
    return (((mixed >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32)).astype(np.int64)
