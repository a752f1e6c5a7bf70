"""Locks: one process at a time, also after a process that died."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from outflank.errors import FileError
from outflank.locks import LockedError, is_locked, locked, take_lock

HOLD = """
import sys
from pathlib import Path
from outflank.locks import take_lock
take_lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[str]:
    """Return a process that holds a lock until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_is_kept_out_until_it_dies(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with holder(path) as process:
        with pytest.raises(LockedError, match="another process holds this lock"):
            take_lock(path)
        if sys.platform == "linux":
            assert is_locked(path)
        process.kill()
    assert not is_locked(path)
    os.close(take_lock(path))


def test_who_waits_goes_on_when_the_lock_is_given_back(tmp_path: Path) -> None:
    path, order = tmp_path / ".lock", []

    def wait() -> None:
        with locked(path, wait=True):
            order.append("second")

    with holder(path) as process:
        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
        order.append("first")
        process.communicate()
        waiting.join(10)
    assert order == ["first", "second"]


def test_a_block_gives_the_lock_back_however_it_ends(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with pytest.raises(ZeroDivisionError), locked(path):
        raise ZeroDivisionError
    with locked(path), pytest.raises(LockedError):
        take_lock(path)


def test_what_a_lock_file_holds_stays(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    path.write_text("of an older version")
    os.close(take_lock(path))
    assert path.read_text() == "of an older version"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot lock"):
        take_lock(tmp_path / "missing" / ".lock")
    assert not is_locked(tmp_path / "missing" / ".lock")
