"""A server with three years of made-up games, and a store of the test's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.file_server import FileServer, serve
from data.wthor_bytes import jou, trn, wtb


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of WThor files in an empty store; no proxy stands before the test's server."""
    # Reading the certificates of the whole world takes longer than most tests.
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name == "OUTFLANK_WTHOR_URL":
            monkeypatch.delenv(name)
    monkeypatch.setenv("OUTFLANK_DATA", str(tmp_path / "store"))
    return tmp_path / "store" / "wthor"


@pytest.fixture
def server() -> Iterator[FileServer]:
    files = {
        "WTHOR.JOU": jou(),
        "WTHOR.TRN": trn(),
        "WTH_1977.wtb": wtb(1977, 12),
        "WTH_1978.wtb": wtb(1978, 9000),  # 612 kB: comes in many pieces
        "WTH_1979.wtb": wtb(1979, 11),
    }
    with serve(FileServer(files)) as running:
        yield running
