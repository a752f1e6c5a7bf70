"""What the command says of a line that it cannot read."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from cli.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "problem", "command"),
    [
        (["show"], "missing argument 'what'", "outflank show"),
        (["nonsense"], "no such command 'nonsense'", "outflank"),
        (["records", "nonsense"], "no such command 'nonsense'", "outflank records"),
        (["perft", "many"], "invalid value for 'depth'", "outflank perft"),
        (["perft", "99"], "invalid value for 'depth'", "outflank perft"),
        (["play", "--color", "red"], "'red' is not one of 'black', 'white'", "outflank play"),
        (["match", "a", "b", "--nope"], "no such option: --nope", "outflank match"),
        (["match", "a", "b", "--games"], "'--games' requires an argument", "outflank"),
        (["match", "a", "b", "c"], "unexpected extra argument", "outflank match"),
    ],
)
def test_a_wrong_line_is_explained_in_one(
    run: Run, arguments: list[str], problem: str, command: str
) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("outflank: ")
    assert problem in result.err
    assert result.err.endswith(f"; {command} -h explains\n")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["records"]])
def test_nothing_to_do_shows_the_help(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.code, result.err) == (2, "")
    assert "Commands" in result.out


def test_no_part_of_a_message_becomes_a_picture(run: Run) -> None:
    result = run("match", "greedy", "random", "--openings", "random:x:")
    assert result.err.startswith("outflank: random:x:: not a number of plies: 'x:'")
    assert run("show", "a:x:b").err.startswith("outflank: a:x:b: ")


@pytest.mark.parametrize(
    ("arguments", "sign"), [(["move", "human", "f5"], "a b c d"), (["solve", "f5d6"], "position")]
)
def test_ctrl_c_ends_a_command_with_130(arguments: list[str], sign: str) -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "outflank", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert sign in running.stdout.readline()  # it is at work
    running.send_signal(signal.SIGINT)
    try:
        _, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert "Traceback" not in err
