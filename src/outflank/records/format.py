"""What a record format is, and how problems in files are reported.

A format is one module with one class. It reads a stream of games from bytes and writes games to
bytes; files, names and extensions are the business of ``outflank.records``.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, ClassVar

from outflank.errors import RecordError
from outflank.files import open_to_read, open_to_write
from outflank.othello import Game


class ReadingStoppedError(RecordError):
    """A file whose rest is not read, even when lenient."""


@dataclass
class Problems:
    """Where a reader takes what it cannot read.

    Strict, the first problem is raised. Lenient, the bad game is skipped and its problem kept.
    """

    source: str = ""  # the file's name, for messages
    lenient: bool = False
    found: list[RecordError] = field(default_factory=list)
    most: int = 100_000  # problems after which the rest is not read
    until: float | None = None  # on the monotonic clock, when reading must be done

    def report(self, problem: str, *, record: int | None = None, field: str = "") -> None:
        """Raise the problem (strict) or keep it (lenient). Records are counted from 1."""
        error = self.error(problem, record=record, field=field)
        if not self.lenient:
            raise error
        if len(self.found) >= self.most:
            raise ReadingStoppedError(
                f"more than {self.most:,} problems: the rest was not read", source=self.source
            )
        self.found.append(error)
        self.check_time()

    def check_time(self) -> None:
        """Raise ReadingStoppedError if reading takes too long; readers ask after every game."""
        if self.until is not None and time.monotonic() > self.until:
            raise ReadingStoppedError(
                "reading takes too long: the rest was not read", source=self.source
            )

    def error(self, problem: str, *, record: int | None = None, field: str = "") -> RecordError:
        """Make the error for a problem that ends the reading even when lenient."""
        return RecordError(problem, source=self.source, record=record, field=field)


class Format(ABC):
    """One way to keep games in a file."""

    name: ClassVar[str]  # in commands: --format ggf
    title: ClassVar[str]  # for people
    extensions: ClassVar[tuple[str, ...]]  # lower case, with the dot; the first is the usual one

    @abstractmethod
    def recognises(self, head: bytes) -> bool:
        """Tell from a file's first kilobytes whether it is of this format."""

    @abstractmethod
    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Game]:
        """Yield the games of a stream; a bad game goes to problems.report()."""

    @abstractmethod
    def write(self, games: Iterable[Game], stream: BinaryIO) -> None:
        """Write games to a stream; what the format cannot hold raises RecordError."""

    def read_file(self, path: Path, problems: Problems) -> Iterator[Game]:
        """Yield the games of a file; formats of several files find the others here."""
        with open_to_read(path) as stream:
            yield from self.read(stream, problems)

    def write_file(self, games: Iterable[Game], path: Path) -> None:
        """Write games to a file that appears only when it is complete."""
        with open_to_write(path) as stream:
            self.write(games, stream)


def decode_text(data: bytes) -> str:
    """Decode text that is UTF-8, or else Latin-1, as older programs wrote it."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
