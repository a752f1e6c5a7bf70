"""The server answers its own page, in reasonable amounts, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from lab.conftest import LIVE
from outflank.lab import guard

GAME = {"black": "human"}


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil", ""])
def test_other_names_are_not_ours(client: TestClient, host: str) -> None:
    answer = client.get("/api/about", headers={"host": host})
    assert answer.status_code == 421
    assert "does not answer under the name" in answer.json()["error"]


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000"])
def test_our_names(client: TestClient, host: str) -> None:
    assert client.get("/api/about", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://127.0.0.1:9000",
        "http://localhost:8000",
        "http://[",
        "http://[::1",
        "",
    ],
)
def test_other_pages_may_not_ask(client: TestClient, origin: str) -> None:
    assert client.post("/api/games", json=GAME, headers={"origin": origin}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(LIVE, headers={"origin": origin}),
    ):
        pass


def test_our_own_page_may(client: TestClient) -> None:
    ours = {"origin": "http://127.0.0.1:8000"}
    assert client.post("/api/games", json=GAME, headers=ours).status_code == 201
    with client.websocket_connect(LIVE, headers=ours) as socket:
        socket.send_text('{"type": "ping"}')
        assert socket.receive_json() == {"type": "pong"}
    other = {"sec-fetch-site": "cross-site"}
    assert client.post("/api/games", json=GAME, headers=other).status_code == 403


def test_large_bodies_are_refused(client: TestClient) -> None:
    answer = client.post("/api/games", content=b"x" * (2 << 20))
    assert answer.status_code == 413
    assert "at most 1024 kilobytes" in answer.json()["error"]
    answer = client.post("/api/records", content=b"-" * (21 << 20))
    assert answer.status_code == 413
    answer = client.post("/api/games", content=b"{}", headers={"content-length": "many"})
    assert answer.status_code == 413


@pytest.mark.parametrize(("path", "megabytes"), [("games", 2), ("records", 21)])
def test_a_body_longer_than_it_says(client: TestClient, path: str, megabytes: int) -> None:
    """A stream without a length is cut off."""

    def endless() -> Iterator[bytes]:
        for _ in range(megabytes):
            yield b" " * (1 << 20)

    answer = client.post(f"/api/{path}", content=endless())
    assert answer.status_code == 413
    assert "too large" in answer.json()["error"]


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time goes by, in which more could be asked."""
    monkeypatch.setattr("outflank.lab.guard.time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.mark.usefixtures("still")
def test_too_many_requests(client: TestClient) -> None:
    answers = [client.get("/api/about").status_code for _ in range(500)]
    assert answers[0] == 200
    assert 429 in answers


@pytest.mark.usefixtures("still")
def test_the_pages_own_files_do_not_count(client: TestClient) -> None:
    assert {client.get("/favicon.svg").status_code for _ in range(500)} == {200}
    assert client.get("/api/about").status_code == 200


@pytest.mark.parametrize(
    ("site", "status"),
    [("same-site", 403), ("cross-site", 403), ("same-origin", 422), ("none", 422)],
)
def test_what_the_browser_says_of_the_page_that_asks(
    client: TestClient, site: str, status: int
) -> None:
    """Another page of the same site is another page; reading is allowed to all."""
    headers = {"sec-fetch-site": site}
    assert client.post("/api/games", headers=headers, json={"black": 3}).status_code == status
    assert client.get("/api/about", headers=headers).status_code == 200


def test_who_waits_may_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(guard, "time", SimpleNamespace(monotonic=lambda: now[0]))
    asked = guard.Guard(app=None, hosts=())  # type: ignore[arg-type]

    def allowed(times: int) -> int:
        return sum(asked._may_ask("one") for _ in range(times))

    at_once = int(guard._AT_ONCE)
    assert allowed(at_once + 5) == at_once
    assert allowed(1) == 0
    now[0] += 1.5
    assert allowed(1000) == int(1.5 * guard._PER_SECOND)
    now[0] += 1e6  # however long: no more than at first
    assert allowed(at_once + 5) == at_once


def test_only_some_clients_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks all the time is not forgotten; who asked the longest ago is."""
    monkeypatch.setattr(guard, "time", SimpleNamespace(monotonic=lambda: 0.0))
    monkeypatch.setattr(guard, "_CLIENTS", 3)
    asked = guard.Guard(app=None, hosts=())  # type: ignore[arg-type]
    while asked._may_ask("busy"):
        pass
    for name in ("a", "b", "c", "d", "e"):
        assert asked._may_ask(name)
        assert not asked._may_ask("busy")
        assert len(asked._clients) <= 3
    assert list(asked._clients) == ["d", "e", "busy"]


def test_pages_are_sent_with_careful_headers(client: TestClient) -> None:
    headers = client.get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    ["/../app.py", "/%2e%2e/app.py", "/js/../../app.py", "/..%2fapp.py", "//etc/passwd"],
)
def test_no_other_files_are_served(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (404, 405)
    assert "def " not in answer.text
