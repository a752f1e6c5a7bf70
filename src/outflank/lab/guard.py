"""Guards the app: who may ask, how much, and how often."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from outflank.lab.uploads import MOST_BYTES

_MOST_JSON = 1024 * 1024
_API, _UPLOADS = "/api", "/api/records"
_PER_SECOND, _AT_ONCE = 60.0, 300.0
_CLIENTS = 1000  # remembered

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class Guard:
    """Refuses requests that come from other sites, are too large, or too many.

    Another site could make a browser send requests to this machine, under a name of its own that
    resolves to it. So the Host must be one of ours, and so must the Origin, if there is one.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self.hosts = {host.lower() for host in hosts}
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        body = _Limited(receive, _limit_of(scope))
        try:
            await self.app(scope, body, _unless_too_large(body, _with_headers(send)))
        except Exception:
            if not body.is_too_large:
                raise
        if body.is_too_large:
            await _refuse(scope, send, *_too_large(scope))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if _name_of(host) not in self.hosts:
            return 421, f"this server does not answer under the name {host[:80]!r}"
        origin = headers.get("origin")
        if origin is not None and _place_of(origin) != host.lower():
            return 403, "this page belongs to another site"
        from_elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if from_elsewhere and scope.get("method") != "GET":
            return 403, "this request comes from another site"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > _limit_of(scope):
            return _too_large(scope)
        client = scope.get("client")
        # The site's own files are many, and reading them is cheap.
        if scope["path"].startswith(_API) and not self._may_ask(client[0] if client else ""):
            return 429, "too many requests; wait a moment"
        return None

    def _may_ask(self, client: str) -> bool:
        now = time.monotonic()
        left, seen = self._clients.pop(client, (_AT_ONCE, now))
        left = min(_AT_ONCE, left + _PER_SECOND * (now - seen))
        allowed = left >= 1
        self._clients[client] = (left - 1 if allowed else left, now)
        while len(self._clients) > _CLIENTS:
            self._clients.popitem(last=False)
        return allowed


class _Limited:
    """Ends a request whose body is too long, whatever its header says."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self.receive, self.left = receive, limit

    @property
    def is_too_large(self) -> bool:
        """Whether the body was too long."""
        return self.left < 0

    async def __call__(self) -> Message:
        message = await self.receive()
        self.left -= len(message.get("body", b""))
        if self.is_too_large:
            return {"type": "http.disconnect"}
        return message


def _limit_of(scope: Scope) -> int:
    return MOST_BYTES if scope["path"] == _UPLOADS else _MOST_JSON


def _too_large(scope: Scope) -> tuple[int, str]:
    return 413, f"too large: at most {_limit_of(scope) // 1024} kilobytes"


def _unless_too_large(body: _Limited, send: Send) -> Send:
    """Hold back the app's answer to a truncated body: the guard answers itself."""

    async def sending(message: Message) -> None:
        if not body.is_too_large:
            await send(message)

    return sending


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", [])}
            message["headers"] = [
                *message.get("headers", []),
                *(
                    (name.lower().encode(), value.encode())
                    for name, value in HEADERS.items()
                    if name.lower().encode() not in given
                ),
            ]
        await send(message)

    return sending


def _place_of(origin: str) -> str | None:
    """The name and port in an Origin header, if it makes sense."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _name_of(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


async def _refuse(scope: Scope, send: Send, status: int, problem: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": problem[:100]})
        return
    body = json.dumps({"error": problem}).encode()
    start = {"type": "http.response.start", "status": status}
    await send({**start, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": body})
