"""The datasets that can be fetched, by name. A new one is one more entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from outflank.data.fetch import fetch_wthor, take_wthor
from outflank.data.league import fetch_league, list_league, take_league
from outflank.data.report import FetchReport, Progress
from outflank.data.store import StoredFile, list_wthor
from outflank.errors import DataError


class Fetch(Protocol):
    """A function that brings a dataset from its server."""

    def __call__(
        self,
        *,
        base_url: str | None = None,
        years: range | None = None,
        into: Path | None = None,
        refresh: bool = False,
        progress: Progress | None = None,
    ) -> FetchReport:
        """Bring the files; see fetch_wthor for what the arguments mean."""


class Take(Protocol):
    """A function that brings a dataset from a folder."""

    def __call__(
        self,
        folder: Path,
        *,
        years: range | None = None,
        into: Path | None = None,
        progress: Progress | None = None,
    ) -> FetchReport:
        """Bring the files; see take_wthor for what the arguments mean."""


@dataclass(frozen=True)
class Dataset:
    """Data that others publish and this laboratory uses."""

    name: str
    summary: str  # one line
    fetch: Fetch
    take: Take
    files: Callable[[], list[StoredFile]]  # what the store has of it


_WTHOR = Dataset(
    "wthor",
    "tournament games since 1977, by the French Othello federation",
    fetch_wthor,
    take_wthor,
    list_wthor,
)

_LEAGUE = Dataset(
    "league",
    "published players of the Othello League, by W. Jaśkowski and M. Szubert",
    fetch_league,
    take_league,
    list_league,
)

DATASETS = {dataset.name: dataset for dataset in (_WTHOR, _LEAGUE)}


def find_dataset(name: str) -> Dataset:
    """Return the dataset of a name."""
    if name not in DATASETS:
        raise DataError(f"no such dataset: {name!r}; datasets are {', '.join(DATASETS)}")
    return DATASETS[name]


def list_store() -> list[StoredFile]:
    """Return all files in the store."""
    return [file for dataset in DATASETS.values() for file in dataset.files()]
