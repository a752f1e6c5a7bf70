"""Files that one process at a time holds, so that two do not do the same work at once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outflank.errors import FileError, OutflankError


class LockedError(OutflankError):
    """A lock that another process holds."""


def take_lock(path: Path, *, wait: bool = False) -> int:
    """Lock a file, which is made if it is not there.

    Where the file system knows no locks, nothing is locked and the work goes on.

    Args:
        path: The file; what it holds stays as it is.
        wait: Wait for a process that holds it, instead of raising LockedError.

    Returns:
        The open file. Closing it gives the lock back, and so does the death of the process.
    """
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise FileError(path, "lock", error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(lock)
        raise LockedError(f"{path}: another process holds this lock") from None
    except OSError:
        pass  # a file system without locks
    except BaseException:  # interrupted while waiting
        os.close(lock)
        raise
    return lock


@contextmanager
def locked(path: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold a lock for the length of a block; as `take_lock`."""
    lock = take_lock(path, wait=wait)
    try:
        yield
    finally:
        os.close(lock)


def is_locked(path: Path) -> bool:
    """Return whether a process holds a lock, without trying to take it; only Linux says."""
    try:
        number = path.stat().st_ino
        locks = [line.split() for line in Path("/proc/locks").read_text("ascii").splitlines()]
    except OSError:
        return False
    return any(
        "FLOCK" in words and any(word.endswith(f":{number}") for word in words) for words in locks
    )
