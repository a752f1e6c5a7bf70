"""Files that are not what they should be, and places where files cannot be written."""

from __future__ import annotations

import json
import os
import stat
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank.arena import Store
from outflank.errors import DataError, FileError, OutflankError
from outflank.evaluations.evolved import EvolvedNetwork
from outflank.files import open_to_write, write_bytes
from outflank.learn import Run
from outflank.learn.status import read_status
from outflank.learn.training import _seconds_before
from outflank.models import find_network_file
from outflank.nets.files import kind_of, load_tensors, save_tensors
from outflank.nets.line import LinePolicy, average
from outflank.numbers import OPTIONS, number, whole_number
from outflank.players import Spec, kinds
from outflank.records import Problems, read
from outflank.records.obf import Obf

OUTFLANK = Path(sys.executable).with_name("outflank")


def outflank(*words: str, cwd: Path, stdout: Any = subprocess.PIPE, **environment: str) -> Any:
    return subprocess.run(
        [OUTFLANK, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, "HOME": str(cwd), "XDG_DATA_HOME": str(cwd), **environment},
        timeout=120,
    )


def refused_in_one_line(ended: Any) -> str:
    text: str = ended.stderr.decode()
    assert ended.returncode == 2, text
    assert text.startswith("outflank: ")
    assert len(text.splitlines()) == 1
    return text


def test_a_device_is_written_through(tmp_path: Path) -> None:
    null = tmp_path / "null"
    os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3)) if os.geteuid() == 0 else None
    if null.exists():
        write_bytes(null, b"x")
        assert stat.S_ISCHR(null.stat().st_mode)
    with pytest.raises(FileError, match="No space left"):
        write_bytes("/dev/full", b"x" * 10000)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    write_bytes(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError):
        write_bytes(tmp_path / "loop", b"x")


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with open_to_write(pipe) as stream:
        stream.write(b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_standard_output_on_a_full_disk(tmp_path: Path) -> None:
    for words in (["players"], ["perft", "3", "--json"]):
        with open("/dev/full", "wb") as full:
            assert "No space left" in refused_in_one_line(
                outflank(*words, cwd=tmp_path, stdout=full)
            )


def test_a_file_that_is_no_store_is_neither_read_nor_overwritten(tmp_path: Path) -> None:
    for content in (b"x", b"not a database, whatever its length" * 100):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(FileError, match="not a results store"):
            Store(tmp_path / "file")
        assert (tmp_path / "file").read_bytes() == content
    (tmp_path / "empty").touch()
    with pytest.raises(FileError, match="it is empty"):
        Store(tmp_path / "empty", create=False)
    with Store(tmp_path / "empty"):
        pass


def test_a_store_on_a_read_only_disk_is_read(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite"):
        pass
    os.chmod(tmp_path / "s.sqlite", 0o444)
    os.chmod(tmp_path, 0o555)
    program = (
        "import os, sys\n"
        "from outflank.arena import Store\n"
        "os.geteuid() == 0 and os.setuid(65534)\n"
        "with Store(sys.argv[1], create=False) as store: print(len(store.tournaments()))\n"
    )
    for folder in tmp_path.parents:  # the other user must be able to come here
        if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
            os.chmod(folder, folder.stat().st_mode | 0o111)
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "s.sqlite")], capture_output=True, text=True
    )
    os.chmod(tmp_path, 0o755)
    assert ended.stdout == "0\n", ended.stderr


def test_the_lab_says_that_its_data_folder_cannot_be_made(tmp_path: Path) -> None:
    ended = outflank("lab", "--no-browser", "--port", "0", cwd=tmp_path, XDG_DATA_HOME="/dev/null")
    refused_in_one_line(ended)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("clock.json", '{"seconds": "long"}'),
        ("clock.json", '{"seconds": NaN}'),
        ("clock.json", "{}"),
        ("clock.json", "[" * 100_000),
    ],
)
def test_a_broken_clock(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=name):
        _seconds_before(tmp_path / name)


def test_text_where_a_run_has_numbers(tmp_path: Path) -> None:
    with Run.create(tmp_path / "run", {}) as run:
        run.save_checkpoint(3, lambda folder: None, score=0.5)
    (tmp_path / "run" / "checkpoints" / "step-000000003" / "checkpoint.json").write_text(
        '{"step": 3, "score": "high"}'
    )
    with pytest.raises(DataError, match="accepted is a number"):
        Run.open(tmp_path / "run").checkpoints()
    (tmp_path / "run" / "status.json").write_text('{"state": "paused", "seconds": "long"}')
    with pytest.raises(DataError, match="seconds"):
        read_status(tmp_path / "run")


