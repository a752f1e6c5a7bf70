"""Every command and option with bad values: one line and exit code 2, no traceback, no hang."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hostile.command_lines import Line, bad_lines, commands, numbers

LONG = os.environ.get("OUTFLANK_HOSTILE") == "long"
MOST = None if LONG else 2  # values for each parameter
PARTS = 4  # for as many processes
_ENDED = (0, 1, 2, 130, 143)


def run(lines: list[Line]) -> list[dict[str, Any]]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    environment["HOSTILE_SECONDS"] = "10" if LONG else "2"
    driver = subprocess.run(
        [sys.executable, "-m", "hostile.driver"],
        input=json.dumps([line.words for line in lines]),
        capture_output=True,
        text=True,
        env=environment,
    )
    assert driver.returncode == 0, driver.stderr[-2000:]
    return [json.loads(line) for line in driver.stdout.splitlines()]


def faults(line: Line, result: dict[str, Any]) -> list[str]:
    """Say what is wrong with how a command line ended."""
    found = []
    code = result["code"]
    if code is None:
        found.append("hang")
    elif code < 0:
        found.append(f"signal {-code}")
    elif code not in _ENDED:
        found.append(f"exit code {code}")
    if "Traceback" in result["errors"]:
        found.append("traceback")
    if "\x1b" in result["errors"]:
        found.append("escape sequence")
    if line.refused and code != 2:
        found.append(f"accepted, exit code {code}")
    if code == 2 and result["lines"] != 1:
        found.append(f"{result['lines']} lines of errors")
    if result["left"]:
        found.append(f"left behind: {result['left']}")
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_bad_values_are_refused_in_one_line(part: int) -> None:
    lines = list(bad_lines(MOST))[part::PARTS]
    results = run(lines)
    assert len(results) == len(lines)
    wrong = [
        f"{' '.join(result['words'])}: {', '.join(found)}: {result['errors'][-300:]}"
        for line, result in zip(lines, results, strict=True)
        if (found := faults(line, result))
    ]
    interrupted = sum(result["interrupted"] for result in results)
    print(f"\n{len(lines)} tries, {interrupted} interrupted at work, {len(wrong)} faults")
    told = "\n".join([f"{len(wrong)} of {len(lines)}:", *wrong])
    assert not wrong, told.encode("utf-8", "backslashreplace").decode()


def test_every_command_is_driven() -> None:
    names = {" ".join(words) for words, _ in commands()}
    assert {"match", "perft", "learn imitation", "learn imitation test", "data extract"} <= names
    assert len(list(bad_lines(None))) > 627


@pytest.mark.parametrize(("name", "param"), [pytest.param(*one, id=one[0]) for one in numbers()])
def test_every_number_has_a_range(name: str, param: Any) -> None:
    assert param.min is not None, f"{name}: any number down to minus infinity is accepted"
    assert param.max is not None, f"{name}: any number is accepted, however large"
