"""The layout of a run's folder: the only place that names its files.

runs/NAME/
  config.json           the configuration and the learner's name; never changes
  status.json           what the run is doing: see outflank.learn.status
  metrics.jsonl         a line for each measurement, in the order of steps
  log.txt               what happened when
  checkpoints/step-N/   all that training needs to continue from step N
  tensorboard/          event files, if they were asked for
  lock                  held by the process that trains
  ...                   players that the learner exports
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from outflank.errors import DataError
from outflank.files import read_bytes

CONFIG, STATUS, METRICS, LOG, LOCK = (
    "config.json", "status.json", "metrics.jsonl", "log.txt", "lock"
)  # fmt: skip
CHECKPOINTS, TENSORBOARD = "checkpoints", "tensorboard"
LEARNER = "learner"  # the entry of config.json that names the learner
RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")  # what a run may be called


def is_run(folder: Path) -> bool:
    """Return whether there is a run in a folder."""
    return (folder / CONFIG).is_file()


def run_folders(runs: Path) -> list[Path]:
    """Return the folders of all runs in a folder, by name."""
    if not runs.is_dir():
        return []
    named = (path for path in runs.iterdir() if RUN_NAME.fullmatch(path.name))
    return sorted(path for path in named if is_run(path))


def read_config(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the name of a run's learner (empty before version 0.2) and its configuration."""
    if not is_run(folder):
        raise DataError(f"{folder}: not a run (it has no {CONFIG})")
    config = read_json(folder / CONFIG)
    learner = config.pop(LEARNER, "")
    if not isinstance(learner, str):
        raise DataError(f"{folder / CONFIG}: {LEARNER}: {learner!r}; accepted is a name")
    return learner, config


def parse_json(text: bytes) -> Any:
    """Read JSON that can be written again; ValueError for anything else.

    Python also reads what nests too deep for it (RecursionError) and text that is no Unicode,
    which an answer of the lab could not hold.
    """
    try:
        content = json.loads(text)
        json.dumps(content, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it nests too deep") from None
    return content


def read_json(path: Path) -> dict[str, Any]:
    """Read a file that holds a JSON object."""
    try:
        content = parse_json(read_bytes(path))
    except ValueError as error:
        raise DataError(f"{path}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise DataError(f"{path}: holds a {type(content).__name__}, not an object")
    return content
