"""What GGF and SGF share: games of ``NAME[value]``, in which moves name their side."""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import BinaryIO, ClassVar, Generic, TypeVar

from outflank.errors import IllegalMoveError, RecordError
from outflank.othello import PASS, Color, Game, Move, Position
from outflank.records.format import Format, Problems, decode_text

_NAME = re.compile(rb"\s*([A-Za-z][A-Za-z0-9]*)")
_OPEN = re.compile(rb"\s*\[")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_LINE_BREAK = re.compile(r"\r\n|\n\r|\r|\n")
_NOT_PLAIN = re.compile(rb"[^ -\[\]-~]")  # not printable ASCII, or a backslash
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Property:
    """A name and its values, as they stand in the file: escaped, in the file's encoding."""

    name: str
    values: tuple[bytes, ...]

    @property
    def value(self) -> bytes:
        """The value of a property that may have only one."""
        if len(self.values) > 1:
            raise RecordError("more than one value", field=excerpt(self.name))
        return self.values[0]


class Scanner:
    """Goes through a file from mark to mark; every step moves forward, so all is read once.

    What is wrong with the syntax is raised as a RecordError, with the line and column; the
    scanner then stands where reading can go on.
    """

    def __init__(self, data: bytes, *, brackets_inside: bool) -> None:
        self.data = data
        self.at = 0  # bytes from the beginning
        # SGF allows an opening bracket inside a value. Where it is not allowed, it tells that
        # the value before it was not closed, and only that game is lost.
        self._stop = re.compile(rb"[\\\]]" if brackets_inside else rb"[\\\[\]]")
        self._line, self._line_begins, self._counted = 1, 0, 0

    def skip_past(self, mark: re.Pattern[bytes]) -> bytes | None:
        """Go behind the next mark; return the text before it, or None if there is no mark."""
        found = mark.search(self.data, self.at)
        if found is None:
            return None
        before = self.data[self.at : found.start()]
        self.at = found.end()
        return before

    def take(self, mark: re.Pattern[bytes]) -> bytes:
        """Go behind a mark if it stands here, and return it; else stay and return nothing."""
        found = mark.match(self.data, self.at)
        if found is None:
            return b""
        self.at = found.end()
        return found.group()

    def rest(self) -> bytes:
        """Return what follows, without going there."""
        return self.data[self.at :]

    def take_property(self) -> Property | None:
        """Read a name and its values if a name stands here."""
        found = _NAME.match(self.data, self.at)
        if found is None:
            return None
        name = found[1].decode("ascii")
        self.at = found.end()
        values = []
        while self.take(_OPEN):
            values.append(self._value(name))
        if not values:
            raise self.fault(f"{excerpt(name)} has no value; written as NAME[value]")
        return Property(name, tuple(values))

    def _value(self, name: str) -> bytes:
        """Read up to the closing bracket; the opening one is behind us."""
        begin = at = self.at
        while True:
            found = self._stop.search(self.data, at)
            if found is None or found.group() == b"[":
                fault = self.fault("the bracket is not closed", field=excerpt(name))
                if found is None:
                    self.at = len(self.data)  # nothing closes a later value either
                raise fault
            if found.group() == b"]":
                self.at = found.end()
                return self.data[begin : found.start()]
            at = found.end() + 1  # whatever is escaped

    def fault(self, problem: str, *, field: str = "") -> RecordError:
        """Make the error for a problem with the syntax where the scanner stands."""
        # Counted on from the last fault: a broken file may have one in every line.
        end = self.at
        self._line += self.data.count(b"\n", self._counted, end)
        self._line_begins = self.data.rfind(b"\n", self._counted, end) + 1 or self._line_begins
        self._counted = end
        column = end - self._line_begins + 1
        return RecordError(f"{problem} (line {self._line}, column {column})", field=field)


Syntax = TypeVar("Syntax")


