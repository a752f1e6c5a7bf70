"""Files over HTTP: continued where they were cut, checked, in their place only when whole.

A file grows as NAME.part. What the server said about its version (ETag, Last-Modified) is kept in
downloads.json, so that a part is only continued with more of the same version, and a whole file
is only sent again if it has changed. One connection, in the caller's thread: these servers are
run by volunteers, the files are small, and an interrupt takes effect at once.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

import outflank
from outflank.data.ledger import Ledger, Version, one_at_a_time
from outflank.data.report import (
    FileOutcome,
    FileResult,
    NotOnServerError,
    Patience,
    Progress,
    UnreachableError,
)
from outflank.data.trouble import Trouble, explain
from outflank.errors import DownloadError, FileError, RecordError
from outflank.files import read_bytes

# No file that is fetched comes near; a server that sends without end must not fill the disk.
LARGEST = 64 << 20

_TRY_AGAIN_LATER = (408, 429, 500, 502, 503, 504)
_CONTENT_RANGE = re.compile(r"bytes ([0-9]+)-[0-9]+/([0-9]+)")

Check = Callable[[str, bytes], object]  # raises RecordError for a name and bytes that are wrong


class _BrokenOffError(Exception):
    """An attempt that failed without an answer that would decide the matter."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.reason)
        self.trouble = trouble


class _StartAgainError(Exception):
    """The server cannot continue the part that is here."""


