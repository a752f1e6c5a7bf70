"""What is not imported before it is needed, and what the lists say without it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import typer

from outflank.cli import COMMANDS, app
from outflank.cli.lazy import Command

# What the extras bring, and what only some commands need.
HEAVY = [
    "fastapi", "gymnasium", "httpx", "matplotlib", "numpy", "onnx", "onnxruntime", "pettingzoo",
    "pydantic", "safetensors", "starlette", "torch", "uvicorn", "websockets",
]  # fmt: skip
ROOMS = ["arena", "data", "lab", "learn", "nets", "players", "records", "studies"]
COMMAND = "import sys; from outflank.cli import main; sys.argv = {}; main()"

# What is run, and what it must not import.
CASES = {
    "import outflank": ["rich", "typer", "importlib.metadata", *HEAVY],
    COMMAND.format(["outflank", "--version"]): ["rich", *HEAVY],
    COMMAND.format(["outflank", "--help"]): HEAVY,
}


def output(code: str, **environment: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    return subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    ).stdout


@pytest.mark.parametrize("code", CASES)
def test_what_is_not_imported(code: str) -> None:
    unwanted = [*CASES[code], *(f"outflank.{room}" for room in ROOMS)]
    report = f"print('imported', [name for name in {unwanted} if name in sys.modules])"
    found = output(f"import atexit, sys\natexit.register(lambda: {report})\n{code}")
    assert found.splitlines()[-1] == "imported []"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_summaries_are_the_first_words_of_the_help(command: Command) -> None:
    loaded = command.load()
    assert loaded.name == command.name
    first = (loaded.help or "").split("\n\n")[0]
    assert command.summary == " ".join(first.split())


def test_the_help_lists_all_commands() -> None:
    text = output(COMMAND.format(["outflank", "--help"]), COLUMNS="200", TERM="dumb")
    for command in COMMANDS:
        assert f" {command.name} " in text
        assert command.summary in text


def completed(words: str) -> list[str]:
    """What the shell is told when a tab is typed after these words."""
    asked = {"_OUTFLANK_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    found = output(COMMAND.format(["outflank"]), **asked, _TYPER_COMPLETE_ARGS=words)
    return [line.split("\t")[0] for line in found.splitlines()]


def test_commands_are_completed() -> None:
    assert completed("outflank ") == [command.name for command in COMMANDS]
    assert completed("outflank ma") == ["match"]
    assert "check" in completed("outflank records ")
    assert "--games" in completed("outflank match --ga")


def test_a_command_is_loaded_once_and_unknown_ones_are_none() -> None:
    root = typer.main.get_command(app)
    context = root.make_context("outflank", [], resilient_parsing=True)
    get = root.get_command  # type: ignore[attr-defined]
    assert get(context, "perft") is get(context, "perft")
    assert get(context, "perft").params
    assert get(context, "nonsense") is None
