"""Follows the measurements of a running run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from outflank.errors import DataError, FileError
from outflank.learn.layout import METRICS, parse_json
from outflank.numbers import is_number, is_whole_number


class Measurements:
    """The numbers of a run's measurements; each read adds only new lines.

    Args:
        folder: Of the run.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / METRICS
        self.lines: list[dict[str, float]] = []
        self._file: tuple[int, int] = (0, 0)  # device and inode; resuming a run changes them
        self._read = 0  # bytes

    def read(self) -> None:
        """Read the lines that were added; one that is only half written does not count."""
        try:
            with self.path.open("rb") as stream:
                facts = os.fstat(stream.fileno())
                if (facts.st_dev, facts.st_ino) != self._file or facts.st_size < self._read:
                    self.lines, self._read = [], 0
                    self._file = facts.st_dev, facts.st_ino
                stream.seek(self._read)
                content = stream.read()
        except FileNotFoundError:
            self.lines, self._read = [], 0
            return
        except OSError as error:
            raise FileError(self.path, "read", error) from error
        for line in content.split(b"\n")[:-1]:
            try:
                values = parse_json(line)
                if not is_whole_number(values["step"]):
                    raise TypeError
            except (ValueError, KeyError, TypeError):
                number = len(self.lines) + 1
                raise DataError(f"{self.path}: line {number} is no measurement") from None
            self.lines.append(_numbers(values))
            self._read += len(line) + 1


def _numbers(line: Mapping[str, Any]) -> dict[str, float]:
    """Keep what can be drawn of a measurement."""
    return {key: value for key, value in line.items() if is_number(value)}
