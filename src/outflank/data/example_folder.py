"""A folder of training sets: arrays as .npy files, and examples.json, which says what they are.

    examples.json       sources with their checksums, and what the sets hold
    original/*.npy      every move of every game: the arrays of Examples
    unique/*.npy        the same without duplicates
    unique-s/*.npy      one example of each set of mirror images; SymmetricExamples makes the others

The set original-s needs no files of its own. examples.json is written last and removed first: a
folder without it is unfinished, and its arrays are not opened.
"""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, overload

import numpy as np
from numpy.typing import NDArray

from outflank.data.examples import AnyExamples, Examples, SymmetricExamples, with_images
from outflank.data.years import describe_years
from outflank.errors import DataError, FileError
from outflank.files import open_to_write, read_bytes, write_bytes
from outflank.locks import locked

MANIFEST = "examples.json"
SETS = ("original", "unique", "original-s", "unique-s")
_FOLDERS = ("original", "unique", "unique-s")  # those that have arrays

_FORMAT = 2
_HOW_TO_GET = "make the training sets with: outflank data extract"
_DTYPES = {
    "own": "<u8", "other": "<u8", "move": "|u1", "score": "|i1", "value": "<f4",
    "count": "<u4", "game": "<u4", "year": "<u2", "ply": "|u1",
}  # fmt: skip


@dataclass(frozen=True)
class SourceFile:
    """A WThor file that examples were taken from."""

    name: str
    year: int
    games: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a folder of training sets holds: the content of its examples.json."""

    sources: tuple[SourceFile, ...]
    games: int
    illegal: int  # games with a move that breaks the rules, of which only those before it count
    examples: dict[str, int]  # by the name of the set
    stored: dict[str, int]  # length of the arrays, by their folder
    checksums: dict[str, int]  # CRC-32 of the arrays, by their names: original/own
    whole: int  # how many of those of unique-s have eight different images
    ceilings: dict[str, float]  # accuracy of a perfect predictor, by the name of the set
    seen: dict[str, float]  # see extraction.seen_shares
    format: int = _FORMAT

    @property
    def years(self) -> tuple[int, ...]:
        """The years of the games."""
        return tuple(source.year for source in self.sources)

    def to_bytes(self) -> bytes:
        """Write it as JSON."""
        return json.dumps(dataclasses.asdict(self), indent=1).encode()

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read that of a folder; what is missing or damaged is a DataError."""
        if not folder.is_dir():
            what = "not a folder" if folder.exists() else "no such folder"
            raise DataError(f"{folder}: {what}; {_HOW_TO_GET}")
        path = folder / MANIFEST
        if not path.is_file():
            raise DataError(f"{folder}: no finished training sets (no {MANIFEST}); {_HOW_TO_GET}")
        try:
            content = json.loads(read_bytes(path))
            if content["format"] == _FORMAT:
                return _manifest(content)
        except (ValueError, TypeError, KeyError):
            raise DataError(f"{path}: damaged; {_HOW_TO_GET}") from None
        raise DataError(
            f"{path}: of format {content['format']!r}, only {_FORMAT} is accepted; {_HOW_TO_GET}"
        )


def _manifest(content: dict[str, Any]) -> Manifest:
    """Make a manifest of what examples.json says; what is missing is a KeyError or TypeError."""
    sources = tuple(SourceFile(**source) for source in content.pop("sources"))
    manifest = Manifest(sources=sources, **content)
    numbers = [manifest.games, manifest.illegal, manifest.whole]
    numbers += [manifest.examples[name] for name in SETS]
    numbers += [manifest.stored[name] for name in _FOLDERS]
    numbers += manifest.checksums.values()
    numbers += [source.year for source in sources]
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise TypeError
    return manifest


