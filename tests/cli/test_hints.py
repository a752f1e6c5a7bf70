"""Errors of the library name a remedy; the command adds the option for it."""

from __future__ import annotations

import re
from pathlib import Path

import outflank
from outflank.cli import hints
from outflank.cli.hints import with_hint
from outflank.errors import DataError, FileError

SOURCE = Path(outflank.__file__).parent


def test_a_hint_follows_the_message() -> None:
    assert with_hint(DataError("no games")) == "no games"
    assert with_hint(DataError("no games", remedy="games")) == "no games, or --wthor DIR"
    exists = FileError("a", "begin a run", "there is one already", remedy="resume")
    assert with_hint(exists) == "a: cannot begin a run: there is one already; --resume continues it"


def test_every_remedy_of_the_library_has_its_hint() -> None:
    named = {
        remedy
        for path in SOURCE.rglob("*.py")
        for remedy in re.findall(r'remedy="([a-z-]+)"', path.read_text())
    }
    assert named == set(hints._HINTS)


def test_errors_of_the_library_name_no_options() -> None:
    """What is raised below the command has no --option in it."""
    raised = re.compile(r"raise \w+Error\((?:[^()]|\([^()]*\))*\)")
    rooms = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "cli"]
    found = [
        f"{path.name}: {text}"
        for path in rooms
        for text in raised.findall(path.read_text())
        if re.search(r"(?<![\w-])--[a-z]", text)
    ]
    assert found == []
