"""Files of the Othello League (NAME.player): n-tuple networks, or weights of the squares.

The format, of numbers between white space, braces meaning nothing: how many tuples there are; then
for each its length and its number of placements, the squares of each placement (0 = a1, row by
row), and 3**length weights that all placements share. A weight's place is what is on the squares
read as a number of base 3, the first square its highest digit: 0 white, 1 empty, 2 black. A file of
64 weights has those of the squares instead, for black discs; white ones count as much against.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from outflank.errors import RecordError

LONGEST = 10  # squares of a tuple
MOST_PLACEMENTS = 4096  # of all tuples together

_WHOLE = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_LARGEST_WEIGHT = 1e100


@dataclass(frozen=True, eq=False)
class PlayerFile:
    """An n-tuple network as its file has it; each placement of a tuple counts by itself.

    Attributes:
        lengths: uint8[n], how many squares each placement has.
        squares: uint8, those of all placements, one after the other.
        offsets: uint32[n], where each placement's weights begin.
        weights: float64, of all tuples.
    """

    lengths: NDArray[np.uint8]
    squares: NDArray[np.uint8]
    offsets: NDArray[np.uint32]
    weights: NDArray[np.float64]

    @classmethod
    def of_squares(cls, weights: ArrayLike) -> PlayerFile:
        """Make a network of 64 tuples of one square from the weights of black discs."""
        black = np.asarray(weights, np.float64)
        return cls(
            np.ones(64, np.uint8),
            np.arange(64, dtype=np.uint8),
            np.arange(0, 3 * 64, 3, dtype=np.uint32),
            np.stack([-black, 0 * black, black], axis=1).ravel(),
        )

    @classmethod
    def parse(cls, data: bytes, source: str = "") -> PlayerFile:
        """Read a file's content; what is wrong with it is a RecordError that names `source`."""
        try:
            text = data.decode("ascii")
        except UnicodeDecodeError as error:
            problem = f"not a file of numbers: byte {error.start + 1} is {data[error.start]:#04x}"
            raise RecordError(problem, source=source) from None
        tokens = _Tokens(text.translate({ord("{"): " ", ord("}"): " "}).split(), source)
        if tokens.are_squares():
            network = cls.of_squares(tokens.weights(64, "of the squares"))
        else:
            network = _parse_tuples(tokens)
        tokens.end()
        return network


def _parse_tuples(tokens: _Tokens) -> PlayerFile:
    lengths: list[int] = []
    squares: list[int] = []
    offsets: list[int] = []
    weights: list[float] = []
    count = tokens.whole(1, MOST_PLACEMENTS, "the number of tuples")
    for number in range(1, count + 1):
        tuple_ = f"of tuple {number}"
        length = tokens.whole(1, LONGEST, f"the length {tuple_}")
        placements = tokens.whole(1, 8, f"the number of placements {tuple_}")
        if len(lengths) + placements > MOST_PLACEMENTS:
            tokens.refuse(f"at most {MOST_PLACEMENTS} placements in all", back=1)
        for placement in range(1, placements + 1):
            squares += tokens.squares(length, f"of placement {placement} {tuple_}")
        lengths += [length] * placements
        offsets += [len(weights)] * placements
        weights += tokens.weights(3**length, tuple_)
    return PlayerFile(
        np.array(lengths, np.uint8),
        np.array(squares, np.uint8),
        np.array(offsets, np.uint32),
        np.array(weights, np.float64),
    )


class _Tokens:
    """The numbers of a file, taken one after the other."""

    def __init__(self, tokens: Sequence[str], source: str) -> None:
        self._tokens = tokens
        self._source = source
        self._at = 0

    def are_squares(self) -> bool:
        """Return whether these are the weights of 64 squares, and not a network's beginning."""
        header = self._tokens[:3]
        return len(self._tokens) == 64 and not all(_WHOLE.fullmatch(token) for token in header)

    def whole(self, low: int, high: int, what: str) -> int:
        """Take a whole number from low to high."""
        token = self._take(wanted := f"{what}, {low} to {high}")
        if not _WHOLE.fullmatch(token) or not low <= int(token) <= high:
            self.refuse(wanted, back=1)
        return int(token)

    def squares(self, length: int, whose: str) -> list[int]:
        """Take the different squares of a placement."""
        taken: list[int] = []
        for number in range(1, length + 1):
            square = self.whole(0, 63, f"square {number} {whose}")
            if square in taken:
                self.refuse(f"a square that is not yet among those {whose}", back=1)
            taken.append(square)
        return taken

    def weights(self, count: int, whose: str) -> list[float]:
        """Take weights."""
        taken = []
        for number in range(1, count + 1):
            token = self._take(wanted := f"weight {number} of the {count} {whose}")
            if not _NUMBER.fullmatch(token) or abs(float(token)) > _LARGEST_WEIGHT:
                self.refuse(f"{wanted}, a number within {_LARGEST_WEIGHT:g}", back=1)
            taken.append(float(token))
        return taken

    def end(self) -> None:
        """Make sure that there is nothing left."""
        if self._at < len(self._tokens):
            self.refuse("the end of the file")

    def refuse(self, wanted: str, back: int = 0) -> NoReturn:
        """Say what is wanted in place of a token."""
        at = self._at - back
        if at < len(self._tokens):
            token = self._tokens[at]
            found = f"number {at + 1} is {token[:24] + '...' * (len(token) > 24)!r}"
        else:
            found = f"the file ends after {at} numbers" if at else "the file is empty"
        raise RecordError(f"{found}; expected {wanted}", source=self._source)

    def _take(self, wanted: str) -> str:
        if self._at == len(self._tokens):
            self.refuse(wanted)
        self._at += 1
        return self._tokens[self._at - 1]