@overload
def open_examples(
    folder: Path, name: Literal["original", "unique"], *, years: range | None = None
) -> Examples: ...
@overload
def open_examples(
    folder: Path, name: Literal["original-s", "unique-s"], *, years: range | None = None
) -> SymmetricExamples: ...
@overload
def open_examples(folder: Path, name: str, *, years: range | None = None) -> AnyExamples: ...
def open_examples(folder: Path, name: str, *, years: range | None = None) -> AnyExamples:
    """Open one of the sets of a folder: original, unique, original-s or unique-s.

    The arrays are mapped into memory, not read. The two with all mirror images make them when they
    are taken, from one example of each eight (see SymmetricExamples). Arrays that are missing, cut
    short or of another type are a DataError; so are other years than those that are asked for.
    """
    if name not in SETS:
        raise DataError(f"no such set of examples: {name!r}; sets are {', '.join(SETS)}")
    manifest = Manifest.load(folder)
    if years is not None and sorted(years) != sorted(manifest.years):
        raise DataError(
            f"{folder}: holds the examples of {describe_years(manifest.years)}, "
            f"not of {describe_years(years) or 'no year'}"
        )
    stored = "original" if name == "original-s" else name
    examples = _open_arrays(folder / stored, manifest.stored[stored])
    if name == "original-s":
        return with_images(examples)
    return SymmetricExamples(examples, manifest.whole) if name == "unique-s" else examples


def check_arrays(folder: Path, manifest: Manifest) -> None:
    """Raise a DataError if an array of any set is not as it was written."""
    for name in _FOLDERS:
        for array, content in _open_arrays(folder / name, manifest.stored[name]).arrays().items():
            if manifest.checksums.get(f"{name}/{array}") != zlib.crc32(content.data):
                path = folder / name / f"{array}.npy"
                raise DataError(f"{path}: not as it was written; {_HOW_TO_GET}", remedy="refresh")


def _open_arrays(folder: Path, length: int) -> Examples:
    return Examples(**{name: _open_array(folder / f"{name}.npy", length) for name in _DTYPES})


def _open_array(path: Path, length: int) -> NDArray[Any]:
    """Map an array into memory, after a look at whether it is the one that was written."""
    if not path.is_file():
        raise DataError(f"{path}: missing; {_HOW_TO_GET}", remedy="refresh")
    dtype = np.dtype(_DTYPES[path.stem])
    try:
        with open(path, "rb") as stream:
            header = _read_header(stream)
            start, size = stream.tell(), path.stat().st_size
    except OSError as error:
        raise FileError(path, "read", error) from error
    except ValueError:
        raise DataError(f"{path}: not a .npy file; {_HOW_TO_GET}", remedy="refresh") from None
    if header != ((length,), False, dtype):
        raise DataError(
            f"{path}: not {dtype} of length {length:,}; {_HOW_TO_GET}", remedy="refresh"
        )
    if size != start + length * dtype.itemsize:
        raise DataError(
            f"{path}: {size:,} bytes instead of {start + length * dtype.itemsize:,}; {_HOW_TO_GET}",
            remedy="refresh",
        )
    if length == 0:
        return np.empty(0, dtype)  # nothing to map
    return np.asarray(np.memmap(path, dtype, "r", start, (length,)))


def _read_header(stream: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Read the header of a .npy file: shape, order, type."""
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError
    return np.lib.format.read_array_header_1_0(stream)


class FolderWriter:
    """Writes training sets into a folder, in which no other process may write meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stored: dict[str, int] = {}
        self.checksums: dict[str, int] = {}

    def begin(self) -> None:
        """Make what is in the folder unfinished, and take away what an interruption left."""
        try:
            (self.folder / MANIFEST).unlink(missing_ok=True)
            for place in (self.folder, *(self.folder / name for name in _FOLDERS)):
                for left in place.glob(".*.part"):
                    left.unlink()
        except OSError as error:
            raise FileError(self.folder, "write", error) from error

    def write(self, name: str, examples: Examples) -> None:
        """Write the arrays of one set."""
        make_folder(self.folder / name)
        for array_name, array in examples.arrays().items():
            stored = np.ascontiguousarray(array, _DTYPES[array_name])
            with open_to_write(self.folder / name / f"{array_name}.npy") as stream:
                np.save(stream, stored)
            self.checksums[f"{name}/{array_name}"] = zlib.crc32(stored.data)
        self.stored[name] = len(examples)

    def finish(self, manifest: Manifest) -> None:
        """Write examples.json, which makes the sets whole."""
        write_bytes(self.folder / MANIFEST, manifest.to_bytes())


def make_folder(folder: Path) -> None:
    """Make a folder, with those above it, if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, "make the folder", error) from error


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a folder for this process; a second one waits, and may then find its work done."""
    make_folder(folder)
    with locked(folder / ".lock", wait=True):
        yield
