"""Ctrl-C and a request to end are heard inside compiled code, by commands and in the library."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from outflank.learn.status import read_status

OUTFLANK = Path(sys.executable).with_name("outflank")
GAME = "f5d6c3d3c4f4f6f3e6e7"
SECONDS = 1.0 if os.environ.get("OUTFLANK_HOSTILE") == "idle" else 10.0  # on a busy machine

LONG = {
    "perft": ["perft", "16"],
    "move alphabeta": ["move", "alphabeta:depth=30", "f5"],
    "move alphabeta on threads": ["move", "alphabeta:depth=30,threads=2", "f5"],
    "move minimax": ["move", "minimax:depth=14", "f5"],
    "move playouts": ["move", "playouts:games=100000000", "f5"],
    "move mcts": ["move", "mcts:rollouts=1000000000,memory=8192", "f5"],
    "move evolved": ["move", "evolved:novice,depth=14", "f5"],
    "analyze": ["analyze", GAME, "--player", "alphabeta:depth=30"],
    "solve": ["solve", GAME],
    "solve on threads": ["solve", GAME, "--threads", "2", "--moves"],
    "match": ["match", "alphabeta:depth=20", "random", "--games", "2", "--store", "s.sqlite"],
}


def begin(
    words: list[str],
    folder: Path,
    seconds: float = 1.5,
    program: Sequence[str | Path] = (OUTFLANK,),
) -> subprocess.Popen[str]:
    """Start a command and wait until it is at work."""
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    process = subprocess.Popen(
        [*program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    until = time.monotonic() + 120
    while used(process.pid) < seconds and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    return process


def used(pid: int) -> float:
    """Return the seconds of processor time that a process has had."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def end(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str]:
    """Send a signal and return how the process ended, which must be soon."""
    began = time.monotonic()
    process.send_signal(number)
    try:
        _, errors = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        pytest.fail(f"it did not end in {SECONDS} s")
    assert time.monotonic() - began < SECONDS
    return process.returncode, errors


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_ends_cleanly(name: str, number: signal.Signals, tmp_path: Path) -> None:
    code, errors = end(begin(LONG[name], tmp_path), number)
    assert code == 128 + number, errors
    assert "Traceback" not in errors
    assert "terminate called" not in errors


TRAINING = {
    "coevolution": ["learn", "coevolution", "--preset", "fixed", "--workers", "1"],
    "selfplay": ["learn", "selfplay", "--preset", "laptop", "--workers", "1"],
    "champion": ["learn", "champion", "--preset", "laptop", "--workers", "1"],
}


