"""Squares and moves, and how they are written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from outflank.errors import NotationError

_PASS = 64
_PASS_WORDS = frozenset({"pass", "pa", "ps", "--"})


class Move(int):
    """A square to play on, or a pass: an integer 0..63 (a1 = 0, h1 = 7, h8 = 63), or 64.

    Made from a number or from its name, in upper or lower case:

    >>> Move("f5"), int(Move("f5")), Move(64)
    (Move('f5'), 37, Move('pass'))
    """

    __slots__ = ()

    def __new__(cls, move: int | str) -> Move:  # noqa: D102  # the class says it
        if isinstance(move, Move):
            return move
        number = _number_of(move) if isinstance(move, str) else int(move)
        if not 0 <= number <= _PASS:
            raise NotationError(f"no such move: {move!r}; moves are a1..h8 (0..63) and pass (64)")
        return _MOVES[number] if _MOVES else super().__new__(cls, number)

    @property
    def name(self) -> str:
        """The move in text: 'a1'..'h8' or 'pass'."""
        return _NAMES[self]

    @property
    def is_pass(self) -> bool:
        """True for the pass."""
        return self == _PASS

    @property
    def row(self) -> int:
        """Row from the top, 0..7 (of a square)."""
        return int(self) // 8

    @property
    def column(self) -> int:
        """Column from the left, 0..7 (of a square)."""
        return int(self) % 8

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"Move('{_NAMES[self]}')"

    def __format__(self, spec: str) -> str:
        return format(_NAMES[self], spec)

    def __reduce__(self) -> tuple[type[Move], tuple[int]]:
        return Move, (int(self),)


_NAMES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"] + ["pass"]
_NUMBERS = {name: number for number, name in enumerate(_NAMES)}
_MOVES: list[Move] = []
_MOVES.extend([Move(number) for number in range(65)])

SQUARES: tuple[Move, ...] = tuple(_MOVES[:64])
PASS: Move = _MOVES[64]


def _number_of(text: str) -> int:
    name = text.strip().lower()
    if name in _PASS_WORDS:
        return _PASS
    try:
        return _NUMBERS[name]
    except KeyError:
        raise NotationError(f"not a move: {text!r}; moves are a1..h8 and pass") from None


def squares_of(bits: int) -> Iterator[Move]:
    """Yield the squares of a bitboard, from a1 on."""
    while bits:
        lowest = bits & -bits
        yield _MOVES[lowest.bit_length() - 1]
        bits ^= lowest


@lru_cache(maxsize=4096)
def moves_of(bits: int) -> tuple[Move, ...]:
    """Return the squares of a bitboard as a tuple."""
    return tuple(squares_of(bits))
