"""Settings of the lab: its folders, and the host names it serves."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from outflank.arena import default_store
from outflank.data import store_folder

LOCAL = ("127.0.0.1", "localhost", "::1")


def engines_file() -> Path:
    """Return the file in which the user lists engines: the only way to add them to the lab."""
    chosen = os.environ.get("OUTFLANK_ENGINES")
    if chosen:
        return Path(chosen).expanduser()
    return platformdirs.user_config_path("outflank") / "engines.json"


@dataclass(frozen=True)
class LabSettings:
    """What a server is started with.

    Attributes:
        host: Address to listen on.
        port: Port to listen on.
        hosts: Names under which browsers may ask for it.
        games: Folder of the lab's games.
        runs: Folder of the runs.
        studies: Folder of the studies' results.
        results: The arena's store.
        wthor: Folder of WThor files; the store's if None.
        engines: File of the user's engines.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    hosts: tuple[str, ...] = LOCAL
    games: Path = field(default_factory=lambda: store_folder("lab"))
    runs: Path = Path("runs")
    studies: Path = Path("studies")
    results: Path = field(default_factory=default_store)
    wthor: Path | None = None
    engines: Path = field(default_factory=engines_file)