@pytest.mark.parametrize("name", TRAINING)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_training_step_ends_cleanly(name: str, number: signal.Signals, tmp_path: Path) -> None:
    """The run says so, and nothing half written is left."""
    code, errors = end(begin([*TRAINING[name], "--run", "x"], tmp_path, seconds=3), number)
    assert code in (0, 130), errors  # 0: between two steps, which it says
    assert ("--resume continues from there" in errors) == (code == 0)
    assert "Traceback" not in errors
    assert "terminate called" not in errors
    run = tmp_path / "runs" / "x"
    assert read_status(run).state != "running"
    assert not list(run.rglob("*.part"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_engine_ends_while_it_thinks(number: signal.Signals, tmp_path: Path) -> None:
    process = begin(["gtp", "alphabeta:depth=30"], tmp_path, seconds=0.2)  # it waits to be asked
    assert process.stdin is not None
    process.stdin.write("genmove black\n")
    process.stdin.flush()
    until = time.monotonic() + 60
    start = used(process.pid)
    while used(process.pid) < start + 1 and time.monotonic() < until:
        time.sleep(0.05)
    code, errors = end(process, number)
    assert code == 128 + number, errors
    assert "Traceback" not in errors


# A thread that Python waits for at exit, before it ends the compiled code of others.
_BESIDE = """
import sys, threading
from outflank import Position
from outflank.cli import main
threading.Thread(target=Position.start().perft, args=(20,)).start()
sys.argv = ["outflank", "perft", "16"]
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_ends_whatever_its_threads_compute(
    number: signal.Signals, tmp_path: Path
) -> None:
    code, errors = end(begin([_BESIDE], tmp_path, program=[sys.executable, "-c"]), number)
    assert code == 128 + number, errors
    assert "Traceback" not in errors


# Says when the command begins to import its parts; for Python's own start no program can answer.
_EARLY = """
import os, sys

class Announcing:
    def find_spec(self, name, *_):
        if name == "outflank.cli":
            os.write(1, b".")

sys.meta_path.insert(0, Announcing())
from outflank.__main__ import main
main()
"""
_EARLY_TRIES = 100 if os.environ.get("OUTFLANK_HOSTILE") else 16


@pytest.mark.parametrize("words", [["move", "alphabeta:depth=30", "f5"], ["learn", "imitation"]])
def test_the_first_moments(words: list[str], tmp_path: Path) -> None:
    """Whatever is being imported: silence or one line, and the usual exit code."""
    draw = random.Random(1)
    for _ in range(_EARLY_TRIES):
        process = subprocess.Popen(
            [sys.executable, "-c", _EARLY, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)},
        )
        assert process.stdout is not None
        assert process.stdout.read(1) == b"."
        time.sleep(draw.uniform(0.001, 0.3))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        text = errors.decode().strip()
        if process.returncode == 2 and words[0] == "learn":
            assert "which run?" in text  # it was faster
            continue
        assert process.returncode == 130, text
        assert text in ("", "Interrupted.")


def script(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=120
    )


# Calls that would take hours. Players cut theirs into pieces, and the command then ends between two
# of them: only a single call shows whether the core itself listens.
_CALLS = {
    "perft": "_core.perft(*START, 25)",
    "random_playouts": "_core.random_playouts(own, other, 1, 100_000)",
    "fit_patterns": "_core.fit_patterns(own, other, scores, passes=100_000)",
    "fit_champion": "_core.fit_champion(own, other, scores, passes=10_000)",
    "play_minds": "_core.play_minds([_core.Mind(discs, 12)], games, games)",
    "play_training_games": "_core.play_training_games(champion, own, other, own, deep)",
    "solve": "_core.Solver(1).solve(*START)",
    "solve_moves": "_core.Solver(1).solve_moves(*START)",
    "search": "_core.Searcher(discs, 1).search(*START, False, 60)",
    "search_many": "_core.Searcher(discs, 1).search_many(own, other, games > 0, 30)",
    "value_many": "_core.Searcher(discs, 1).value_many(own, other, games > 0, 30)",
    "minimax": "_core.Searcher(discs, 1).minimax(*START, False, 30)",
    "search_python": "_core.search_python(*START, False, 30, lambda own, other, white: own * 0.0)",
    "Forest.search": "_core.Forest('rollouts', own[:1], other[:1]).search(2**30)",
    "Forest.search of many": "_core.Forest('rollouts', own[:64], other[:64]).search(10**6)",
    "play_selfplay": "_core.play_selfplay('uniform', 10**6)",
}
_CALL = """
import os, signal, threading, time
import numpy as np
from outflank import _core
signal.signal(signal.SIGINT, signal.default_int_handler)
START = 0x0000000810000000, 0x0000001008000000
own, other = (np.full(10_000, bits, np.uint64) for bits in START)
scores = np.resize(np.array([1, -1], np.float32), len(own))
games = np.zeros(len(own), np.int32)
discs = _core.Evaluation.named("discs")
champion = _core.ChampionEvaluation(np.zeros(_core.ChampionEvaluation.bytes, np.int8))
deep = _core.TrainingGameOptions(depth=20)
asked = []
def ask():
    asked.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(1, ask).start()
try:
    {call}
    print("it returned")
except KeyboardInterrupt:
    print(time.monotonic() - asked[0])
"""


@pytest.mark.parametrize("name", _CALLS)
def test_a_call_of_the_core_is_interrupted(name: str) -> None:
    ended = script(_CALL.format(call=_CALLS[name]))
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    assert float(ended.stdout) < SECONDS


def test_a_handler_that_raises_nothing_lets_a_call_go_on() -> None:
    ended = script(
        """
        import os, signal, threading
        from outflank import Position
        heard = []
        signal.signal(signal.SIGINT, lambda *_: heard.append(1))
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        assert Position.start().perft(11) == 212258800
        assert heard == [1]
        """
    )
    assert ended.returncode == 0, ended.stderr


def test_a_thread_at_work_neither_holds_up_the_exit_nor_aborts_it() -> None:
    ended = script(
        """
        import threading, time
        from outflank import Position
        threading.Thread(target=Position.start().perft, args=(20,), daemon=True).start()
        time.sleep(0.5)
        """
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
