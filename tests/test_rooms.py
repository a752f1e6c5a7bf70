"""The house: rooms are stacked, and none uses a room above it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
SOURCE = PROJECT / "src" / "outflank"

# From the ground up. A room may use those before it and itself.
ROOMS = [
    "_core",
    "errors",
    "numbers",
    "files",
    "locks",
    "chance",
    "figures",
    "othello",
    "fingerprints",
    "records",
    "data",
    "nets",
    "models",
    "evaluations",
    "protocols",
    "players",
    "cluster",
    "arena",
    "learn",
    "studies",
    "envs",
    "lab",
    "cli",
]


def imported_rooms(path: Path) -> set[str]:
    """The rooms that a module imports from."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "outflank" and len(parts) > 1 and parts[1] in ROOMS:
                rooms.add(parts[1])
    return rooms


def test_every_room_is_known() -> None:
    found = {
        path.stem
        for path in SOURCE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert found - {"__init__", "__main__"} == set(ROOMS) - {"_core"}


def test_the_readme_lists_the_rooms_in_their_order() -> None:
    text = (PROJECT / "README.md").read_text()
    listed = re.findall(r"^\| `(?:outflank\.)?(\w+)/?` \|", text, re.MULTILINE)
    rooms = ["_core" if name == "core" else name for name in listed]
    assert [name for name in rooms if name not in ("tests", "benchmarks", "docs")] == ROOMS


def test_no_room_uses_a_room_above_it() -> None:
    upward = []
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room in ROOMS:
            above = ROOMS[ROOMS.index(room) + 1 :]
            upward += [f"{path.name} -> {used}" for used in imported_rooms(path) & set(above)]
    assert upward == []


def test_the_base_install_needs_no_large_package() -> None:
    """Importing the package and all of its commands brings none of the extras' packages in."""
    extras = ["torch", "gymnasium", "pettingzoo", "matplotlib", "starlette", "onnx", "ray"]
    code = (
        "import sys; from outflank.cli import COMMANDS; [command.load() for command in COMMANDS]; "
        f"print([name for name in {extras} if name in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert found.strip() == "[]"