@contextmanager
def open_downloads(
    folder: Path, check: Check, patience: Patience, progress: Progress
) -> Iterator[Downloads]:
    """Make a folder ready to download into; only one process at a time may do so."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, "make the folder", error) from error
    with one_at_a_time(folder), _client(patience) as client:
        yield Downloads(folder, check, client, patience, progress, Ledger(folder))


@dataclass(frozen=True)
class Downloads:
    """Brings files from a server into one folder."""

    folder: Path
    check: Check
    client: httpx.Client
    patience: Patience
    progress: Progress
    ledger: Ledger

    def has(self, name: str) -> bool:
        """Return whether a file is whole and sound, with no newer version begun."""
        path = self.folder / name
        if not path.is_file() or _part(path).exists():
            return False
        try:
            self.check(name, read_bytes(path))
        except RecordError:
            return False
        return True

    def get(self, name: str, url: str, *, refresh: bool = False) -> FileResult:
        """Bring one file; one that is there already is only asked for anew to refresh it.

        Raises NotOnServerError, UnreachableError or another DownloadError, or FileError if the
        file cannot be written.
        """
        path = self.folder / name
        if not refresh and self.has(name):
            return FileResult(name, path, FileOutcome.ALREADY_THERE)
        transfer = _Transfer(self, name, url, refresh)
        pauses = list(self.patience.pauses)
        while True:
            try:
                outcome = transfer.attempt()
                return FileResult(name, path, outcome, transfer.received)
            except _StartAgainError:
                transfer.discard()
            except _BrokenOffError as error:
                trouble = error.trouble
                if trouble.lasting or not pauses:
                    raise _failure(url, trouble) from error
                pause = pauses.pop(0)
                self.progress.retrying(name, trouble.reason, pause)
                time.sleep(pause)


class _Transfer:
    """The way of one file from the server to its place, over as many attempts as it takes."""

    def __init__(self, downloads: Downloads, name: str, url: str, refresh: bool) -> None:
        self.downloads = downloads
        self.name = name
        self.url = url
        self.refresh = refresh
        self.path = downloads.folder / name
        self.part = _part(self.path)
        self.received = 0

    def attempt(self) -> FileOutcome:
        """Ask the server once and take what it sends."""
        start, headers = self._conditions()
        try:
            with self.downloads.client.stream("GET", self.url, headers=headers) as response:
                if response.status_code == 304 and "Range" not in headers and headers:
                    self.discard()
                    return FileOutcome.UNCHANGED
                start, total = self._expect(response, start)
                size = self._take(response, start, total)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _BrokenOffError(explain(error, self.downloads.patience.timeout)) from error
        if total is not None and size < total:
            raise _BrokenOffError(Trouble(f"only {size} of {total} bytes were sent"))
        self._put_in_place(resumed=start > 0)
        return FileOutcome.RESUMED if start else FileOutcome.DOWNLOADED

    def discard(self) -> None:
        """Forget what is here of the file's new version."""
        with _writing(self.part):
            self.part.unlink(missing_ok=True)

    def _conditions(self) -> tuple[int, dict[str, str]]:
        """Return how many bytes of this version are here, and the headers to ask for the rest."""
        ledger = self.downloads.ledger
        begun = ledger.version(self.part.name, self.url)
        start = self.part.stat().st_size if self.part.exists() else 0
        if start and begun and begun.if_range:
            return start, {"Range": f"bytes={start}-", "If-Range": begun.if_range}
        whole = ledger.version(self.name, self.url) if self.refresh else None
        # A file that was changed here since must be sent again, whatever the server thinks.
        if whole and self.path.is_file() and whole.sha256 == _sha256(read_bytes(self.path)):
            return 0, whole.if_changed
        return 0, {}

    def _expect(self, response: httpx.Response, start: int) -> tuple[int, int | None]:
        """Return where the answer's bytes begin and how long the file is, if the server says so."""
        status = response.status_code
        if status == 200:
            # Content-Length counts compressed bytes.
            plain = "Content-Encoding" not in response.headers
            length = response.headers.get("Content-Length", "") if plain else ""
            return 0, int(length) if length.isdecimal() else None
        if start and status == 206:
            span = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
            if span and int(span[1]) == start and self._continues(response):
                return start, int(span[2])
        if start and status in (206, 416):
            raise _StartAgainError
        answer = f"the server answered {status} {response.reason_phrase}".rstrip()
        if status in (404, 410):
            raise NotOnServerError(f"{self.url}: {answer}")
        if status in _TRY_AGAIN_LATER:
            raise _BrokenOffError(Trouble(answer))
        raise DownloadError(f"{self.url}: {answer}")

    def _continues(self, response: httpx.Response) -> bool:
        """Return whether a partial answer is of the version that the part is of."""
        begun = self.downloads.ledger.version(self.part.name, self.url)
        named = Version.of(response, self.url)
        return begun is not None and not (
            (named.etag and named.etag != begun.etag)
            or (named.last_modified and named.last_modified != begun.last_modified)
        )

    def _take(self, response: httpx.Response, start: int, total: int | None) -> int:
        """Write the answer's bytes after the first `start` of the part; return its size."""
        self._allow(total or 0)
        if not start:
            with _writing(self.part):
                self.part.write_bytes(b"")
            self.downloads.ledger.enter(self.part.name, Version.of(response, self.url))
        size = start
        for chunk in response.iter_bytes():
            self.received += len(chunk)
            size += len(chunk)
            self._allow(size)
            with _writing(self.part), open(self.part, "ab") as stream:
                stream.write(chunk)
            self.downloads.progress.received(self.name, size, total)
        return size

    def _allow(self, size: int) -> None:
        if size > LARGEST:
            self.discard()
            raise DownloadError(f"{self.url}: larger than {LARGEST >> 20} MB, so not {self.name}")

    def _put_in_place(self, resumed: bool) -> None:
        """Check what was received and give it its name."""
        data = read_bytes(self.part)
        try:
            self.downloads.check(self.name, data)
        except RecordError as error:
            if resumed:
                raise _StartAgainError from error  # the fault may be in the older part
            self.discard()
            web_page = data[:1024].lstrip().lower().startswith((b"<!doctype", b"<html", b"<?xml"))
            problem = f"a web page instead of {self.name}" if web_page else error.problem
            raise DownloadError(f"{self.url}: {problem}") from error
        with _writing(self.path):
            with open(self.part, "rb") as stream:
                os.fsync(stream.fileno())
            self.part.replace(self.path)
        self.downloads.ledger.complete(self.part.name, self.name, _sha256(data))


@contextmanager
def _client(patience: Patience) -> Iterator[httpx.Client]:
    headers = {
        "User-Agent": f"outflank/{outflank.__version__}",
        # A range counts the bytes that are sent: compressed ones would not fit together.
        "Accept-Encoding": "identity",
    }
    try:
        client = httpx.Client(headers=headers, timeout=patience.timeout, follow_redirects=True)
    except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
        # Proxies and certificates come from the environment and are read here.
        raise DownloadError(f"the proxy or certificates that are set: {error}") from error
    with client:
        yield client


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileError(path, "write", error) from error


def _failure(url: str, trouble: Trouble) -> DownloadError:
    if trouble.unreachable:
        return UnreachableError(f"{urlsplit(url).netloc}: {trouble.reason}")
    return DownloadError(f"{url}: {trouble.reason}")


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
