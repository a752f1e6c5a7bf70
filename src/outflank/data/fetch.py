"""Bringing the WThor database into the store: from its server, or from a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from outflank.data.report import (
    FetchReport,
    FileOutcome,
    FileResult,
    NotOnServerError,
    Patience,
    Progress,
    UnreachableError,
)
from outflank.data.store import (
    NAME_FILES,
    check_wthor,
    store_folder,
    wthor_files,
    wthor_folder,
    wthor_name_file,
    wthor_year,
)
from outflank.data.years import FIRST_YEAR, describe_years
from outflank.errors import DataError, DownloadError, FileError, RecordError
from outflank.files import read_bytes, write_bytes

if TYPE_CHECKING:
    from outflank.data.download import Downloads

WTHOR_URL = "https://www.ffothello.org/wthor/base/"


def fetch_wthor(
    *,
    base_url: str | None = None,
    years: range | None = None,
    into: Path | None = None,
    refresh: bool = False,
    progress: Progress | None = None,
    patience: Patience | None = None,
    today: date | None = None,
) -> FetchReport:
    """Download the games of some years, and the files of names.

    Files that exist are kept. A file that fails does not stop the others; the report names it. An
    error is raised only if the folder cannot be written, or is in use by another fetch.

    Args:
        base_url: Address of the files; OUTFLANK_WTHOR_URL or the French federation's server if
            None.
        years: Of the games; all up to now if None.
        into: Folder for the files; the store's if None.
        refresh: Ask the server for newer versions of files that exist.
        progress: Is notified of the progress.
        patience: How long to wait for a server in trouble.
        today: The date that decides which years there are.
    """
    # Importing httpx takes a tenth of a second, which only a download should cost.
    from outflank.data.download import open_downloads

    base = folder_address(base_url, "OUTFLANK_WTHOR_URL", WTHOR_URL)
    this_year = (today or date.today()).year
    wanted = [f"WTH_{year}.wtb" for year in _wanted_years(years, this_year)]
    folder = store_folder("wthor") if into is None else into
    progress = progress or Progress()
    with open_downloads(folder, check_wthor, patience or Patience(), progress) as downloads:
        for name in (*NAME_FILES, *wanted):
            _normalise(folder, name)
        # New games bring new players: the names are brought up to date first, so that no
        # interruption leaves games without them.
        refresh_names = refresh or not all(downloads.has(name) for name in wanted)
        fetch = _Fetch(downloads, base, this_year)
        progress.begin([*NAME_FILES, *wanted])
        results = [fetch.bring(name, refresh_names) for name in NAME_FILES]
        results += [fetch.bring(name, refresh) for name in wanted]
    return FetchReport(folder, tuple(results))


def take_wthor(
    folder: Path,
    *,
    years: range | None = None,
    into: Path | None = None,
    progress: Progress | None = None,
) -> FetchReport:
    """Copy WThor files that are in a folder, after the same checks as for downloads."""
    games = wthor_files(wthor_folder(folder), years)
    names = {name: wthor_name_file(folder, name) for name in NAME_FILES}
    sources = {name: path for name, path in names.items() if path}
    sources |= {f"{path.stem.upper()}.wtb": path for path in games}
    into = store_folder("wthor") if into is None else into
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(into, "make the folder", error) from error
    progress = progress or Progress()
    progress.begin(list(sources))
    results = []
    for name, source in sources.items():
        _normalise(into, name)
        results.append(copy_checked(source, into / name, check_wthor))
        progress.finished(results[-1])
    return FetchReport(into, tuple(results))


class _Fetch:
    """Brings one file after the other, and stops trying when the server cannot be reached."""

    def __init__(self, downloads: Downloads, base: str, this_year: int) -> None:
        self.downloads = downloads
        self.base = base
        self.this_year = this_year
        self.unreachable: UnreachableError | None = None

    def bring(self, name: str, refresh: bool) -> FileResult:
        """Bring a file; what goes wrong with it is in the result."""
        path = self.downloads.folder / name
        try:
            result = self._get(name, refresh)
        except DownloadError as error:
            # A year's games are collected until well into the next year.
            recent = (wthor_year(name) or 0) >= self.this_year - 1
            if recent and isinstance(error, NotOnServerError):
                result = FileResult(name, path, FileOutcome.NOT_PUBLISHED)
            else:
                result = FileResult(name, path, FileOutcome.FAILED, problem=str(error))
        self.downloads.progress.finished(result)
        return result

    def _get(self, name: str, refresh: bool) -> FileResult:
        """Get a file that the server may have under one of several names."""
        if self.unreachable and (refresh or not self.downloads.has(name)):
            raise self.unreachable
        missing = []
        for name_there in NAME_FILES.get(name, (name,)):
            try:
                return self.downloads.get(name, self.base + name_there, refresh=refresh)
            except NotOnServerError as error:
                missing.append(error)
            except UnreachableError as error:
                self.unreachable = error
                raise
        raise missing[0]


def copy_checked(source: Path, target: Path, check: Callable[[str, bytes], object]) -> FileResult:
    """Copy a file whose name and bytes `check` raises no RecordError for."""
    try:
        data = read_bytes(source)
        check(target.name, data)
    except FileError as error:
        return FileResult(target.name, target, FileOutcome.FAILED, problem=str(error))
    except RecordError as error:
        problem = f"{source}: {error.problem}"
        return FileResult(target.name, target, FileOutcome.FAILED, problem=problem)
    if target.is_file() and read_bytes(target) == data:
        return FileResult(target.name, target, FileOutcome.ALREADY_THERE)
    write_bytes(target, data)
    return FileResult(target.name, target, FileOutcome.COPIED)


def _normalise(folder: Path, name: str) -> None:
    """Give a file that a folder has under another spelling of its name the usual one."""
    spellings = {other.lower() for other in NAME_FILES.get(name, (name,))}
    try:
        here = [path for path in folder.iterdir() if path.name.lower() in spellings]
        if here and folder / name not in here:
            here[0].rename(folder / name)
    except OSError as error:
        raise FileError(folder / name, "write", error) from error


def _wanted_years(years: range | None, this_year: int) -> range:
    if years is None:
        return range(FIRST_YEAR, this_year + 1)
    if not years or years[0] < FIRST_YEAR or years[-1] > this_year:
        asked = describe_years(years) or "none"
        raise DataError(f"years {asked}: the server may have {FIRST_YEAR}-{this_year}")
    return years


def folder_address(explicit: str | None, variable: str, usual: str) -> str:
    """Return the address of a folder of files, a slash at its end.

    It is the explicit one, that of an environment variable, or the usual one.
    """
    base = explicit or os.environ.get(variable) or usual
    try:
        parts = urlsplit(base)
        (parts.hostname or "").encode("idna")  # as it will be looked up
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        sound = sound and not (parts.query or parts.fragment)
    except ValueError:
        sound = False
    if not sound:
        raise DataError(f"{base!r} is not the address of a folder; one is {usual}")
    return base.rstrip("/") + "/"
