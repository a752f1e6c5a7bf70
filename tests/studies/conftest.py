"""Games to learn from, a store of the tests' own, and no engine that happens to be installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from learn.weighted_games import write_weighted_games


@pytest.fixture(scope="session")
def wthor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of WThor files with games of a simple rule."""
    return write_weighted_games(tmp_path_factory.mktemp("wthor"))


@pytest.fixture(scope="session")
def _store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("store")


@pytest.fixture(autouse=True)
def store(_store: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that training sets are kept in; neither Edax nor a league is configured."""
    monkeypatch.setenv("OUTFLANK_DATA", str(_store))
    monkeypatch.delenv("OUTFLANK_LEAGUE", raising=False)
    monkeypatch.setenv("OUTFLANK_EDAX", str(_store / "no-edax"))
    return _store


@pytest.fixture(scope="session")
def studies_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that studies share, as they do on a desk: networks are trained once."""
    return tmp_path_factory.mktemp("studies")
