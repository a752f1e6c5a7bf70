"""A server of the lab in a folder of its own."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra lab")

from starlette.testclient import TestClient, WebSocketTestSession

from outflank.lab.answers import LIVE as LIVE_MESSAGES
from outflank.lab.app import create_app
from outflank.lab.settings import LabSettings

PATIENCE = 60.0  # seconds that a test waits for a message
ADDRESS, LIVE = "http://127.0.0.1:8000", "ws://127.0.0.1:8000/api/live"


def settings_in(folder: Path) -> LabSettings:
    """Everything that a server reads and writes, in one folder."""
    return LabSettings(
        games=folder / "lab",
        runs=folder / "runs",
        studies=folder / "studies",
        results=folder / "results.sqlite",
        wthor=folder / "wthor",
        engines=folder / "engines.json",
    )


@pytest.fixture
def settings(tmp_path: Path) -> LabSettings:
    return settings_in(tmp_path)


@pytest.fixture
def client(settings: LabSettings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        yield client


class Page:
    """What a page does over its socket; all that it hears must be declared in lab/answers."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self._incoming: queue.Queue[dict[str, Any] | Exception] = queue.Queue()
        self._reader: threading.Thread | None = None

    def say(self, kind: str, **rest: Any) -> None:
        self.socket.send_text(json.dumps({"type": kind, **rest}))

    def hear(self, wanted: Callable[[dict[str, Any]], bool] = lambda message: True) -> Any:
        """Wait for a message of a kind, but not for ever."""
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, daemon=True)
            self._reader.start()
        until = time.monotonic() + PATIENCE
        while (left := until - time.monotonic()) > 0:
            try:
                message = self._incoming.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(message, Exception):
                raise message
            self.heard.append(message)
            if wanted(message):
                return message
        raise AssertionError("it was not said")

    def _read(self) -> None:
        try:
            while True:
                message = self.socket.receive_json()
                LIVE_MESSAGES.validate_python(message, extra="forbid")
                self._incoming.put(message)
        except Exception as error:
            self._incoming.put(error)

    def table(self, wanted: Callable[[dict[str, Any]], bool] = lambda table: True) -> Any:
        """Wait for a state of a table."""
        return self.hear(lambda m: m["type"] == "table" and wanted(m["table"]))["table"]

    def error(self) -> str:
        found: str = self.hear(lambda message: message["type"] == "error")["message"]
        return found


@pytest.fixture
def page(client: TestClient) -> Iterator[Page]:
    with client.websocket_connect(LIVE) as socket:
        yield Page(socket)


def begin(client: TestClient, **body: Any) -> str:
    """Begin a game and return its id."""
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["id"]
    return found
