"""What a result was made of: the code, the data, the networks and the seeds (Origin).

A result is stale if one of its networks is shipped and has another fingerprint today.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from outflank import __version__
from outflank.errors import FileError
from outflank.models import load_network, shipped_networks
from outflank.studies.result import Origin, Result

_ROOT = Path(__file__).parents[3]  # of a clone


def current_commit(root: Path = _ROOT) -> str:
    """Return the commit of the code, if it runs from a clone."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""

    def answer(*words: str) -> str:
        done = subprocess.run(  # noqa: S603 - the program that was found, and words of our own
            [git, *words], cwd=root, capture_output=True, text=True, check=False
        )
        return done.stdout.strip() if done.returncode == 0 else ""

    changed = answer("status", "--porcelain", "--untracked-files=no", "--", "src", "core")
    return answer("rev-parse", "HEAD") + ("+" if changed else "")


def checksum(paths: Iterable[Path]) -> str:
    """Return the SHA-256 of some files, one after the other, in the order of their names."""
    found = hashlib.sha256()
    for path in sorted(paths, key=lambda path: path.name):
        try:
            found.update(path.read_bytes())
        except OSError as error:
            raise FileError(path, "read", error) from error
    return found.hexdigest()


class Sources:
    """Gathers what a result is made of, while the study runs."""

    def __init__(self) -> None:
        self.models: dict[str, str] = {}
        self.seeds: set[int] = set()
        self.files: dict[str, list[Path]] = {}

    def clear(self) -> None:
        """Forget what another study was made of."""
        for gathered in (self.models, self.seeds, self.files):
            gathered.clear()

    def origin(self) -> Origin:
        """Return all that was gathered."""
        sums = {name: checksum(paths) for name, paths in self.files.items()}
        return Origin(
            current_commit(),
            __version__,
            sums.get("wthor", ""),
            sums.get("openings", ""),
            dict(sorted(self.models.items())),
            sorted(self.seeds),
        )


def changed_models(result: Result) -> list[str]:
    """Return the shipped networks of a result that have changed since it was made."""
    return [
        name
        for name, fingerprint in result.origin.models.items()
        if (today := _fingerprint(name.partition(" (")[0])) and today != fingerprint
    ]


@cache
def _fingerprint(name: str) -> str:
    """Return the fingerprint of a shipped network; empty if there is none of that name."""
    return load_network(name).fingerprint if name in shipped_networks() else ""


def why_stale(result: Result) -> str:
    """Return why a result should be made anew, in one sentence; empty if it need not be."""
    changed = changed_models(result)
    if not changed:
        return ""
    which = ", ".join(changed)
    return f"Stale: {which} changed since this result was made; make it anew with: {result.command}"
