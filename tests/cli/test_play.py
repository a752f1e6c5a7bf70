"""A person's game in the terminal."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from outflank import Color, Game, Move, _core, records
from outflank.cli.play import TerminalGame
from outflank.players import make_player
from strategies import random_game


class Script(Console):
    """A console at which somebody types these lines and then closes it."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        super().__init__(file=io.StringIO(), width=100, color_system=None)

    def input(self, *arguments: object, **options: object) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    @property
    def text(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def session(
    *lines: str, game: Game | None = None, human: Color = Color.BLACK
) -> tuple[TerminalGame, str]:
    spec = "random:seed=1"
    script = Script(*lines)
    table = TerminalGame(script, make_player(spec), spec, human, game or Game())
    table.run()
    return table, script.text


def test_a_move_is_answered() -> None:
    table, text = session("f5")
    assert len(table.game) == 2
    assert "The opponent plays" in text
    assert text.endswith("Goodbye.\n")


def test_white_waits_for_black() -> None:
    table, _ = session(human=Color.WHITE)
    assert len(table.game) == 1


def test_undo_and_redo() -> None:
    table, _ = session("f5", "undo")
    assert len(table.game) == 0
    table, _ = session("f5", "undo", "redo")
    assert len(table.game) == 2
    _, text = session("undo", "redo")
    assert "there is nothing to undo" in text
    assert "there is nothing to redo" in text


def test_a_new_move_forgets_what_was_taken_back() -> None:
    _, text = session("f5", "undo", "d3", "redo")
    assert "there is nothing to redo" in text


def test_mistakes_are_explained() -> None:
    table, text = session("a1", "x", "pass", "save", "save nowhere/game.ggf", "opponent nobody")
    assert len(table.game) == 0
    for words in (
        "a1 is illegal: it outflanks no white disc; legal moves are d3 c4 f5 e6",
        "'x' is neither a move nor a command; try help",
        "black may not pass",
        "save needs a file name",
        "nowhere/game.ggf: cannot write: No such file or directory",
        "no such player: 'nobody'",
    ):
        assert words in text


def test_help_hint_and_opponents() -> None:
    _, text = session("help", "hint", "opponent", "opponent greedy", "swap", "new", "")
    assert "take back your last move" in text
    assert "Expected final score after each move, by a search" in text
    assert "flips as many discs as it can" in text
    assert "The opponent is greedy now." in text
    assert "You are white now." in text


@pytest.mark.parametrize("name", ["game.ggf", "game.sgf", "game.wtb", "game.txt"])
def test_a_game_is_saved(tmp_path: Path, name: str) -> None:
    table, text = session("f5", f"save {tmp_path / name}")
    (saved,) = records.read(tmp_path / name)
    assert saved.transcript == table.game.transcript
    assert "Saved to" in text


def test_near_the_end_hints_are_exact() -> None:
    game = next(
        game.undo(len(game) - ply)
        for game in map(random_game, range(500))
        for ply in [50]
        if len(game) > 55 and game.undo(len(game) - ply).position.legal_squares
    )
    _, text = session("hint", game=game, human=game.position.turn)
    scored, _ = _core.Solver(8).solve_moves(*game.position.bits)
    words = ", ".join(f"{Move(move)} {score:+d}" for move, score in scored)
    assert f"Final score after each move, played perfectly: {words}" in text.replace("\n", " ")


def test_a_game_is_played_to_its_end() -> None:
    def moves() -> list[str]:
        return [f"{c}{r}" for r in range(1, 9) for c in "abcdefgh"] * 40

    table, text = session(*moves())
    assert table.game.is_over
    assert "The game is over." in text
    assert any(words in text for words in ("You win!", "You lose.", "A draw."))


def test_passes_are_announced() -> None:
    game = next(
        game.undo(len(game) - ply)
        for game in map(random_game, range(500))
        for ply, move in enumerate(game.moves)
        if move.is_pass and len(game) - ply > 3
    )
    passer = game.position.turn
    _, text = session(game=game, human=passer)
    assert "You have no move and must pass." in text
    _, text = session(game=game, human=passer.other)
    assert "The opponent has no move and must pass." in text


def test_a_real_terminal_shows_a_green_board() -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "outflank", "play", "--opponent", "random:seed=1"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
    )
    os.close(slave)
    os.write(master, b"f5\nquit\n")
    seen = b""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed: the program left
            break
        if not part:
            break
        seen += part
    assert process.wait(10) == 0
    os.close(master)
    assert b"48;2;29;122;79" in seen
    assert b"The opponent plays" in seen
