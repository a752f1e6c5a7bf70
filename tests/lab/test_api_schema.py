"""Requests that a machine makes up from the API's own document never break the server."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as limits

pytest.importorskip("schemathesis", reason="needs schemathesis")

import schemathesis

from outflank.lab.app import create_app
from outflank.lab.settings import LabSettings

_FOLDER = Path(tempfile.mkdtemp(prefix="outflank-lab-"))
SETTINGS = LabSettings(
    games=_FOLDER / "lab",
    runs=_FOLDER / "runs",
    studies=_FOLDER / "studies",
    results=_FOLDER / "results.sqlite",
    wthor=_FOLDER / "wthor",
    engines=_FOLDER / "engines.json",
    hosts=("127.0.0.1", "localhost", "testserver"),
)
schema = schemathesis.openapi.from_asgi("/openapi.json", create_app(SETTINGS))


# Starting real runs and tournaments has tests of its own.
@schema.exclude(path_regex="^/api/(runs|tournaments)$", method="POST").parametrize()
@limits(max_examples=6, deadline=None)
def test_no_request_breaks_the_server(case: Any) -> None:
    response = case.call()
    assert response.status_code < 500, response.text
    if response.status_code >= 400:
        assert response.json()["error"]
