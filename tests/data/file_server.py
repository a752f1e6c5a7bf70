"""A web server for tests: serves files from memory, with ranges, versions and faults on demand."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Fault:
    """What the server does wrong in one answer."""

    status: int | None = None  # answers this, without the file
    page: bytes | None = None  # answers 200 and this instead of the file
    cut_after: int | None = None  # closes the connection after so many bytes of the file
    pause: float = 0.0  # seconds before it answers
    compress: bool = False  # claims that the bytes are compressed in a way nobody knows


@dataclass(frozen=True)
class Answer:
    """What the server did for one request."""

    name: str
    status: int
    sent: int  # bytes of body
    asked: dict[str, str]  # the request's headers, names in lower case


@dataclass
class FileServer:
    """Files by name, and how they are served."""

    files: dict[str, bytes] = field(default_factory=dict)
    modified: str = "Mon, 16 Feb 2026 10:00:00 GMT"
    ranges: bool = True  # or Range is ignored
    conditions: bool = True  # or If-Range is ignored
    tags: bool = True  # or no ETag is sent
    dates: bool = True  # or no Last-Modified is sent
    faults: defaultdict[str, deque[Fault]] = field(default_factory=lambda: defaultdict(deque))
    answers: list[Answer] = field(default_factory=list)
    url: str = ""

    def will(self, name: str, *faults: Fault) -> None:
        """Let the next answers for a file go wrong, one fault each."""
        self.faults[name].extend(faults)

    def sent(self, name: str) -> list[int]:
        """Return how many bytes of a file each request for it was sent."""
        return [answer.sent for answer in self.answers if answer.name == name]

    def statuses(self, name: str) -> list[int]:
        """Return the statuses of all answers for a file."""
        return [answer.status for answer in self.answers if answer.name == name]

    def forget(self) -> None:
        """Forget all answers so far."""
        self.answers.clear()

    def tag(self, name: str) -> str:
        """Return the ETag of a file."""
        return f'"{hashlib.md5(self.files[name]).hexdigest()}"'


@contextmanager
def serve(files: FileServer) -> Iterator[FileServer]:
    """Serve until the block ends."""
    handler = type("Handler", (_Handler,), {"files": files})
    server = _QuietServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    files.url = f"http://127.0.0.1:{server.server_port}/base/"
    try:
        yield files
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _QuietServer(ThreadingHTTPServer):
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    files: FileServer
    protocol_version = "HTTP/1.1"
    timeout = 5
    disable_nagle_algorithm = True  # or each answer waits 40 ms

    def do_GET(self) -> None:
        name = self.path.removeprefix("/base/")
        fault = self.files.faults[name].popleft() if self.files.faults[name] else Fault()
        time.sleep(fault.pause)
        if fault.status or name not in self.files.files:
            self._answer(name, fault.status or 404, b"<html>sorry</html>", {})
        elif fault.page is not None:
            self._answer(name, 200, fault.page, {"Content-Type": "text/html"})
        else:
            self._send_file(name, fault)

    def _send_file(self, name: str, fault: Fault) -> None:
        content, version = self.files.files[name], self._version(name)
        if fault.compress:
            version["Content-Encoding"] = "x-unknown"
        if self._unchanged(version):
            self._answer(name, 304, b"", version)
            return
        span = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if not span or not self.files.ranges or not self._same(version):
            self._answer(name, 200, content, version, fault.cut_after)
            return
        start = int(span[1])
        if start >= len(content):
            self._answer(name, 416, b"", {"Content-Range": f"bytes */{len(content)}"})
            return
        version["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self._answer(name, 206, content[start:], version, fault.cut_after)

    def _version(self, name: str) -> dict[str, str]:
        version = {}
        if self.files.tags:
            version["ETag"] = self.files.tag(name)
        if self.files.dates:
            version["Last-Modified"] = self.files.modified
        return version

    def _unchanged(self, version: dict[str, str]) -> bool:
        if tag := self.headers.get("If-None-Match"):
            return tag == version.get("ETag")
        return self.headers.get("If-Modified-Since", "no") == version.get("Last-Modified")

    def _same(self, version: dict[str, str]) -> bool:
        wanted = self.headers.get("If-Range")
        return wanted is None or not self.files.conditions or wanted in version.values()

    def _answer(
        self,
        name: str,
        status: int,
        body: bytes,
        headers: dict[str, str],
        cut_after: int | None = None,
    ) -> None:
        sent = body if cut_after is None else body[:cut_after]
        asked = {key.lower(): value for key, value in self.headers.items()}
        self.files.answers.append(Answer(name, status, len(sent), asked))
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(sent)
        self.close_connection = len(sent) < len(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing: the answers are kept."""
