"""Folders of training sets that are not as they should be: each is named in one line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from data.made_games import write_games
from outflank.data import SETS, example_folder, extract_examples, open_examples
from outflank.errors import DataError, FileError


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    made = extract_examples(wthor=write_games(tmp_path / "games"), out=tmp_path / "sets")
    return made.folder


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 3)


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more")


def retype(path: Path) -> None:
    np.save(path, np.load(path).astype(np.int64))


def shorten(path: Path) -> None:
    np.save(path, np.load(path)[:-1])


def blank(path: Path) -> None:
    """What a file may look like after a power cut: as long as before, its end zeros."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] + bytes(len(content) - len(content) // 2))


def scribble(path: Path) -> None:
    path.write_bytes(b"not an array")


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (Path.unlink, "missing"),
        (cut, "bytes instead of"),
        (lengthen, "bytes instead of"),
        (retype, "not uint8 of length"),
        (shorten, "not uint8 of length"),
        (scribble, r"not a \.npy file"),
    ],
)
@pytest.mark.parametrize("name", ["original", "unique", "unique-s"])
def test_a_wrong_array_is_named(
    sets: Path, name: str, damage: Callable[[Path], None], problem: str
) -> None:
    path = sets / name / "move.npy"
    damage(path)
    with pytest.raises(
        DataError, match=f"^{re.escape(str(path))}: .*{problem}.*outflank data extract$"
    ):
        open_examples(sets, name)
    # The next extraction sees it, tells it and mends it.
    made = extract_examples(wthor=sets.parent / "games", out=sets)
    assert not made.reused
    assert made.damage.startswith(f"{path}: ")
    open_examples(sets, name)


@pytest.mark.parametrize("array", ["own", "value", "ply"])
def test_an_array_of_the_right_size_may_be_damaged(sets: Path, array: str) -> None:
    path, games = sets / "original" / f"{array}.npy", sets.parent / "games"
    whole = path.read_bytes()
    blank(path)
    made = extract_examples(wthor=games, out=sets)
    assert (made.reused, path.read_bytes()) == (False, whole)
    assert made.damage.startswith(f"{path}: not as it was written; make")
    again = extract_examples(wthor=games, out=sets)
    assert (again.reused, again.damage) == (True, "")


def test_a_folder_without_sets_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none: no such folder; make .* outflank data extract"):
        open_examples(tmp_path / "none", "original")
    with pytest.raises(DataError, match=r"no finished training sets \(no examples\.json\)"):
        open_examples(tmp_path, "original")
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="file: not a folder"):
        open_examples(tmp_path / "file", "original")


def test_an_unknown_set_and_other_years_are_named(sets: Path) -> None:
    with pytest.raises(DataError, match="no such set of examples: 'all'; sets are original, uniq"):
        open_examples(sets, "all")
    with pytest.raises(DataError, match="holds the examples of 1990-1992, not of 1990-1991"):
        open_examples(sets, "unique", years=range(1990, 1992))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 2}', '{"format": 2, "x": 2}'])
def test_a_damaged_manifest_is_named(sets: Path, text: str) -> None:
    (sets / "examples.json").write_text(text)
    with pytest.raises(DataError, match=r"examples\.json: damaged; make"):
        open_examples(sets, "original")


def test_a_manifest_of_another_kind_is_named(sets: Path) -> None:
    path = sets / "examples.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"format": 1}))
    with pytest.raises(DataError, match=r"of format 1, only 2 is accepted"):
        open_examples(sets, "original")
    path.write_text(json.dumps(content | {"whole": -1}))
    with pytest.raises(DataError, match=r"examples\.json: damaged"):
        open_examples(sets, "original")


@pytest.mark.parametrize("stage", ["original", "unique", "unique-s", "examples.json"])
def test_an_interruption_leaves_nothing_that_opens(
    sets: Path, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where sets were before; the next extraction makes them anew."""
    games = sets.parent / "games"
    writer = example_folder.FolderWriter
    write, finish = writer.write, writer.finish

    def broken_write(self: example_folder.FolderWriter, name: str, *rest: object) -> None:
        write(self, name, *rest)  # type: ignore[arg-type]
        if name == stage:
            raise KeyboardInterrupt

    def broken_finish(self: example_folder.FolderWriter, manifest: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writer, "write", broken_write)
    monkeypatch.setattr(writer, "finish", broken_finish)
    with pytest.raises(KeyboardInterrupt):
        extract_examples(wthor=games, out=sets, refresh=True)
    for name in SETS:
        with pytest.raises(DataError, match="no finished training sets"):
            open_examples(sets, name)
    monkeypatch.setattr(writer, "write", write)
    monkeypatch.setattr(writer, "finish", finish)
    assert not extract_examples(wthor=games, out=sets).reused
    assert all(len(open_examples(sets, name)) for name in SETS)


def test_a_killed_extraction_leaves_nothing_that_opens(tmp_path: Path) -> None:
    """Killed while it writes an array; the next one takes its remains away."""
    games, sets = write_games(tmp_path / "games"), tmp_path / "sets"
    code = (
        "import os, signal, sys, numpy as np\n"
        "from pathlib import Path\n"
        "from outflank.data import extract_examples\n"
        "save = np.save\n"
        "def killed(stream, array):\n"
        "    if 'unique' in stream.name and 'value' in stream.name:\n"
        "        stream.write(b'half'); stream.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
        "    save(stream, array)\n"
        "np.save = killed\n"
        "extract_examples(wthor=Path(sys.argv[1]), out=Path(sys.argv[2]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, games, sets])
    assert done.returncode == -signal.SIGKILL
    assert list(sets.glob("unique/.value.npy.*.part"))
    with pytest.raises(DataError, match="no finished training sets"):
        open_examples(sets, "original")
    extract_examples(wthor=games, out=sets)
    assert not list(sets.glob("**/.*.part"))
    assert len(open_examples(sets, "unique"))


def test_a_folder_that_cannot_be_made_is_a_file_error(tmp_path: Path) -> None:
    games = write_games(tmp_path / "games")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="file: cannot make the folder: File exists"):
        extract_examples(wthor=games, out=tmp_path / "file")


def test_arrays_are_mapped_and_cannot_be_changed(sets: Path) -> None:
    examples = open_examples(sets, "original")
    with pytest.raises(ValueError, match="read-only"):
        examples.own[0] = 0
