"""A position: discs and the side to move, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from outflank import _core
from outflank.errors import IllegalMoveError, NotationError
from outflank.othello import notation
from outflank.othello.colors import BLACK, WHITE, Color
from outflank.othello.draw import svg, text
from outflank.othello.moves import PASS, Move, moves_of

if TYPE_CHECKING:
    from outflank.othello.draw.terminal import BoardPicture

_ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Position:
    """Black's and white's discs as bitboards (bit 0 is a1, bit 63 is h8) and the side to move.

    Immutable and hashable: playing a move returns a new position.

    >>> position = Position.start()
    >>> position.legal_moves
    (Move('d3'), Move('c4'), Move('f5'), Move('e6'))
    >>> position.play("f5").turn
    <Color.WHITE: 'white'>
    """

    black: int
    white: int
    turn: Color = BLACK

    def __post_init__(self) -> None:
        if self.black & self.white:
            raise NotationError("a square cannot hold a black and a white disc")
        if not (0 <= self.black <= _ALL and 0 <= self.white <= _ALL):
            raise NotationError("a bitboard has 64 bits")
        if not isinstance(self.turn, Color):
            try:
                object.__setattr__(self, "turn", Color(self.turn))
            except ValueError:
                raise NotationError(
                    f"not a side: {self.turn!r}; sides are black and white"
                ) from None

    @classmethod
    def start(cls) -> Position:
        """Return the position in which a game begins: black to move, black on d5 and e4."""
        return _START

    @classmethod
    def from_string(cls, board: str, turn: Color | str | None = None) -> Position:
        """Read 64 squares row by row, with the side to move behind them or as an argument.

        >>> Position.from_string("-" * 27 + "OX------XO" + "-" * 27 + " X") == Position.start()
        True
        """
        black, white, given = notation.parse_board(board)
        return cls(black, white, Color(turn) if turn is not None else given or BLACK)

    @classmethod
    def from_bits(cls, own: int, other: int, turn: Color | str = BLACK) -> Position:
        """Make a position from the mover's view, as _core and networks see it."""
        turn = Color(turn)
        own, other = int(own), int(other)
        return cls(own, other, turn) if turn is BLACK else cls(other, own, turn)

    def to_string(self, style: str = "edax") -> str:
        """Write the board and the side to move on one line; styles are edax, openings, ggf."""
        return notation.format_board(self.black, self.white, self.turn, style)

    @property
    def own(self) -> int:
        """Discs of the side to move, as a bitboard."""
        return self.black if self.turn is BLACK else self.white

    @property
    def other(self) -> int:
        """Discs of the opponent of the side to move, as a bitboard."""
        return self.white if self.turn is BLACK else self.black

    @property
    def bits(self) -> tuple[int, int]:
        """The pair (own, other)."""
        return (self.black, self.white) if self.turn is BLACK else (self.white, self.black)

    @property
    def empties(self) -> int:
        """Number of empty squares."""
        return 64 - self.discs

    @property
    def discs(self) -> int:
        """Number of discs on the board."""
        return (self.black | self.white).bit_count()

    def count(self, color: Color | str) -> int:
        """Return the number of discs of one colour."""
        return (self.black if Color(color) is BLACK else self.white).bit_count()

    def color_at(self, square: Move | int | str) -> Color | None:
        """Return the colour of the disc on a square, or None."""
        bit = 1 << Move(square)
        return BLACK if self.black & bit else WHITE if self.white & bit else None

    @property
    def legal_squares(self) -> int:
        """Squares where the mover may place a disc, as a bitboard."""
        return _core.legal_moves(*self.bits)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All moves of the mover, from a1 on.

        The only move is PASS when the mover can place no disc but the opponent can; there is
        no move at all exactly when the game is over.
        """
        squares = self.legal_squares
        if squares:
            return moves_of(squares)
        return (PASS,) if _core.legal_moves(self.other, self.own) else ()

    @property
    def must_pass(self) -> bool:
        """True if the mover's only move is to pass."""
        return not self.legal_squares and not self.is_over

    @property
    def is_over(self) -> bool:
        """True if neither side can place a disc."""
        return _core.is_over(*self.bits)

    def is_legal(self, move: Move | int | str) -> bool:
        """Return whether the mover may play this move."""
        move = Move(move)
        return self.must_pass if move.is_pass else bool(self.legal_squares >> move & 1)

    def flips(self, square: Move | int | str) -> tuple[Move, ...]:
        """Return the discs that a move to this square would flip; none if it is illegal."""
        square = Move(square)
        if square.is_pass or self.color_at(square):
            return ()
        return moves_of(_core.flips(*self.bits, square))

    def play(self, move: Move | int | str) -> Position:
        """Return the position after a legal move ('f5', 'pass', a Move or its number)."""
        move = Move(move)
        try:
            own, other = _core.play(*self.bits, move)
        except ValueError:
            raise IllegalMoveError(self._why_illegal(move)) from None
        return Position.from_bits(own, other, self.turn.other)

    def _why_illegal(self, move: Move) -> str:
        if self.is_over:
            return f"{move} is illegal: the game is over"
        if move.is_pass:
            return f"{self.turn} may not pass: there are legal moves"
        if self.must_pass:
            return f"{move} is illegal: {self.turn} has no move and must pass"
        if self.color_at(move):
            return f"{move} is illegal: the square is taken"
        return f"{move} is illegal: it outflanks no {self.turn.other} disc"

    @property
    def disc_difference(self) -> int:
        """The mover's discs minus the opponent's."""
        return self.own.bit_count() - self.other.bit_count()

    @property
    def score(self) -> int:
        """Disc difference from the mover's view, with the empty squares given to the winner.

        This is the result of the game if it ends here, -64..64.
        """
        return _core.final_score(*self.bits)

    def score_of(self, color: Color | str) -> int:
        """Return the score from one side's view."""
        return self.score if Color(color) is self.turn else -self.score

    @property
    def winner(self) -> Color | None:
        """The side with more discs if the game is over; None for a draw or an unfinished game."""
        if not self.is_over or self.score == 0:
            return None
        return self.turn if self.score > 0 else self.turn.other

    @property
    def stable_discs(self) -> int:
        """Discs of both colours that can never be flipped (a lower bound), as a bitboard."""
        return _core.stable_discs(*self.bits)

    @property
    def frontier(self) -> int:
        """Discs of both colours that touch an empty square, as a bitboard."""
        return _core.frontier(*self.bits)

    @property
    def potential_mobility(self) -> int:
        """Empty squares that touch an opponent's disc, as a bitboard."""
        return _core.potential_mobility(*self.bits)

    @property
    def hash64(self) -> int:
        """A 64-bit hash of the mover's view, the same on every machine and in every run."""
        return _core.hash(*self.bits)

    def transform(self, symmetry: int) -> Position:
        """Return the image under one of the eight symmetries, 0..7.

        Bit 2 of the number transposes, then bit 0 mirrors left and right, then bit 1 mirrors
        top and bottom.
        """
        return Position(
            _core.transform(self.black, symmetry), _core.transform(self.white, symmetry), self.turn
        )

    def canonical(self) -> tuple[Position, int]:
        """Return the smallest of the eight images and the symmetry that leads to it."""
        own, other, symmetry = _core.canonical(*self.bits)
        return Position.from_bits(own, other, self.turn), symmetry

    def perft(self, depth: int) -> int:
        """Count the move sequences of a length; a pass is a ply, a finished game one leaf."""
        return _core.perft(*self.bits, depth)

    def text(self, *, unicode: bool = False, legal: bool = False) -> str:
        """Draw the board in plain text, if wanted with Unicode discs and legal moves marked."""
        return text.draw(self, unicode=unicode, legal=legal)

    def svg(self, *, size: int = 360, last: Move | None = None, legal: bool = True) -> str:
        """Draw the board as an SVG picture, size pixels wide."""
        return svg.draw(self, size=size, last=last, legal=legal)

    def __str__(self) -> str:
        return text.draw(self)

    def __repr__(self) -> str:
        return f"Position.from_string('{self.to_string()}')"

    def __rich__(self) -> BoardPicture:
        from outflank.othello.draw import terminal  # Rich is slow to import

        return terminal.BoardPicture(self)

    def _repr_svg_(self) -> str:
        return svg.draw(self)


_START = Position.from_string("-" * 27 + "OX------XO" + "-" * 27 + "X")
