"""The environment of the peers: apart from outflank's own, made once from pinned versions."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "peers" / "requirements.txt"
ENVIRONMENT = HERE.parent / "build" / "benchmark-peers"
RECORD = ENVIRONMENT / "installed.json"

# Peers in the order of the table: the distribution and the module that measures it.
PEERS = {
    "reversi": "reversi_peer",
    "creversi": "creversi_peer",
    "creversi-python": "creversi_python_peer",
    "rust-reversi": "rust_reversi_peer",
    "open_spiel": "open_spiel_peer",
    "pgx": "pgx_peer",
}


def interpreter() -> Path:
    folder = "Scripts" if sys.platform == "win32" else "bin"
    return ENVIRONMENT / folder / "python"


def requirement_lines() -> list[str]:
    lines = (line.strip() for line in REQUIREMENTS.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def reason_of(output: str) -> str:
    """The one line of pip's output that says why an installation failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for pattern in (r"fatal error:", r"\w*Error: ", r"^ERROR: ", r"^error: "):
        for line in lines:
            if re.search(pattern, line):
                return line
    return lines[-1] if lines else "pip failed without a word"


def install(requirement: str) -> str | None:
    """Installs one requirement; None, or the reason why it could not be."""
    command = [str(interpreter()), "-m", "pip", "--disable-pip-version-check", "install"]
    command += ["--no-build-isolation", "--constraint", str(REQUIREMENTS), requirement]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if result.returncode == 0 else reason_of(result.stdout + result.stderr)


def failures() -> dict[str, str]:
    """Requirements that could not be installed, with the reasons; installs on first use.

    What was tried is recorded, so that a later run neither installs nor fails anew; other
    requirements, or another Python, start from nothing.
    """
    wanted = {"python": sys.version, "requirements": requirement_lines()}
    if RECORD.exists():
        record = json.loads(RECORD.read_text())
        if record["wanted"] == wanted:
            return dict(record["failures"])
    print(f"Installing the peers into {ENVIRONMENT.relative_to(HERE.parent)} ...", flush=True)
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    found = {line: install(line) for line in requirement_lines()}
    failed = {line: reason for line, reason in found.items() if reason is not None}
    RECORD.write_text(json.dumps({"wanted": wanted, "failures": failed}, indent=2))
    return failed


def absent_peers() -> dict[str, str]:
    """Peers that are not installed, each with the reason."""
    by_name = {line.partition("==")[0]: reason for line, reason in failures().items()}
    return {name: by_name[name] for name in PEERS if name in by_name}
