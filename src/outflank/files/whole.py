"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from outflank.errors import DataError, FileError

PART = ".part"  # how the name of a temporary file ends


@contextmanager
def open_to_read(path: Path | str) -> Iterator[BinaryIO]:
    """Open a file for reading in binary; what the system refuses becomes a FileError."""
    try:
        with open(path, "rb") as stream:
            yield stream
    except OSError as error:
        raise FileError(path, "read", error) from error


def read_bytes(path: Path | str) -> bytes:
    """Return the whole content of a file."""
    with open_to_read(path) as stream:
        return stream.read()


@contextmanager
def open_to_write(path: Path | str) -> Iterator[BinaryIO]:
    """Open a file for writing in binary that appears under its name only when complete.

    The content goes to a temporary file in the same folder, which takes the name when the block
    ends well. If it ends badly (an exception, a full disk), an older file of that name is as it
    was and nothing is left behind. A link stays a link: the file that it names is written. What
    is no regular file (a device, a pipe) is written through, since a file in its place would
    replace it.
    """
    temporary = None
    try:
        target = _target(Path(path))
        if target.exists() and not target.is_file():
            with open(target, "wb") as through:
                yield through
            return
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=f".{target.name}.", suffix=PART, delete=False
        ) as stream:
            temporary = Path(stream.name)
            yield stream  # type: ignore[misc]  # the wrapper behaves as a BinaryIO
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        if isinstance(error, OSError):
            raise FileError(path, "write", error) from error
        raise


def _target(path: Path) -> Path:
    """Follow links to the file that is meant."""
    try:
        return path.resolve()
    except RuntimeError:
        raise FileError(path, "write", "the link leads to itself") from None


def remove_parts(folder: Path) -> None:
    """Remove the temporary files that killed processes left in a folder.

    Only for a folder that nobody else writes to, which its owner ensures by a lock.
    """
    for part in folder.glob(f".*{PART}"):
        with suppress(OSError):
            part.unlink()


def check_target(path: Path, suffix: str = "") -> None:
    """Say what would keep a file from being written there, before the work that fills it."""
    if suffix and path.suffix != suffix:
        raise DataError(f"{path}: a name that ends in {suffix} is accepted")
    if not path.parent.is_dir():
        raise DataError(f"{path.parent}: no such folder")
    if path.is_dir():
        raise DataError(f"{path}: is a folder")


def write_bytes(path: Path | str, content: bytes) -> None:
    """Write a whole file, or nothing."""
    with open_to_write(path) as stream:
        stream.write(content)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
