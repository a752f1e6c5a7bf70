"""The learner of docs/add-a-learner.md, written out as the page says."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "add-a-learner.md"
MODULE = "outflank.learn.bandit.learner"

_BLOCK = re.compile(r"^   ```python\n(.*?)^   ```$", re.DOTALL | re.MULTILINE)


def blocks() -> list[str]:
    """The page's pieces of Python."""
    return [textwrap.dedent(block) for block in _BLOCK.findall(PAGE.read_text())]


def write_toy_learner(folder: Path) -> dict[str, str]:
    """Write the page's files as a package outside of ours; return the environment that adds it."""
    (folder / "bandit").mkdir(parents=True)
    (folder / "bandit" / "__init__.py").touch()
    for block in blocks():
        if named := re.match(r"# (bandit/\w+\.py)\n", block):
            (folder / named[1]).write_text(block.replace("outflank.learn.bandit", "bandit"))
    return {"PYTHONPATH": str(folder), "OUTFLANK_LEARNERS": "bandit.learner"}
