"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from outflank.errors import DataError, FileError


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
    was and nothing is left behind.
    """
    path = Path(path)
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(
            dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False
        ) as stream:
            temporary = Path(stream.name)
            yield stream  # type: ignore[misc]  # the wrapper behaves as a BinaryIO
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        if isinstance(error, OSError):
            raise FileError(path, "write", error) from error
        raise


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