class PropertyFormat(Format, Generic[Syntax]):
    """A file of games, one after another, with any other text between them.

    A game is read in two steps, so that a game with an illegal move still ends where it ends.
    """

    begin: ClassVar[re.Pattern[bytes]]  # how a game begins
    fragment: ClassVar[re.Pattern[bytes]]  # what text between games cannot have
    brackets_inside: ClassVar[bool]

    @abstractmethod
    def parse(self, scanner: Scanner) -> Syntax:
        """Read from behind the beginning of a game to behind its end."""

    @abstractmethod
    def build(self, syntax: Syntax) -> Game:
        """Make a game, or raise a RecordError that names the property or the move."""

    @abstractmethod
    def format(self, game: Game) -> str:
        """Write a game, or raise a RecordError that says what cannot be written."""

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Game]:
        """Yield the games; a bad one is left for the next beginning of a game."""
        scanner = Scanner(stream.read(), brackets_inside=self.brackets_inside)
        number = 0
        whole = True  # False behind a game that broke off: its rest is not reported again
        while (before := scanner.skip_past(self.begin)) is not None:
            if whole:
                self._refuse_fragment(before, problems)
            number += 1
            whole = False
            try:
                syntax = self.parse(scanner)
                whole = True
                game = self.build(syntax)
                refuse_result_without_moves(game)
            except RecordError as error:
                problems.report(error.problem, record=number, field=error.field)
                continue
            yield game
        if whole:
            self._refuse_fragment(scanner.rest(), problems)
        if number == 0 and scanner.data.strip():
            problems.report(f"no game found; {self.title} begin with (;")

    def write(self, games: Iterable[Game], stream: BinaryIO) -> None:
        """Write the games, each on a line of its own; what has no place in them is left out."""
        for number, game in enumerate(games, start=1):
            try:
                refuse_result_without_moves(game)
                text = self.format(game)
            except RecordError as error:
                raise RecordError(error.problem, record=number, field=error.field) from None
            stream.write(f"{text}\n".encode("utf-8", "replace"))

    def _refuse_fragment(self, between: bytes, problems: Problems) -> None:
        """Report a part of a game that would be lost if it were passed over."""
        if self.fragment.search(between):
            text = excerpt(read_text(between.strip()))
            problems.report(f"text outside a game: {text!r}; {self.title} begin with (;")


class ColoredMoves:
    """Moves that come with the side that plays them; forced passes may be left out."""

    def __init__(self, start: Position) -> None:
        self.position = start
        self.moves: list[Move] = []

    def play(self, color: Color, move: Move) -> None:
        """Play a move, after the other side's pass if that is forced and not recorded."""
        if color is not self.position.turn and not self.position.is_over:
            if not self.position.must_pass:
                turn = self.position.turn
                raise RecordError(f"a move is missing: it is {turn}'s turn, not {color}'s")
            self._play(PASS)
        try:
            self._play(move)
        except IllegalMoveError as error:
            raise RecordError(str(error)) from None

    def _play(self, move: Move) -> None:
        self.position = self.position.play(move)
        self.moves.append(move)


def refuse_result_without_moves(game: Game) -> None:
    """Raise RecordError for a played game whose moves are not there."""
    if game.result is not None and not game.moves and not game.start.is_over:
        raise RecordError("a result but no moves", field="RE")


def read_text(raw: bytes, charset: str = "") -> str:
    """Decode a value; line breaks become newlines, and escaped ones vanish.

    Without an encoding, or where it does not fit, the value is read as decode_text() does.
    """
    if not _NOT_PLAIN.search(raw):
        return raw.decode("ascii")  # as nearly all values are
    try:
        text = raw.decode(charset) if charset else ""
    except UnicodeDecodeError:
        text = ""
    # The bracket keeps a byte order mark that is part of a value from being taken for the file's.
    text = _LINE_BREAK.sub("\n", text or decode_text(b"[" + raw)[1:])
    return _ESCAPED.sub(lambda match: "" if match[1] == "\n" else match[1], text)


def one_line(text: str) -> str:
    """Write line breaks as spaces."""
    return _LINE_BREAK.sub(" ", text)


def escape(text: str, characters: str) -> str:
    """Put a backslash before each of some characters."""
    return re.sub(f"([{re.escape(characters)}])", r"\\\1", text)


def parse_number(text: str) -> float | None:
    """Read a decimal number, or return None for anything else."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def format_number(number: float) -> str:
    """Write a finite number with two decimals, or with as many as give it back exactly."""
    short = f"{number:.2f}"
    return short if float(short) == number else format(Decimal(repr(number)), "f")


def excerpt(text: str, length: int = 20) -> str:
    """Cut a text short for a message of one line."""
    if len(text) <= length and text.isprintable():
        return text
    printable = "".join(letter if letter.isprintable() else "?" for letter in text[:length])
    return printable + "..." if len(text) > length else printable
