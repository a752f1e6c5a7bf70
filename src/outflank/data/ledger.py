"""Which version of each file a folder of downloads holds, as the server told it."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from outflank.errors import DownloadError
from outflank.files import read_bytes, write_bytes
from outflank.locks import LockedError, take_lock

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True)
class Version:
    """What names one version of a file on a server; empty where the server said nothing."""

    url: str
    etag: str = ""
    last_modified: str = ""
    sha256: str = ""  # of the content, once it is whole

    @classmethod
    def of(cls, response: httpx.Response, url: str) -> Version:
        """Read a version from the headers of an answer to a request for `url`."""
        if "Content-Encoding" in response.headers:
            return cls(url)  # the server's names are for other bytes than are kept here
        return cls(url, response.headers.get("ETag", ""), response.headers.get("Last-Modified", ""))

    @property
    def if_range(self) -> str:
        """The value of If-Range; weak tags do not promise the same bytes and do not count."""
        return self.last_modified if self.etag.startswith("W/") else self.etag or self.last_modified

    @property
    def if_changed(self) -> dict[str, str]:
        """The headers with which the server only sends another version than this."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}


class Ledger:
    """The versions of files and parts in a folder, kept in its downloads.json."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "downloads.json"
        self._versions = _load(self._path)

    def version(self, name: str, url: str) -> Version | None:
        """Return the version of a file, if it came from this address."""
        version = self._versions.get(name)
        return version if version and version.url == url else None

    def enter(self, name: str, version: Version) -> None:
        """Note which version a file is of."""
        self._versions[name] = version
        self._save()

    def complete(self, part: str, name: str, sha256: str) -> None:
        """Note that a part is now a whole file of another name."""
        self._versions[name] = dataclasses.replace(self._versions.pop(part), sha256=sha256)
        self._save()

    def _save(self) -> None:
        content = {name: dataclasses.asdict(v) for name, v in sorted(self._versions.items())}
        write_bytes(self._path, json.dumps(content, indent=1).encode())


def _load(path: Path) -> dict[str, Version]:
    """Read a ledger; one that is damaged counts as empty, and costs only new downloads."""
    if not path.exists():
        return {}
    with suppress(ValueError, TypeError, AttributeError):
        content = json.loads(read_bytes(path))
        versions = {name: Version(**fields) for name, fields in content.items()}
        if all(isinstance(text, str) for v in versions.values() for text in vars(v).values()):
            return versions
    return {}


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Hold a folder for this process; a second one would write into the same parts."""
    try:
        lock = take_lock(folder / ".lock")
    except LockedError as error:
        message = f"{folder}: another fetch is at work in this folder; wait for its end"
        raise DownloadError(message) from error
    try:
        yield
    finally:
        os.close(lock)
