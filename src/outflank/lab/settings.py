"""Where the lab keeps things, and whom it listens to."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from outflank.arena import default_store
from outflank.data import store_folder

LOCAL = ("127.0.0.1", "localhost", "::1")


def engines_file() -> Path:
    """Return where the user names engines of others: the one way for them into the page."""
    chosen = os.environ.get("OUTFLANK_ENGINES")
    if chosen:
        return Path(chosen).expanduser()
    return platformdirs.user_config_path("outflank") / "engines.json"


@dataclass(frozen=True)
class LabSettings:
    """All that a server is started with.

    hosts: names under which browsers may ask for it. games: folder of the games that are played
    in the page. runs, studies: folders as the commands have them. results: the arena's store.
    wthor: folder of WThor files; None: the store's. engines: file of the user's engines.
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
