"""What all tests share: where data that is not part of the project may lie beside it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# Processes that run tests side by side are given the width of the terminal; tests set their own.
os.environ.pop("COLUMNS", None)

# A shell lets what it starts in the background ignore Ctrl-C, and so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

_SHARED = Path(__file__).resolve().parents[2] / "shared"


def _shared(name: str, kind: str = "data") -> Path:
    path = _SHARED / kind / name
    if not path.exists():
        pytest.skip(f"needs {name} in ../shared/{kind}, which is not part of the project")
    return path


@pytest.fixture
def wthor_data() -> Path:
    """The folder of WThor files 1977 to 2020."""
    return _shared("wthor")


@pytest.fixture
def wthor_paper_data() -> Path:
    """The folder of WThor files 1977 to 2015 in the edition that paper 1 used."""
    return _shared("wthor-paper")


@pytest.fixture
def openings_data() -> Path:
    """The 1000 openings of paper 1."""
    return _shared("openings-6ply-1000.txt")


@pytest.fixture
def endgames_data() -> list[Path]:
    """The FFO endgame positions."""
    return [_shared(f"fforum-{part}.obf") for part in ("1-19", "20-39", "40-59")]


@pytest.fixture
def league_data() -> Path:
    """The folder of the Othello League's .player files."""
    return _shared("players")


@pytest.fixture
def papers_data() -> Path:
    """The folder of the papers' texts."""
    _shared("1-liskowski-imitation.txt", "papers")
    return _SHARED / "papers"
