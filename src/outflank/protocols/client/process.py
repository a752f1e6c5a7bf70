"""Another program with which lines are exchanged."""

from __future__ import annotations

import os
import secrets
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import cast

from outflank.errors import EngineError

_MOST_OUTPUT = 1 << 22  # bytes that an engine may write before its answer is complete
_LAST_WORDS = 4096  # bytes of its errors that are kept
_MARK = "OUTFLANK_ENGINE"  # the variable by which all processes of an engine are known
_GENERATIONS = 8
_SECONDS_TO_GO = 5.0  # for what was killed, on a busy machine
_FAREWELL = 0.5  # seconds that an engine has to end by itself


class EngineProcess:
    """A running program: started without a shell, killed at the latest with this object.

    It stays in our process group, so that whoever ends the group ends it too.

    There is no thread. Whenever an answer is awaited, the program's input is fed and its output
    and errors are read at once, so that neither side can block the other.
    """

    def __init__(self, command: Sequence[str], *, folder: Path | None = None) -> None:
        self.name = Path(command[0]).name
        mark = secrets.token_hex(16)  # all that the program starts inherits it
        try:
            process = subprocess.Popen(  # noqa: S603  # the user names the program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env={**os.environ, _MARK: mark},
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise EngineError(f"{self.name}: cannot be started: {reason}") from None
        self._process = process
        self._mark = mark
        self._kill = weakref.finalize(self, _kill, process, mark, os.getpid())
        self._stdin = cast("FileIO", process.stdin)
        self._stdout = cast("FileIO", process.stdout)
        self._stderr = cast("FileIO", process.stderr)
        os.set_blocking(self._stdin.fileno(), False)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._last_words = b""
        self._received = 0  # bytes since the last question
        self._seconds = 0.0  # that the answer may take
        self._until = 0.0  # on the monotonic clock

    def ask(self, *lines: str, seconds: float) -> None:
        """Send lines; what is read next must come within the seconds."""
        self._received = 0
        self._seconds, self._until = seconds, time.monotonic() + seconds
        self._outgoing += "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        self._write()

    def read_line(self) -> str:
        """Wait for a whole line and return it without its end."""
        while (end := self._incoming.find(b"\n")) < 0:
            self._wait()
        return self._take(end + 1).rstrip("\r\n")

    def read_to_prompt(self, prompt: str) -> str:
        """Wait for a prompt at the beginning of a line and return what stands before it."""
        mark = prompt.encode()
        while not (self._incoming == mark or self._incoming.endswith(b"\n" + mark)):
            self._wait()
        return self._take(len(self._incoming)).removesuffix(prompt)

    def _take(self, length: int) -> str:
        text = self._incoming[:length].decode("utf-8", "replace")
        del self._incoming[:length]
        return text

    def close(self, farewell: str = "") -> None:
        """Say goodbye, and kill the program if it does not end then."""
        if self._kill.alive:
            if farewell:
                self._outgoing += f"{farewell}\n".encode()
                self._write()
            self._stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_FAREWELL)
        self.kill()

    def kill(self) -> None:
        """End the program at once; nothing of it is left, also if it has ended before."""
        self._kill()

    def interrupt(self) -> None:
        """End the program from another thread: whoever waits for its answer gets the error."""
        if self._kill.alive:
            _signal_family(self._process.pid, self._mark)

    def is_running(self) -> bool:
        """Return whether the program has not ended yet; it is not reaped by that."""
        wanted = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return self._kill.alive and os.waitid(os.P_PID, self._process.pid, wanted) is None

    def _wait(self) -> None:
        """Read and write what is possible, or wait until something is."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise EngineError(f"{self.name}: no answer in {self._seconds:g} s")
        with selectors.PollSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            if not self._stderr.closed:
                selector.register(self._stderr, selectors.EVENT_READ)
            if self._outgoing:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            ready = {key.fileobj for key, _ in selector.select(left)}
        if self._stdin in ready:
            self._write()
        if self._stderr in ready:
            self._read_errors()
        if self._stdout in ready:
            self._read()

    def _write(self) -> None:
        try:
            written = self._stdin.write(self._outgoing) or 0
        except OSError:  # it has ended, which reading will tell
            written = len(self._outgoing)
        del self._outgoing[:written]

    def _read(self) -> None:
        data = self._stdout.read(1 << 16)
        if not data:
            raise EngineError(f"{self.name}: {self._how_it_ended()}")
        self._received += len(data)
        if self._received > _MOST_OUTPUT:
            raise EngineError(f"{self.name}: wrote {_MOST_OUTPUT >> 20} MB and no answer")
        self._incoming += data

    def _read_errors(self) -> None:
        data = self._stderr.read(1 << 16)
        if not data:
            self._stderr.close()
            return
        self._last_words = (self._last_words + data)[-_LAST_WORDS:]

    def _how_it_ended(self) -> str:
        """Tell how the program ended, with the last line of its errors."""
        status = None
        until = time.monotonic() + _FAREWELL
        # It is left for kill() to reap: as long as it is not, its number cannot be another's.
        while status is None and time.monotonic() < until:
            status = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if status is None:
                time.sleep(0.01)
        if status is None:
            how = "closed its output"
        elif status.si_code == os.CLD_EXITED:
            how = f"ended with exit code {status.si_status}"
        else:
            how = f"was ended: {signal.strsignal(status.si_status)}"
        if not self._stderr.closed:
            os.set_blocking(self._stderr.fileno(), False)
            self._last_words += self._stderr.read(1 << 16) or b""
        words = self._last_words.decode("utf-8", "replace").strip().splitlines()
        return f"{how}: {words[-1].strip()[:200]}" if words else how


def _kill(process: subprocess.Popen[bytes], mark: str, owner: int) -> None:
    """Kill a program with all that it started, and reap it."""
    if os.getpid() != owner:
        return  # a fork of the process that started it
    # Once it is reaped, its number may be another's.
    _signal_family(process.pid if process.returncode is None else None, mark)
    process.wait()
    until = time.monotonic() + _SECONDS_TO_GO  # a killed process is there for a moment longer
    while _family(None, mark) and time.monotonic() < until:
        time.sleep(0.005)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _signal_family(pid: int | None, mark: str) -> None:
    """Kill a program, its descendants, and what it started and left behind."""
    known: set[int] = set()
    for _ in range(_GENERATIONS):  # one of them may start another while we look
        found = _family(pid, mark) - known
        for member in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)
        known |= found
        if not found - {pid}:
            return


def _family(pid: int | None, mark: str) -> set[int]:
    """Return a process, its descendants and all that have its mark, as far as the system says.

    An engine is often a script that starts the engine proper. If the script ends before, nothing
    but the environment says whose child the engine is.
    """
    children: dict[int, list[int]] = {}
    wanted = f"{_MARK}={mark}".encode()
    family = [] if pid is None else [pid]
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state in "ZX":
                continue
            number = int(path.parent.name)
            children.setdefault(int(parent), []).append(number)
            if wanted in (path.parent / "environ").read_bytes().split(b"\0"):
                family.append(number)
    for member in family:
        family += children.pop(member, [])
    return set(family)
