"""What docs/arena.md says is true: its examples run, and its numbers are right."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from outflank import records
from outflank.arena.results import winning_rate_interval
from outflank.cli import COMMANDS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "arena.md"


def test_the_code_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(code, {})
    printed = capsys.readouterr().out
    assert "% of 100 games" in printed
    assert printed.splitlines()[1].startswith("playouts:games=5")
    assert len(list(records.read(tmp_path / "games.ggf"))) == 30


def test_the_commands_are_those_that_there_are() -> None:
    names = {command.name for command in COMMANDS}
    used = re.findall(r"^outflank (\w+)", PAGE.read_text(), re.MULTILINE)
    assert set(used) <= names
    assert {"match", "tournament", "ratings"} == set(used)


def test_ten_openings_won_twice() -> None:
    low, high = winning_rate_interval(np.ones(10))
    assert f"{low:.0%} to {high:.0%}" in PAGE.read_text()
