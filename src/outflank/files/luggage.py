"""Files that go along to other machines, and are found there by the same names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from outflank.errors import FileError
from outflank.files.whole import read_bytes, write_bytes

_needed: ContextVar[list[Path] | None] = ContextVar("needed", default=None)
_copies: list[tuple[Luggage, Path]] = []  # files sent to this process, and their folder


@contextmanager
def noting_files() -> Iterator[list[Path]]:
    """Collect the files that are found by a user's names within this block."""
    found: list[Path] = []
    before = _needed.set(found)
    try:
        yield found
    finally:
        _needed.reset(before)


def needed(path: Path) -> Path:
    """Return the path of a file that a user's name led to, and note it if somebody asks."""
    found = _needed.get()
    if found is not None:
        found.append(path)
    return path


def located(name: Path | str) -> Path:
    """Return the path that a user's name means; ~ is the home folder.

    In a worker on another machine it is the path of the copy, if the file came along.
    """
    for luggage, folder in _copies:
        copy = luggage.place_of(name, folder)
        if copy.exists() or ("*" in copy.name and copy.parent.exists()):
            return copy
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # nobody of that name has a home; shells leave it as it is, too
        path = Path(name)
    try:
        path.exists()
    except OSError as error:  # longer than a name can be, or in a folder that is closed to us
        raise FileError(path, "read", error) from error
    return path


@dataclass(frozen=True)
class Luggage:
    """Files that go along to a process on another machine.

    Attributes:
        files: Contents by absolute path.
        working: The working folder, which relative names are meant from.
        home: The home folder, which ~ means.
    """

    files: dict[str, bytes]
    working: str
    home: str

    @classmethod
    def pack(cls, paths: Iterable[Path]) -> Luggage:
        """Read files."""
        files = {os.path.abspath(path): read_bytes(path) for path in dict.fromkeys(paths)}
        return cls(files, str(Path.cwd()), str(Path("~").expanduser()))

    def unpack(self, folder: Path) -> None:
        """Write the files into a folder, where `located` finds them from now on."""
        for path, content in self.files.items():
            copy = self.place_of(path, folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(copy, content)
        _copies[:] = [(self, folder)]

    def place_of(self, name: Path | str, folder: Path) -> Path:
        """Return where in a folder the copy of a file is, if there is one."""
        text = str(name)
        if text == "~" or text.startswith("~/"):
            text = self.home + text[1:]
        return folder / os.path.normpath(os.path.join(self.working, text)).lstrip("/")
