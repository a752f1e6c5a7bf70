"""Network trouble in words for people."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass

import httpx


@dataclass(frozen=True)
class Trouble:
    """Why a request failed."""

    reason: str
    unreachable: bool = False  # the host, not only this file
    lasting: bool = False  # another attempt would end in the same way


def explain(error: httpx.HTTPError | httpx.InvalidURL, timeout: float) -> Trouble:
    """Say why a request failed; `timeout` is the seconds it waited."""
    if isinstance(error, httpx.TimeoutException):
        return Trouble(f"no answer within {timeout:g} s", unreachable=True)
    if isinstance(error, httpx.ProxyError):
        return Trouble(f"the proxy refused: {error}", unreachable=True, lasting=True)
    if isinstance(error, httpx.ConnectError):
        return _explain_connect(error)
    if isinstance(error, (httpx.NetworkError, httpx.RemoteProtocolError)):
        return Trouble("the connection was cut")
    return Trouble(f"the download failed: {error or type(error).__name__}", lasting=True)


def _explain_connect(error: httpx.ConnectError) -> Trouble:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            reason = f"its certificate is not trusted: {cause.verify_message}"
            return Trouble(reason, unreachable=True, lasting=True)
        if isinstance(cause, ssl.SSLError):
            reason = f"no secure connection: {cause.reason or cause}"
            return Trouble(reason, unreachable=True, lasting=True)
        if isinstance(cause, socket.gaierror):
            return Trouble(f"host not found: {cause.strerror}", unreachable=True)
        if isinstance(cause, ConnectionRefusedError):
            return Trouble("the host refuses connections", unreachable=True)
    return Trouble(f"host not reachable: {error}", unreachable=True)


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
