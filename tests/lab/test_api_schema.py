"""Requests that a machine makes up from the API's own document never break the server."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as limits

from lab.conftest import settings_in

pytest.importorskip("schemathesis", reason="needs schemathesis")

import schemathesis

from outflank.lab.app import create_app

FOLDER = Path(tempfile.mkdtemp(prefix="outflank-lab-"))
SETTINGS = replace(settings_in(FOLDER), hosts=("127.0.0.1", "localhost", "testserver"))
schema = schemathesis.openapi.from_asgi("/openapi.json", create_app(SETTINGS))


# Starting real runs and tournaments has tests of its own.
@schema.exclude(path_regex="^/api/(runs|tournaments)$", method="POST").parametrize()
@limits(max_examples=6, deadline=None)
def test_no_request_breaks_the_server(case: Any) -> None:
    response = case.call()
    assert response.status_code < 500, response.text
    if response.status_code >= 400:
        assert response.json()["error"]
