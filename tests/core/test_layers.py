"""The layers of core/: no room includes one above it, and no file includes itself by detours."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "core"

# From the ground up. A room may include those before it and itself.
ROOMS = [
    "calls",
    "memory",
    "othello",
    "batch",
    "records",
    "data",
    "nets",
    "evaluation",
    "search",
    "endgame",
    "champion",
    "evolution",
    "mcts",
    "bindings",
]

# Includes in quotes name a file of the core from its top; those in brackets are other people's.
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def includes(folder: Path) -> dict[str, list[str]]:
    """Return what each file includes; both as paths from the folder, such as othello/bits.hpp."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".hpp", ".cpp"))
    return {
        path.relative_to(folder).as_posix(): _INCLUDE.findall(path.read_text()) for path in files
    }


def upward(found: dict[str, list[str]]) -> list[str]:
    """Return the includes that lead to a room above."""
    level = {room: number for number, room in enumerate(ROOMS)}
    return [
        f"{file} -> {included}"
        for file, names in found.items()
        for included in names
        if level[included.split("/")[0]] > level[file.split("/")[0]]
    ]


def cycle(found: dict[str, list[str]]) -> list[str]:
    """Return files that include each other in a circle, the first one again at the end."""
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_room_is_known() -> None:
    assert {path.name for path in CORE.iterdir()} == set(ROOMS)


def test_every_include_in_quotes_is_a_file_of_the_core() -> None:
    found = includes(CORE)
    assert len(found) > 60
    missing = {name for names in found.values() for name in names} - found.keys()
    assert missing == set()


def test_no_room_includes_a_room_above_it() -> None:
    assert upward(includes(CORE)) == []


def test_no_files_include_each_other() -> None:
    assert cycle(includes(CORE)) == []


@pytest.mark.parametrize(
    ("files", "wrong_way", "circle"),
    [
        ({"search/a.hpp": "othello/b.hpp", "othello/b.hpp": ""}, [], []),
        (
            {"search/a.hpp": "endgame/b.hpp", "endgame/b.hpp": ""},
            ["search/a.hpp -> endgame/b.hpp"],
            [],
        ),
        (
            {"search/a.hpp": "search/b.hpp", "search/b.hpp": "search/a.hpp"},
            [],
            ["search/a.hpp", "search/b.hpp"],
        ),
    ],
)
def test_wrong_includes_are_found(
    tmp_path: Path, files: dict[str, str], wrong_way: list[str], circle: list[str]
) -> None:
    for name, included in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#include <array>\n#include "{included}"\n' if included else "\n")
    found = includes(tmp_path)
    assert upward(found) == wrong_way
    assert sorted(set(cycle(found))) == circle
