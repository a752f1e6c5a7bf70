"""Runs command lines, each in a fork of a process that has loaded everything: hundreds a minute.

Reads a JSON list of command lines from standard input and writes a line of JSON about each. What
still runs after its time is interrupted, as by Ctrl-C, and must end then.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from hostile.command_lines import commands

SECONDS_TO_WORK = float(os.environ.get("HOSTILE_SECONDS", "3"))
SECONDS_TO_END = 10.0  # on a busy machine; alone it takes a tenth of a second
_KEPT = 4000  # characters of errors


def main() -> None:
    for module in ("outflank.lab.app", "outflank.cli.hints", "torch"):
        try:
            import_module(module)
        except ImportError:
            continue
    list(commands())  # imports them all
    for words in json.load(sys.stdin):
        print(json.dumps(run(words)), flush=True)


def run(words: list[str]) -> dict[str, Any]:
    """Run one command line and say how it ended."""
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            become(words, folder, errors.fileno())
        status, interrupted = wait_for(child)
        seconds = time.monotonic() - began
        errors.seek(0)
        text = errors.read().decode("utf-8", "replace")
        left = sorted(path.name for path in Path(folder).rglob("*.part"))
    return {
        "words": [word[:60] for word in words],
        "code": os.waitstatus_to_exitcode(status) if status is not None else None,
        "seconds": seconds,
        "interrupted": interrupted,
        "errors": text[-_KEPT:],
        "lines": len(text.splitlines()),
        "left": left,
    }


def prepare(folder: Path) -> None:
    """Make the files that bad values name."""
    (folder / "one-byte").write_bytes(b"x")
    (folder / "empty").write_bytes(b"")
    (folder / "loop").symlink_to("loop")
    (folder / "a folder").mkdir()


def become(words: list[str], folder: str, errors: int) -> None:
    """Turn this fork into the command."""
    os.setsid()
    os.chdir(folder)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = folder
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ[name] = "http://127.0.0.1:9"
    os.environ["BROWSER"] = "true"
    nothing = os.open(os.devnull, os.O_RDWR)
    for number, to in ((0, nothing), (1, nothing), (2, errors)):
        os.dup2(to, number)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w")
    from outflank.cli import main as command

    sys.argv = ["outflank", *words]
    code = 1
    try:
        command()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
        try:
            sys.stdout.flush()
        except OSError:
            code = 120
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def wait_for(child: int) -> tuple[int | None, bool]:
    """Wait for the end of a fork: (status or None if it had to be killed, interrupted)."""
    interrupted = False
    until = time.monotonic() + SECONDS_TO_WORK
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status, interrupted
        if time.monotonic() > until:
            if interrupted:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return None, True
            interrupted, until = True, time.monotonic() + SECONDS_TO_END
            os.kill(child, signal.SIGINT)
        time.sleep(0.005)


if __name__ == "__main__":
    main()
