"""Games to learn from, made once, and a store of the tests' own."""

from __future__ import annotations

from pathlib import Path

import pytest

from learn.weighted_games import write_weighted_games


@pytest.fixture(scope="session")
def weighted_wthor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of WThor files with games of a simple rule."""
    return write_weighted_games(tmp_path_factory.mktemp("wthor"))


@pytest.fixture(scope="session")
def _store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(autouse=True)
def store(_store: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that training sets are kept in, for all tests of this room."""
    monkeypatch.setenv("OUTFLANK_DATA", str(_store))
    return _store
