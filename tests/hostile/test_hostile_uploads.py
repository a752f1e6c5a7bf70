"""Uploads that would take minutes and gigabytes are read within a budget, which is named."""

from __future__ import annotations

import resource
import time
from contextlib import suppress

import pytest

from outflank.errors import DataError
from outflank.lab.uploads import MOST_BYTES, read_upload

SECONDS = 40.0  # twice the budget, for a busy machine


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"(;GM[2]" * (MOST_BYTES // 7), "x.sgf"),
        (b"(;GM[Othello]" * (MOST_BYTES // 13), "x.ggf"),
        (b"f5d6" * (MOST_BYTES // 4), "x.txt"),
        (b"f5d6\nx\n" * (MOST_BYTES // 7), "x.txt"),
        (b"-" * MOST_BYTES, "x.obf"),
    ],
    ids=["sgf", "ggf", "one line", "bad lines", "obf"],
)
def test_twenty_megabytes(content: bytes, name: str) -> None:
    began = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with suppress(DataError):
        assert read_upload(content, name).problems
    assert time.monotonic() - began < SECONDS
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 500_000, f"{grown} kB"


def test_the_budget_is_named() -> None:
    with pytest.raises(DataError, match="more than 1,000 problems"):
        read_upload(b"(;GM[2]" * 5000, "x.sgf")
