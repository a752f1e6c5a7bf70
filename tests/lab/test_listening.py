"""The command takes its port before anything else, and browsers that come early wait."""

from __future__ import annotations

import socket

import pytest

from outflank.cli.lab import _listen
from outflank.errors import OutflankError


def test_a_browser_may_come_before_the_server_is_ready() -> None:
    with _listen("127.0.0.1", 0) as listening:
        socket.create_connection(listening.getsockname(), timeout=5).close()


def test_a_port_that_is_taken_is_told() -> None:
    with _listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(OutflankError, match=f"cannot listen on 127.0.0.1:{port}"):
            _listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["", " ", "a\0b", "\udcff", "x" * 300])
def test_what_is_no_host_is_named(host: str) -> None:
    with pytest.raises(OutflankError, match="no host's name"):
        _listen(host, 0)
