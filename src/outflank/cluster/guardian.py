"""Ends what a worker started, and removes its folder, however the worker ends.

On another machine nobody else can: a worker that was killed cannot clean up, and the process that
gave it its tasks is far away. The guardian is a small process that waits for the worker's end.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

# Its standard input is a pipe that ends with the worker. It leaves the worker's family first, so
# that it is not ended with it.
_PROGRAM = """
import os, shutil, signal, sys
if os.fork():
    os._exit(0)
sys.stdin.buffer.read()
try:
    os.killpg(int(sys.argv[1]), signal.SIGKILL)
except ProcessLookupError:
    pass
shutil.rmtree(sys.argv[2], ignore_errors=True)
"""

_end_of_pipe: int | None = None  # open as long as this process lives


def guard_this_process() -> Path:
    """Give this process a group of its own and a guardian; return the folder that ends with it.

    Processes that this one starts are in its group, unless they leave it.
    """
    global _end_of_pipe
    with suppress(PermissionError):  # a leader of a session leads its group already
        os.setpgid(0, 0)
    folder = tempfile.mkdtemp(prefix="outflank-worker-")
    read, _end_of_pipe = os.pipe()
    try:
        subprocess.run(  # noqa: S603  # this very interpreter
            [sys.executable, "-I", "-S", "-c", _PROGRAM, str(os.getpid()), folder],
            stdin=read,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            check=True,
        )
    finally:
        os.close(read)
    return Path(folder)
