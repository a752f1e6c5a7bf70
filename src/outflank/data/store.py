"""Where fetched data lives, and what is there.

The store is the user's data folder, or the folder that OUTFLANK_DATA names, with a folder for each
dataset. WThor files are found in it whatever the case of their names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from outflank.data.years import describe_years
from outflank.errors import DataError, FileError, RecordError
from outflank.files import read_bytes
from outflank.records.format import Problems
from outflank.records.wthor import NAME_LENGTHS, WthorFile, WthorHeader, WthorNames

# The files of names as they are called in the store, and as others call them.
NAME_FILES = {"WTH.JOU": ("WTHOR.JOU", "WTH.JOU"), "WTH.TRN": ("WTHOR.TRN", "WTH.TRN")}

_YEAR_FILE = re.compile(r"wth_([0-9]{4})\.wtb", re.IGNORECASE)
_HOW_TO_GET = "get the games with: outflank data fetch wthor"


@dataclass(frozen=True)
class StoredFile:
    """A file of a dataset, as `outflank data list` shows it."""

    dataset: str
    path: Path
    bytes: int
    year: int | None = None  # None for a file of names
    games: int | None = None  # None for a file of names, or with a problem
    problem: str | None = None


def store_folder(dataset: str) -> Path:
    """Return the folder of a dataset in the store; it need not exist yet."""
    chosen = os.environ.get("OUTFLANK_DATA")
    store = Path(chosen).expanduser() if chosen else platformdirs.user_data_path("outflank")
    return store / dataset


def wthor_folder(explicit: Path | None = None) -> Path:
    """Return the folder to read WThor files from: the given one, or else the store's."""
    folder = store_folder("wthor") if explicit is None else explicit
    if not folder.is_dir():
        what = "not a folder" if folder.exists() else "no such folder"
        raise DataError(f"{folder}: {what}; {_HOW_TO_GET}", remedy="games")
    if not _by_year(folder):
        raise DataError(f"{folder}: no WTH_*.wtb files in it; {_HOW_TO_GET}", remedy="games")
    return folder


def wthor_files(folder: Path, years: range | None = None) -> list[Path]:
    """Return a folder's WThor files of the given years (all if None) in the order of years.

    A year that was asked for and has no file is an error: a study on fewer games than it names
    would be wrong without anyone seeing it.
    """
    files = _by_year(folder)
    if years is None:
        return list(files.values())
    if not years:
        raise DataError(f"years {years.start}-{years.stop - 1}: the first year is after the last")
    if missing := [year for year in years if year not in files]:
        raise DataError(
            f"{folder}: no games of {describe_years(missing)}; "
            f"years there are {describe_years(files) or 'none'}"
        )
    return [files[year] for year in sorted(years)]


def wthor_name_file(folder: Path, name: str) -> Path | None:
    """Find a folder's file of names, given as the store calls it, under any of its names."""
    beside = {path.name.lower(): path for path in _files_in(folder)}
    return next((beside[n.lower()] for n in NAME_FILES[name] if n.lower() in beside), None)


def wthor_year(name: str) -> int | None:
    """Return the year of a .wtb file by its name; None for any other file."""
    match = _YEAR_FILE.fullmatch(name)
    return int(match[1]) if match else None


def check_wthor(name: str, data: bytes) -> WthorHeader:
    """Check header and size of a WThor file's bytes; the name says which kind and year it is.

    The moves of the games are not looked at. What is wrong is a RecordError.
    """
    problems = Problems(name)
    length = NAME_LENGTHS.get(Path(name).suffix.lower())
    if length is not None:
        return WthorNames.parse(data, length, problems).header
    header = WthorFile.parse(data, problems).header
    # A writer that does not know the year leaves zero.
    if header.year not in (0, wthor_year(name)):
        raise problems.error(f"holds the games of {header.year}", field="header")
    return header


def list_wthor(folder: Path | None = None) -> list[StoredFile]:
    """Return what a folder (the store's if None) holds of WThor: names first, then by year."""
    folder = store_folder("wthor") if folder is None else folder
    if not folder.exists():
        return []
    names = {other.lower() for others in NAME_FILES.values() for other in others}
    found = []
    for path in _files_in(folder):
        wanted = path.name[: -len(".part")] if path.suffix == ".part" else path.name
        if wthor_year(wanted) is not None or wanted.lower() in names:
            found.append(_describe(path, wanted))
    return sorted(found, key=lambda file: (file.year or 0, file.path.name))


def _describe(path: Path, name: str) -> StoredFile:
    size = path.stat().st_size
    year = wthor_year(name)
    if path.name != name:
        problem = "an interrupted download; outflank data fetch wthor continues it"
        return StoredFile("wthor", path, size, year, problem=problem)
    try:
        header = check_wthor(name, read_bytes(path))
    except RecordError as error:
        return StoredFile("wthor", path, size, year, problem=error.problem)
    except FileError as error:
        return StoredFile("wthor", path, size, year, problem=str(error))
    return StoredFile("wthor", path, size, year, games=None if year is None else header.games)


def _by_year(folder: Path) -> dict[int, Path]:
    """Return the .wtb files of a folder by year, in the order of years."""
    files: dict[int, Path] = {}
    for path in _files_in(folder):
        year = wthor_year(path.name)
        if year is None:
            continue
        if year in files:
            both = " and ".join(sorted((files[year].name, path.name)))
            raise DataError(f"{folder}: {both} are of the same year; keep one of them")
        files[year] = path
    return dict(sorted(files.items()))


def _files_in(folder: Path) -> Iterator[Path]:
    try:
        yield from [path for path in folder.iterdir() if path.is_file()]
    except OSError as error:
        raise FileError(folder, "read", error) from error