def test_what_a_killed_process_left_is_removed_and_strangers_are_no_checkpoints(
    tmp_path: Path,
) -> None:
    with Run.create(tmp_path / "run", {}) as run:
        run.save_checkpoint(3, lambda folder: None)
    checkpoints = tmp_path / "run" / "checkpoints"
    (tmp_path / "run" / ".player.safetensors.abc.part").touch()
    (checkpoints / ".DS_Store").touch()
    (checkpoints / "step-000000009").touch()
    (checkpoints / "step-000000010").mkdir()
    (checkpoints / "notes.txt").touch()
    with Run.resume(tmp_path / "run") as again:
        last = again.last_checkpoint()
        assert last is not None
        assert last.step == 3
    assert not list((tmp_path / "run").rglob("*.part"))


def safetensors(header: dict[str, Any], data: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def test_safetensors_of_strangers(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    metadata = {"outflank": json.dumps({"kind": "evolved", "version": 1})}
    numbers = {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}
    path.write_bytes(safetensors({"__metadata__": metadata, "weights": numbers}, b"\0\0"))
    with pytest.raises(OutflankError):
        load_tensors(path, kind="evolved")
    deep = {"outflank": "[" * 200_000}
    path.write_bytes(safetensors({"__metadata__": deep}))
    with pytest.raises(DataError, match="not JSON"):
        load_tensors(path, kind="evolved")
    assert kind_of(path) == ""
    wrong: list[dict[str, Any]] = [
        {"piece_weight": None},
        {"shape": []},
        {"depth": "2"},
        {"window": 0},
    ]
    for option in wrong:
        facts = {"shape": "flat", **option}
        save_tensors(path, {"weights": np.zeros((), np.float32)}, kind="evolved", facts=facts)
        with pytest.raises(DataError, match=str(path)):
            EvolvedNetwork.load(path)


def test_shares_that_have_no_sum_make_no_network() -> None:
    network = LinePolicy.load(find_network_file("imitation-fast"))
    for shares in ((1e308, 1e308), (float("nan"), 1.0), (float("inf"), 1.0)):
        with pytest.raises(DataError, match="finite sum"):
            average([(network, share) for share in shares])


@pytest.mark.parametrize("text", ["1_4", "\uff11", "1e3", " 1", "nan", "", "0x1", "1" * 20])
def test_what_is_no_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match="not a whole number"):
        whole_number(text)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400", "1_0", "\uff11", "", "x"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="not a number"):
        number(text)


def test_every_number_of_a_spec_has_a_range() -> None:
    import dataclasses
    import typing

    for kind, player in kinds().items():
        hints = typing.get_type_hints(player)
        for one in dataclasses.fields(player):
            parts = typing.get_args(hints[one.name]) or (hints[one.name],)
            if one.init and any(
                isinstance(part, type) and issubclass(part, (int, float)) and part is not bool
                for part in parts
            ):
                assert one.name in OPTIONS, f"{kind}: {one.name} has no range"


@pytest.mark.parametrize("argument", ["a,b", "a b", "depth=4", "x,y=z", "plain"])
def test_a_spec_survives_its_own_text(argument: str) -> None:
    spec = Spec("policy", argument, {"name": "a,b"})
    assert Spec.parse(str(spec)) == spec


def test_control_characters_in_a_score(tmp_path: Path) -> None:
    path = tmp_path / "x.obf"
    board = "---------------------------OX------XO--------------------------- X"
    path.write_bytes(f"{board}; d3\x1d:\x1c+2;\n".encode())
    problems = Problems(lenient=True)
    assert list(read(path, format=Obf(), problems=problems)) == []
    assert "written as" in str(problems.found[0])


def test_escape_sequences_do_not_reach_the_terminal(tmp_path: Path) -> None:
    escape = b"\x1b\\]0;owned\x07\x1b[31m\xc2\x9b5m"
    record = b"(;GM[2]PB[" + escape + b"]PW[x]C[" + escape + b"];B[f5];W[d6])"
    (tmp_path / "game.sgf").write_bytes(record)
    for words in ("show game.sgf", "records check game.sgf", "show game.sgf --json"):
        ended = outflank(*words.split(), cwd=tmp_path, TERM="xterm", FORCE_COLOR="")
        assert ended.returncode in (0, 1), ended.stderr
        for stream in (ended.stdout, ended.stderr):
            assert b"\x1b]" not in stream
            assert b"\x07" not in stream
            assert b"\xc2\x9b" not in stream
