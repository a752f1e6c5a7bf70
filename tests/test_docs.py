"""What the documents say is true: their examples run."""

from __future__ import annotations

import doctest
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import outflank.othello.game
import outflank.othello.moves
import outflank.othello.position
import outflank.players.questions
import outflank.players.registry
import outflank.players.spec
from outflank import Game, cli, players
from outflank.players import make_player, registry
from players.test_every_player import TestEveryPlayer as Contract

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


@pytest.fixture
def stingy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The player of docs/add-a-player.md, whose file lies in a folder of the package."""
    text = (ROOT / "docs" / "add-a-player.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "stingy.py").write_text(code)
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    monkeypatch.setattr(registry, "_PREFIXES", dict(registry._PREFIXES))
    monkeypatch.setattr(players, "__path__", [*players.__path__, str(tmp_path)])
    registry.discover(players.__name__, players.__path__)
    yield
    del sys.modules["outflank.players.stingy"]


@pytest.mark.usefixtures("stingy")
def test_add_a_player() -> None:
    """Its file is all there is: it is found, and keeps to what every player must do."""
    contract = Contract()
    checks = [name for name in dir(contract) if name.startswith("test_")]
    assert "test_gives_what_its_class_promises" in checks
    for name in checks:
        getattr(contract, name)("stingy")


@pytest.mark.usefixtures("stingy")
def test_an_added_player_is_known_everywhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(*words: str) -> Any:
        monkeypatch.setattr(sys, "argv", ["outflank", *words, "--json"])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert not ended.value.code
        return json.loads(capsys.readouterr().out)

    game = Game.from_transcript("f5f6")
    thought = make_player("stingy:sharpness=2").think(game)
    replies = {
        move: len(game.play(move).position.legal_moves) for move in game.position.legal_moves
    }
    assert replies[thought.move] == min(replies.values())
    assert thought.policy[thought.move] == max(thought.policy.values())
    told = run("move", "stingy", "f5f6")
    assert (told["move"], told["unit"]) == (thought.move.name, "own")
    assert told["policy"].keys() == told["values"].keys() == {move.name for move in replies}
    assert run("players")["players"]["stingy"]["options"] == {"sharpness": 1.0}
    store = str(tmp_path / "results.sqlite")
    match = ("match", "stingy", "random", "--games", "2", "--openings", "start")
    assert run(*match, "--store", store)["games"] == 2
