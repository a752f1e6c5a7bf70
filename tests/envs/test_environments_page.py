"""The examples of docs/environments.md run, one after the other, as a reader would run them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_the_examples_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 4
    names: dict[str, Any] = {}
    printed = []
    for example in examples:
        exec(example, names)
        printed.append(capsys.readouterr().out)
    assert re.match(r"(black|white) -?[01]\.0 -?\d+ ([a-h][1-8])+\n", printed[0])
    assert "black to move, 4-4" in printed[1]
    rate = re.fullmatch(r"(\d+) games, winning rate (0\.\d\d)\n", printed[2])
    assert rate is not None
    assert int(rate[1]) > 1000
    assert 0.45 < float(rate[2]) < 0.55  # both sides play at random
    assert re.search(r"(wins by \d+|draw), \d+-\d+\n", printed[3])
