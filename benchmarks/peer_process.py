"""A peer in its own process: prepared once, then asked for figures round after round."""

from __future__ import annotations

import json
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.peer_environment import HERE, PEERS, interpreter


class PeerError(Exception):
    """A peer that stopped instead of answering; the message is its last line."""


class PeerProcess:
    """Runs the script of one peer.

    versions: of the distributions that matter. paths: for each measure, what was called.
    """

    def __init__(self, name: str, positions: Path, seconds: float) -> None:
        self.name = name
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        module = f"benchmarks.peers.{PEERS[name]}"
        self._process = subprocess.Popen(
            [str(interpreter()), "-m", module, str(positions), str(seconds)],
            cwd=HERE.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        about = self._read()
        self.versions: dict[str, str] = about["versions"]
        self.paths: dict[str, str] = about["paths"]

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        self._process.wait()
        self._errors.seek(0)
        said = [text.strip() for text in self._errors if text.strip()]
        raise PeerError(said[-1] if said else f"ended with code {self._process.returncode}")

    def measure(self) -> dict[str, float]:
        """Things a second for each measure, once."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # a peer that is gone has left its reason
            self._process.stdin.write("round\n")
            self._process.stdin.flush()
        return self._read()

    def close(self) -> None:
        """Ends the process, which stops when nobody can ask any more."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._errors.close()
