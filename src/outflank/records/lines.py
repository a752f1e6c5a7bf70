"""Formats of one record a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from outflank.records.format import decode_text


def content_lines(stream: BinaryIO, comments: str = "#%") -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, text) of the lines that are neither empty nor comments."""
    for number, raw in enumerate(stream, start=1):
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
