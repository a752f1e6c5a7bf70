"""Chance that comes from keys: random numbers and orders that are computed where they are needed.

What is drawn depends on a key and a place alone, never on what was drawn before. So games come out
the same in whatever batches and on whatever processes they are played, a run that is resumed in the
middle of an epoch sees what it would have seen, and forty million places take no memory.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

from outflank import _core

Keys = NDArray[np.uint64]  # one random key for each board, game or place
Places = NDArray[np.int64]

_ROUNDS = 6  # of the Feistel network
_PARTS = 1 << 16  # resolution of a probability


def key_of(*parts: object) -> int:
    """Make a 64-bit key from words and numbers."""
    text = "\0".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def keys_of(key: int | Keys, numbers: ArrayLike) -> Keys:
    """Make new keys from one key or several, and a number for each or one for all: uint64[n]."""
    keys, mixed = np.broadcast_arrays(np.asarray(key, np.uint64), np.asarray(numbers, np.uint64))
    return _core.hash(np.ascontiguousarray(keys), np.ascontiguousarray(mixed))


def keys_at_ply(keys: Keys, ply: int) -> Keys:
    """Make the keys of one ply from the keys of games: uint64[n]."""
    return keys_of(keys, ply)


def generator_of(key: int) -> np.random.Generator:
    """Return NumPy's generator, begun with a key: for many numbers in a row."""
    return np.random.default_rng(key)


def draws(places: NDArray[np.integer], below: int, *key: object) -> Places:
    """Return a random number 0..below-1 for each place, int64[n]; `below` is far under 2^32."""
    numbers = np.ascontiguousarray(places, np.uint64)
    mixed = _core.hash(np.full(len(numbers), key_of(*key), np.uint64), numbers, 1)
    return (((mixed >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32)).astype(np.int64)


def chance(places: NDArray[np.integer], probability: float, *key: object) -> NDArray[np.bool_]:
    """Say yes at each place with a probability, bool[n]; it is rounded up to 1/65536."""
    drawn: NDArray[np.bool_] = draws(places, _PARTS, *key) < probability * _PARTS
    return drawn


def sample(size: int, probability: float, seed: int) -> NDArray[np.bool_]:
    """Choose each of the numbers 0..size-1 with a probability, bool[size].

    Like `chance` for all places at once, and the probability is not rounded.
    """
    if probability == 1:
        return np.ones(size, np.bool_)
    return _core.random_numbers(seed, size) < np.uint64(int(probability * 2**64))


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
