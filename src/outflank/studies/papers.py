"""The figures that the papers print: all of them are typed in once, in papers.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("papers.json")


@cache
def _figures() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(_FILE.read_text())
    return content


def printed_columns(paper: int, table: str) -> tuple[str, ...]:
    """Return the columns of a table that a paper prints."""
    return tuple(_figures()[str(paper)][table]["columns"])


def printed_rows(paper: int, table: str) -> Mapping[str, Sequence[float]]:
    """Return the rows of a table that a paper prints, by name."""
    rows: dict[str, list[float]] = _figures()[str(paper)][table]["rows"]
    return {name: tuple(figures) for name, figures in rows.items()}


def said(paper: int, what: str) -> float:
    """Return a figure that stands in a paper's text."""
    return printed_rows(paper, "text")[what][0]
