"""What can go wrong, in words for people.

Library code raises these; only the command and the web page turn them into text on a screen.
Every message is one line: what was being read, what is wrong with it, what is accepted.
"""

from __future__ import annotations

from pathlib import Path


class OutflankError(Exception):
    """Base of all errors that a user can cause and mend.

    Args:
        message: one line for people.
        remedy: the name of a way to mend it, if there is a usual one. How that is done depends on
            where the user is: the command adds an option to the message, the page another hint.
    """

    def __init__(self, message: object = "", *, remedy: str = "") -> None:
        self.remedy = remedy
        super().__init__(message)


class QuotingError(OutflankError):
    """An error whose message quotes what somebody wrote; if that has lines, they are joined."""

    def __init__(self, message: object = "", *, remedy: str = "") -> None:
        super().__init__(" ".join(str(message).splitlines()), remedy=remedy)


class IllegalMoveError(OutflankError, ValueError):
    """A move that the rules do not allow in the position it was tried in."""


class NotationError(QuotingError, ValueError):
    """Text that is not a square, a move or a board."""


class SpecError(QuotingError, ValueError):
    """A player spec that names no player, or options that the player does not have."""


class RecordError(OutflankError):
    """A game record that cannot be read: names the file, the record and the field."""

    def __init__(
        self, problem: str, *, source: str = "", record: int | None = None, field: str = ""
    ) -> None:
        self.problem = problem
        self.source = source
        self.record = record  # counted from 1
        self.field = field
        place = [source] if source else []
        if record is not None:
            place.append(f"game {record}")
        if field:
            place.append(field)
        super().__init__(": ".join([*place, problem]))

    def __reduce__(self) -> tuple[object, ...]:
        return _record_error, (self.problem, self.source, self.record, self.field)


def _record_error(problem: str, source: str, record: int | None, field: str) -> RecordError:
    return RecordError(problem, source=source, record=record, field=field)


class FileError(QuotingError):
    """A file that cannot be opened, read or written."""

    def __init__(
        self, path: Path | str, action: str, error: OSError | str, *, remedy: str = ""
    ) -> None:
        reason = error if isinstance(error, str) else (error.strerror or str(error))
        super().__init__(f"{path}: cannot {action}: {reason}", remedy=remedy)


class DownloadError(OutflankError):
    """A download that failed or brought something else than was asked for."""


class DataError(QuotingError):
    """Data that was asked for and is not there: names the folder, years or dataset."""


class EngineError(OutflankError):
    """Another program's engine that hangs, dies, or answers what it must not: names the engine."""


class ThinkingStoppedError(OutflankError):
    """A player was stopped before it had an answer, or nobody waited for it any more."""
