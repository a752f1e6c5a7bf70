"""Formats of one record a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from outflank.records.format import decode_text

_LONGEST = 1 << 14  # bytes; no record is nearly as long


def content_lines(stream: BinaryIO, comments: str = "#%") -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text) of the lines that are neither empty nor comments."""
    number = 0
    while raw := stream.readline(_LONGEST):
        number += 1
        while not raw.endswith(b"\n") and (rest := stream.readline(_LONGEST)):
            if rest.endswith(b"\n"):
                break  # too long for a record: its beginning is enough to say what is wrong
        line = decode_text(raw).strip()
        if line and line[0] not in comments:
            yield number, line


def first_line(head: bytes) -> str:
    """Return the first line with content of a file's beginning, or ""."""
    for raw in head.splitlines():
        line = decode_text(raw).strip()
        if line and line[0] not in "#%":
            return line
    return ""
