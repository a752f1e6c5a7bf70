"""What docs/studies.md and docs/add-a-network.md say is true: their code runs."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from outflank.nets import Architecture, architectures, build
from outflank.studies import (
    Column,
    Estimate,
    Findings,
    Row,
    Workbench,
    find_study,
    registry,
    studies,
    study,
)

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "studies.md").read_text()


def code_of(page: str) -> str:
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    return str(code)


def test_add_a_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_STUDIES", dict(registry._STUDIES))
    names = {
        "study": study, "dataclass": dataclass, "Workbench": Workbench, "Findings": Findings,
        "Row": Row, "Column": Column, "Estimate": Estimate, "__name__": __name__,
    }  # fmt: skip
    exec(code_of(PAGE), names)
    result = find_study("greedy").run("smoke", Workbench(tmp_path, workers=1))
    assert (result.rows[0].label, result.rows[0].counts) == ("greedy against random", {"rate": 4})
    assert result.config == {"openings": 2}


def test_every_study_is_named() -> None:
    listed = re.findall(r"^\| `([^|]*) \|", PAGE, re.MULTILINE)
    text = " ".join(listed)
    for name in studies():
        stem, _, number = name.rpartition("-")
        assert f"`{name}`" in PAGE or (stem in text and f"`-{number}`" in PAGE), name


def test_the_commands_are_those_that_there_are() -> None:
    used = set(re.findall(r"^outflank .*?study (\w+)", PAGE, re.MULTILINE))
    assert used == {"judge", "list", "run", "show"}
    for name in re.findall(r"study (?:run|show) ([\w-]+)", PAGE):
        find_study(name)


def test_add_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    module = ModuleType("outflank.nets.torch.whole")
    exec(code_of((DOCS / "add-a-network.md").read_text()), vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    entry = Architecture("whole-64", "sees the whole board", "whole", {"units": 64})
    registered = sys.modules["outflank.nets.architectures"]  # the package has a function so named
    monkeypatch.setattr(registered, "_ARCHITECTURES", {**architectures(), "whole-64": entry})
    network = build("whole-64", planes=3)
    assert network(torch.zeros(5, 3, 8, 8)).shape == (5, 60)
    assert sum(weights.numel() for weights in network.parameters()) == 193 * 64 + 65 * 60
