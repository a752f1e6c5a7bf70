"""Our clients hear what a real Edax 4.6 said, beside the fakes of the other tests."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from outflank import Game, Position
from outflank.protocols import EdaxClient, NBoardClient

HERE = Path(__file__).parent
RECORDED = HERE.parents[2] / "shared" / "data" / "edax-4.6-recorded.txt"
CONSOLES = ["Console, the arguments of our client", "Console, verbose 0"]
ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


def command(section: str) -> list[str]:
    if not RECORDED.is_file():
        pytest.skip(f"needs {RECORDED.name}, the recording, in ../shared/data")
    return [sys.executable, str(HERE / "replayed_engine.py"), str(RECORDED), section]


def console(section: str, folder: Path) -> EdaxClient:
    program = folder / "edax"
    program.write_text(f"#!/bin/sh\nexec {shlex.join(command(section))}\n")
    program.chmod(0o755)
    return EdaxClient(program, level=3)


@pytest.mark.parametrize("section", CONSOLES)
def test_the_console_plays(section: str, tmp_path: Path) -> None:
    client = console(section, tmp_path)
    try:
        assert client.answer(Game()).move.name == "d3"
    finally:
        client.close()


def test_the_console_says_what_it_searched(tmp_path: Path) -> None:
    client = console(CONSOLES[0], tmp_path)
    try:
        first = client.answer(Game())
        assert (first.value, first.depth, first.nodes, first.exact) == (0.0, 3, 80, False)
        solved = client.answer(Game(Position.from_string(ENDGAME)))
        assert solved.move.name == "g8"
        assert (solved.value, solved.depth, solved.nodes) == (18.0, 14, 53952)
        assert solved.exact
        assert [move.name for move in solved.line[:3]] == ["g8", "h7", "a8"]
    finally:
        client.close()


def test_nboard_plays() -> None:
    client = NBoardClient(command("NBoard"), depth=3)
    try:
        answer = client.answer(Game())
        assert (answer.move.name, answer.value) == ("f5", 0.0)
    finally:
        client.close()
