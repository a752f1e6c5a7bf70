"""Engines to be called: our own, GRhino, and small scripts."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from outflank.othello import Game
from outflank.players import Player

HERE = Path(__file__).parent


def own_engine(protocol: str, spec: str) -> list[str]:
    """The command of a player as an engine."""
    return [sys.executable, "-m", "outflank", protocol, spec]


def faulty_engine(protocol: str, fault: str, moves: str = "") -> list[str]:
    """The command of an engine that does one thing wrong, after playing some moves."""
    script = str(HERE / "faulty_engine.py")
    return [sys.executable, script, protocol, fault, *([moves] if moves else [])]


def rhino() -> list[str]:
    """GRhino, quick and with some variety; the test is skipped where it is not installed."""
    found = shutil.which("gtp-rhino") or shutil.which("gtp-rhino", path="/usr/games")
    if found is None:
        pytest.skip("needs gtp-rhino (Debian package grhino)")
    return [found, "-l", "1", "-e", "6", "-w", "6", "-b", "5"]


def fake_edax(folder: Path) -> Path:
    """A program in a folder that speaks as Edax does."""
    program = folder / "edax"
    script = shlex.join([sys.executable, str(HERE / "fake_edax.py")])
    program.write_text(f'#!/bin/sh\nexec {script} "$@"\n')
    program.chmod(0o755)
    return program


def spec_of(kind: str, command: list[str], **options: object) -> str:
    """The spec of a player that calls an engine."""
    more = "".join(f",{name}={value}" for name, value in options.items())
    return f'{kind}:cmd="{shlex.join(command)}"{more}'


def play_games(black: Player, white: Player, games: list[Game]) -> list[Game]:
    """Play games to their ends, in lockstep."""
    games = list(games)
    while going := [at for at, game in enumerate(games) if not game.is_over]:
        for player, color in ((black, "black"), (white, "white")):
            asked = [at for at in going if games[at].position.turn == color]
            moves = player.choose_in_games([games[at] for at in asked])
            for at, move in zip(asked, moves, strict=True):
                games[at] = games[at].play(move)
            going = [at for at in going if at not in asked]
    return games
