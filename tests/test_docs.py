"""What the documents say is true: their examples run."""

from __future__ import annotations

import doctest
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import outflank.othello.game
import outflank.othello.moves
import outflank.othello.position
import outflank.players.questions
import outflank.players.registry
import outflank.players.spec
from outflank import Position
from outflank.othello.boards import Boards, MoveArray
from outflank.players import Keys, Player, make_player, register, registry

ROOT = Path(__file__).resolve().parents[1]


def test_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 10) == (0, True)


def test_no_document_uses_the_compiled_room() -> None:
    """What readers copy is the public face, or a room's own names."""
    used = re.compile(r"import _core|_core import|\b_core\.\w|outflank\._core\.")
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert [path.name for path in documents if used.search(path.read_text())] == []


@pytest.mark.parametrize(
    "module",
    [
        outflank,
        outflank.othello.game,
        outflank.othello.moves,
        outflank.othello.position,
        outflank.players.questions,
        outflank.players.registry,
        outflank.players.spec,
    ],
)
def test_docstrings(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert (failed, tried > 0) == (0, True)


def test_add_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "add-a-player.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    names = {
        "register": register, "dataclass": dataclass, "Player": Player, "Boards": Boards,
        "MoveArray": MoveArray, "Keys": Keys, "np": np,
    }  # fmt: skip
    exec(code, names)
    corner = Position.from_string("-OX" + "-" * 61 + "X")
    assert make_player("corners").choose(corner).name == "a1"
    assert make_player("corners").choose(Position.start()).name == "d3"
