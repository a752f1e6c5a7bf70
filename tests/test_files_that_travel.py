"""Files that a user names go along to processes that do not have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from outflank.evaluations import evaluation
from outflank.files import Luggage, located, needed, noting_files
from outflank.files import luggage as travelling
from outflank.models import find_network_file, find_network_files


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of copies on another machine, where nothing was unpacked yet."""
    monkeypatch.setattr(travelling, "_copies", [])
    folder = tmp_path / "there"
    folder.mkdir()
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's working and home folder, with a run in it."""
    folder = tmp_path / "here"
    (folder / "runs" / "first").mkdir(parents=True)
    for path in ("runs/first/network.safetensors", "one.onnx", "two.onnx"):
        (folder / path).write_bytes(path.encode())
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def leave(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a machine that has none of the user's files."""
    here.rename(here.with_name("gone"))
    monkeypatch.chdir("/")
    monkeypatch.setenv("HOME", "/nowhere")


NAMES = ["runs/first", "./runs/../runs/first", "~/runs/first", "runs/first/network.safetensors"]


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_found_by_the_users_name(
    name: str, here: Path, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with noting_files() as found:
        find_network_file(name)
        find_network_file("imitation-fast")  # shipped: every machine has it
    luggage = Luggage.pack(found)
    assert len(luggage.files) == 1
    leave(here, monkeypatch)
    luggage.unpack(there)
    copy = find_network_file(name)
    assert copy.is_relative_to(there)
    assert copy.read_bytes() == b"runs/first/network.safetensors"


def test_an_absolute_name_and_a_bag_of_names_are_found(
    here: Path, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = f"{here}/one.onnx+two.onnx", "*.onnx"
    with noting_files() as found:
        for name in names:
            find_network_files(name)
    luggage = Luggage.pack(found)
    leave(here, monkeypatch)
    luggage.unpack(there)
    for name in names:
        contents = [path.read_bytes() for path in find_network_files(name)]
        assert contents == [b"one.onnx", b"two.onnx"]


def test_a_file_that_did_not_come_along_is_looked_for_where_it_is(there: Path) -> None:
    Luggage({}, "/somewhere", "/home").unpack(there)
    assert located("runs/other") == Path("runs/other")


def test_evaluations_note_their_files(here: Path) -> None:
    from outflank.models import shipped_models

    mine = here / "mine.safetensors"
    mine.write_bytes(shipped_models()["evolved-novice"].path.read_bytes())
    with noting_files() as found:
        evaluation("evolved-novice")
        evaluation("iago")
        assert found == []
        evaluation("mine.safetensors")
    assert found == [Path("mine.safetensors")]


def test_nothing_is_noted_outside_of_a_block() -> None:
    assert needed(Path("x")) == Path("x")
    with noting_files() as outer:
        with noting_files() as inner:
            needed(Path("a"))
        needed(Path("b"))
    assert (inner, outer) == ([Path("a")], [Path("b")])
