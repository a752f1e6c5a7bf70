"""What a fetch tells: while it runs, by Progress; at its end, by a FetchReport."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from outflank.errors import DownloadError


class NotOnServerError(DownloadError):
    """The server does not have the file."""


class UnreachableError(DownloadError):
    """The server cannot be reached: its other files need not be tried."""


class FileOutcome(Enum):
    """What became of one file; the value is for people."""

    DOWNLOADED = "downloaded"
    RESUMED = "resumed"  # downloaded, a part of it by an earlier attempt
    UNCHANGED = "unchanged"  # the server has nothing newer
    ALREADY_THERE = "already there"  # whole in the store; the server was not asked
    COPIED = "copied"  # from a folder
    NOT_PUBLISHED = "not published yet"
    FAILED = "failed"


@dataclass(frozen=True)
class FileResult:
    """What became of one file."""

    name: str
    path: Path  # where it is, or would be
    outcome: FileOutcome
    received: int = 0  # bytes that came over the network, those of cut attempts included
    problem: str | None = None  # of a failed file, one line


@dataclass(frozen=True)
class FetchReport:
    """What became of all files of a fetch."""

    folder: Path
    files: tuple[FileResult, ...]

    @property
    def failed(self) -> list[FileResult]:
        """The files that could not be brought."""
        return [file for file in self.files if file.outcome is FileOutcome.FAILED]

    def count(self, outcome: FileOutcome) -> int:
        """Return how many files had an outcome."""
        return sum(file.outcome is outcome for file in self.files)

    def raise_failures(self) -> None:
        """Raise one DownloadError for all files that failed, if any did."""
        if not self.failed:
            return
        problems = list(dict.fromkeys(file.problem or file.name for file in self.failed))
        more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
        count = f"{len(self.failed)} of {len(self.files)} files failed"
        raise DownloadError(f"{count}: {'; '.join(problems[:3])}{more}")


class Progress:
    """Hears how a fetch goes, in the thread that called it; override what is to be shown.

    What a method raises ends the fetch; what was received so far is kept for the next one.
    """

    def begin(self, names: Sequence[str]) -> None:
        """Hear once, at first, which files will be looked at, in this order."""

    def received(self, name: str, size: int, total: int | None) -> None:
        """Hear that `size` bytes of a file are here, of `total` if the server said so."""

    def retrying(self, name: str, reason: str, seconds: float) -> None:
        """Hear that a file's download broke off and goes on after a pause."""

    def finished(self, result: FileResult) -> None:
        """Hear what became of a file."""


@dataclass(frozen=True)
class Patience:
    """How long a download waits for a server that has trouble."""

    timeout: float = 30.0  # seconds without a byte
    pauses: tuple[float, ...] = (1.0, 2.0, 4.0)  # seconds before each further attempt
