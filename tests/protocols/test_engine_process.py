"""Programs that are started, talked to, and never left behind."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from outflank import Game
from outflank.errors import EngineError
from outflank.protocols import EngineProcess, GtpClient
from protocols.called_engines import faulty_engine

ECHO = [sys.executable, "-c", "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"]


def is_running(pid: int) -> bool:
    """Tell whether a process is there; one that has ended counts even if nobody reaped it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def is_gone(pid: int) -> bool:
    """Tell whether a child of ours was ended and reaped."""
    return not Path(f"/proc/{pid}").exists()


def pid_of(process: EngineProcess) -> int:
    return process._process.pid


def test_lines_go_and_come() -> None:
    process = EngineProcess(ECHO)
    process.ask("one", "ünïcode", "", seconds=10)
    assert [process.read_line() for _ in range(3)] == ["one", "ünïcode", ""]
    process.close()
    assert is_gone(pid_of(process))


def test_more_is_written_than_a_pipe_holds() -> None:
    process = EngineProcess(ECHO)
    lines = [f"{number} {'x' * 1000}" for number in range(1000)]
    process.ask(*lines, seconds=20)
    assert [process.read_line() for _ in lines] == lines
    process.close()


def test_line_ends_and_bytes_of_any_kind() -> None:
    write = r"import sys; sys.stdout.buffer.write(b'a\r\nb\n\xff\x00\n')"
    process = EngineProcess([sys.executable, "-c", write])
    process.ask(seconds=10)
    assert [process.read_line() for _ in range(3)] == ["a", "b", "\ufffd\0"]
    with pytest.raises(EngineError, match="ended with exit code 0"):
        process.read_line()
    process.kill()
    process.kill()
    assert is_gone(pid_of(process))


def test_a_prompt_is_waited_for() -> None:
    prompt = r"print('a > b\n>', end='', flush=True); input()"
    process = EngineProcess([sys.executable, "-c", prompt])
    process.ask(seconds=10)
    assert process.read_to_prompt(">") == "a > b\n"
    process.close()


def test_a_program_that_does_not_quit_is_killed() -> None:
    stubborn = "import time, sys\nprint('here', flush=True)\nwhile True: time.sleep(1)"
    process = EngineProcess([sys.executable, "-c", stubborn])
    process.ask(seconds=10)
    assert process.read_line() == "here"
    began = time.monotonic()
    process.close("quit")
    assert time.monotonic() - began < 5
    assert is_gone(pid_of(process))


def test_a_forgotten_program_is_killed() -> None:
    process = EngineProcess(ECHO)
    pid = pid_of(process)
    del process
    gc.collect()
    assert is_gone(pid)


def test_a_forgotten_program_is_killed_when_python_ends() -> None:
    code = (
        "import sys; from outflank.protocols import EngineProcess\n"
        "process = EngineProcess([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(process._process.pid)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert is_gone(int(printed.stdout))
    assert printed.stderr == ""


def test_a_fork_does_not_kill_its_parents_program() -> None:
    process = EngineProcess(ECHO)
    if (child := os.fork()) == 0:
        process.kill()
        os._exit(0)
    os.waitpid(child, 0)
    process.ask("still here", seconds=10)
    assert process.read_line() == "still here"
    process.close()


def test_children_of_a_program_are_killed_with_it() -> None:
    client = GtpClient(faulty_engine("gtp", "has-children"), timeout=1.5)
    before = children()
    with pytest.raises(EngineError, match="no answer"):
        client.answer(Game())
    # They are not ours to wait for: the system ends them a moment after they were told to.
    deadline = time.monotonic() + 10
    while children() != before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert children() == before


def children() -> set[int]:
    """Sleeping programs that some test has started and nobody ended."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == b"sleep\x0060.4711\x00":
                found.add(int(path.parent.name))
        except OSError:
            pass
    return {pid for pid in found if is_running(pid)}
