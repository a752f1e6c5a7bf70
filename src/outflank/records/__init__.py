"""Games as files: every format reads a stream of games and writes games.

>>> from outflank import records
>>> games = list(records.read("games.ggf"))          # doctest: +SKIP
>>> records.write("games.wtb", games)                # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from outflank.errors import RecordError
from outflank.files import open_to_read
from outflank.othello import Game
from outflank.records.board_strings import BoardStrings
from outflank.records.format import Format, Problems
from outflank.records.ggf import Ggf
from outflank.records.obf import Obf
from outflank.records.replay import Replay, replay
from outflank.records.sgf import Sgf
from outflank.records.transcript import Transcript
from outflank.records.wthor import Wthor

__all__ = [
    "FORMATS",
    "Format",
    "Problems",
    "Replay",
    "detect",
    "format_for",
    "format_named",
    "read",
    "replay",
    "write",
]

# In the order in which a file's content is tried.
FORMATS: dict[str, Format] = {
    format.name: format for format in (Wthor(), Ggf(), Sgf(), Obf(), BoardStrings(), Transcript())
}

_HEAD = 4096


def format_named(name: str) -> Format:
    """Return a format by its name."""
    if name not in FORMATS:
        raise RecordError(f"no such format: {name!r}; formats are {', '.join(FORMATS)}")
    return FORMATS[name]


def format_for(path: Path | str) -> Format:
    """Return the format that a file to be written has by its extension."""
    suffix = Path(path).suffix.lower()
    for format in FORMATS.values():
        if suffix in format.extensions:
            return format
    known = " ".join(extension for format in FORMATS.values() for extension in format.extensions)
    raise RecordError(
        f"no format has the extension {suffix!r}; known are {known}", source=str(path)
    )


def detect(path: Path | str) -> Format:
    """Find out the format of a file: by its extension, or by its content if that is not enough.

    Text files (.txt, or an extension that no format has) may hold any text format.
    """
    suffix = Path(path).suffix.lower()
    if suffix != ".txt":
        for format in FORMATS.values():
            if suffix in format.extensions:
                return format
    with open_to_read(path) as stream:
        head = stream.read(_HEAD)
    if not head.strip():
        raise RecordError("the file is empty", source=str(path))
    for format in FORMATS.values():
        if format.recognises(head):
            return format
    raise RecordError(
        f"not a game record: tried {', '.join(format.title for format in FORMATS.values())}",
        source=str(path),
    )


def read(
    path: Path | str, *, format: Format | None = None, problems: Problems | None = None
) -> Iterator[Game]:
    """Yield the games of a file.

    A bad game raises RecordError; with ``problems=Problems(str(path), lenient=True)`` it is
    skipped and its error kept in ``problems.found``.

    Args:
        path: The file.
        format: Its format, one of FORMATS; found by extension and content if None.
        problems: What to do with bad games, and where their errors are kept.
    """
    path = Path(path)
    format = format or detect(path)
    problems = problems or Problems(str(path))
    problems.source = problems.source or str(path)
    with open_to_read(path) as stream:
        if not stream.read(1):
            raise problems.error("the file is empty")
    return format.read_file(path, problems)


def write(path: Path | str, games: Iterable[Game], *, format: Format | None = None) -> None:
    """Write games to a file, whole or not at all.

    Args:
        path: The file; one of that name is replaced.
        games: The games, in their order.
        format: One of FORMATS; the one of the file's extension if None.
    """
    path = Path(path)
    format = format or format_for(path)
    try:
        format.write_file(games, path)
    except RecordError as error:
        if error.source:
            raise
        raise RecordError(
            error.problem, source=str(path), record=error.record, field=error.field
        ) from None
