"""Running the command in this process, as the shell would."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from outflank import cli


@dataclass(frozen=True)
class Result:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs `outflank ARGUMENTS`."""
    monkeypatch.setenv("COLUMNS", "200")

    def run_command(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["outflank", *map(str, arguments)])
        capsys.readouterr()
        try:
            cli.main()
            code: Any = 0
        except SystemExit as stop:
            code = stop.code or 0
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run_command
