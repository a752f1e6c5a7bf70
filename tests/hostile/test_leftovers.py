"""Nothing is left running: engines that fork, tournaments whose lab was killed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from outflank import Game
from outflank.arena import Store, Tournament, TournamentError, TournamentRunner
from outflank.errors import EngineError
from outflank.protocols import EdaxClient, EngineProcess

# Leaves a child that does not belong to it any more: in a session of its own, too.
_FORKS = """
import os, sys, time
if os.fork() == 0:
    {leave}
    os.execvp("sleep", ["sleep", "61.{mark}"])
print("here", flush=True)
{then}
"""


def running(mark: str) -> bool:
    """Whether the child with a mark is still there."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if f"61.{mark}".encode() in path.read_bytes():
                return True
    return False


def seen(mark: str) -> bool:
    """Wait until the child with a mark is there."""
    until = time.monotonic() + 15
    while not running(mark) and time.monotonic() < until:
        time.sleep(0.02)
    return running(mark)


@pytest.mark.parametrize("leave", ["pass", "os.setsid()"], ids=["its group", "a session"])
@pytest.mark.parametrize("then", ["", "time.sleep(60)", "input()"], ids=["exits", "stays", "waits"])
def test_what_an_engine_forked_ends_with_it(leave: str, then: str) -> None:
    mark = f"{os.getpid()}{abs(hash((leave, then))) % 10000:04d}"
    code = _FORKS.format(leave=leave, then=then, mark=mark)
    for _ in range(3):  # on a busy machine a child was once never seen
        process = EngineProcess([sys.executable, "-c", code])
        process.ask(seconds=60)
        assert process.read_line() == "here"
        if seen(mark):
            break
        process.close()
    assert running(mark)
    process.close("quit")
    assert not running(mark)


def test_edax_without_a_book_says_what_it_waits_for(tmp_path: Path) -> None:
    program = tmp_path / "edax"
    program.write_text("#!/bin/sh\necho New book 21 24...\nsleep 60\n")
    program.chmod(0o755)
    client = EdaxClient(program, timeout=0.5)
    with pytest.raises(EngineError, match=r"no answer in 0\.5 s; without a book file"):
        client.answer(Game())
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "eval.dat").touch()
    (tmp_path / "data" / "book.dat").touch()
    with pytest.raises(EngineError, match=r"no answer in 0\.5 s$"):
        EdaxClient(program, timeout=0.5).answer(Game())


def test_a_tournament_is_played_by_one_process(tmp_path: Path) -> None:
    wanted = Tournament(("random", "greedy"), (Game(),), 2)
    with Store(tmp_path / "s.sqlite") as first, Store(tmp_path / "s.sqlite") as second:
        with (
            TournamentRunner(wanted, first),
            pytest.raises(TournamentError, match="another process is playing"),
        ):
            TournamentRunner(wanted, second)
        with TournamentRunner(wanted, second) as run:
            assert run.play().games == 2


def test_a_tournament_ends_when_its_lab_is_killed(tmp_path: Path) -> None:
    words = {
        "players": ["alphabeta:depth=9", "alphabeta:depth=10"],
        "games": 1000,
        "plies": 4,
        "gauntlet": False,
        "seed": 1,
        "store": str(tmp_path / "s.sqlite"),
    }
    lab = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import subprocess, sys\n"
            "child = subprocess.Popen([sys.executable, '-m', 'outflank.lab.playing'],"
            " stdin=subprocess.PIPE, start_new_session=True)\n"
            f"child.stdin.write({json.dumps(words).encode() + bytes([10])!r})\n"
            "child.stdin.flush()\n"
            "print(child.pid, flush=True)\n"
            "child.wait()\n",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert lab.stdout is not None
    child = int(lab.stdout.readline())
    assert "tournament" in lab.stdout.readline()
    lab.send_signal(signal.SIGKILL)
    lab.wait()
    lab.stdout.close()
    until = time.monotonic() + 30
    while time.monotonic() < until and _is_alive(child):
        time.sleep(0.05)
    assert not _is_alive(child)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
