"""The command: what it prints for people and for programs."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.conftest import Run
from outflank import Game, Position, __version__, records

START = Position.start().to_string()
WIPE_OUT = "f5d6c5f4e3f6g5e6e7"


def test_version(run: Run) -> None:
    result = run("--version")
    assert result.code == 0
    assert result.out.startswith(f"outflank {__version__} (")


@pytest.mark.parametrize("command", ["play", "show", "perft", "records", "data", "bench"])
def test_every_command_explains_itself(run: Run, command: str) -> None:
    assert command in run("--help").out
    result = run(command, "--help")
    assert result.code == 0
    assert len(result.out) > 300


def test_perft(run: Run) -> None:
    answer = run("perft", 6, "--json").json
    assert set(answer) == {"depth", "nodes", "seconds"}
    assert (answer["depth"], answer["nodes"]) == (6, 8200)
    assert "8,200" in run("perft", 6).out
    divided = run("perft", 3, "--divide", "--json").json
    assert divided["moves"] == {"d3": 14, "c4": 14, "f5": 14, "e6": 14}
    after = Game.from_transcript("f5").position.to_string()
    assert run("perft", 5, "--json", "--position", after).json["nodes"] == 8200 // 4


def test_show_a_position_a_transcript_and_a_file(run: Run, tmp_path: Path) -> None:
    assert run("show", START, "--json").json["legal_moves"] == ["d3", "c4", "f5", "e6"]
    answer = run("show", WIPE_OUT, "--json").json
    assert (answer["over"], answer["black"], answer["white"], answer["score"]) == (
        True, 13, 0, -64,
    )  # fmt: skip
    file = tmp_path / "games.txt"
    file.write_text(f"f5\n{WIPE_OUT}\n")
    shown = run("show", file, "--game", 2, "--ply", 1, "--svg", tmp_path / "board.svg")
    assert "white to move, 4-1" in shown.out
    ElementTree.parse(tmp_path / "board.svg")


def test_show_names_the_opening(run: Run) -> None:
    assert "opening: Tiger\n" in run("show", "f5d6c3d3c4").out
    assert "opening" not in run("show", "f5").out
    assert run("show", "f5d6c3d3c4", "--json").json["opening"] == "Tiger"


def test_a_check_without_games_says_nothing_of_their_scores(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5f5\n")
    assert run("records", "check", file).out == "1 files, 0 games, 1 bad\n"


def test_records_info(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.ggf"
    records.write(file, [Game.from_transcript("f5d6", black="Ann", white="Bo", date="2004")])
    (answer,) = run("records", "info", file, "--json").json
    assert (answer["format"], answer["games"], answer["players"]) == ("ggf", 1, 2)
    assert "games.ggf" in run("records", "info", file).out


def test_records_check(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5d6\nf5f5\nf5\n")
    result = run("records", "check", file, "--json")
    assert result.code == 2
    assert result.json["files"] == 1
    assert result.json["games"] == 2
    assert result.json["bad"] == 1
    assert result.json["errors"] == [f"{file}: game 2: move 2: f5 is illegal: the square is taken"]
    assert run("records", "check", file, "--lenient").code == 0


def test_records_convert_there_and_back(run: Run, tmp_path: Path) -> None:
    source, there, back = (tmp_path / name for name in ("a.txt", "b.ggf", "c.txt"))
    source.write_text(f"f5d6c3\n{WIPE_OUT}\n")
    assert run("records", "convert", source, there).code == 0
    assert run("records", "convert", there, back, "--json").json == {
        "games": 2, "skipped": 0, "errors": [],
    }  # fmt: skip
    assert back.read_bytes() == source.read_bytes()
    refused = run("records", "convert", source, there)
    assert refused.code == 2
    assert "the file exists; --force replaces it" in refused.err
    assert run("records", "convert", source, there, "--force").code == 0


def test_records_convert_skips_bad_games_only_if_told(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "a.txt", tmp_path / "b.sgf"
    source.write_text("f5d6\nf5f5\nf5\n")
    assert run("records", "convert", source, target).code == 2
    assert not target.exists()
    result = run("records", "convert", source, target, "--lenient")
    assert result.code == 0
    assert "2 games written, 1 bad games skipped" in result.out
    assert "skipped:" in result.err
    assert len(list(records.read(target))) == 2


def test_data_fetch_and_list(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTFLANK_DATA", str(tmp_path / "store"))
    assert "The store is empty" in run("data", "list").out
    source = tmp_path / "games"
    source.mkdir()
    records.write(source / "WTH_2004.wtb", [Game.from_transcript("f5d6", date="2004")])
    result = run("data", "fetch", "wthor", "--from", source)
    assert (result.code, "1 files copied" in result.out) == (0, True), result
    (listed,) = [file for file in run("data", "list", "--json").json if file["year"]]
    assert (listed["year"], listed["games"], listed["problem"]) == (2004, 1, None)
    assert "WTH_2004.wtb" in run("data", "list").out


def test_data_fetch_names_what_is_wrong(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTFLANK_DATA", str(tmp_path / "store"))
    cases: list[tuple[list[object], str]] = [
        (["nothing"], "no such dataset: 'nothing'; datasets are wthor"),
        (["wthor", "--years", "2010-2005"], "the first year is after the last"),
        (["wthor", "--from", tmp_path / "none"], "no such folder"),
        (["wthor", "--from", tmp_path], "no WTH_*.wtb files in it"),
    ]
    for arguments, problem in cases:
        result = run("data", "fetch", *arguments)
        assert result.code == 2
        assert problem in result.err


def test_bench_measures_every_part(run: Run) -> None:
    answer = run("bench", "--json").json
    assert len(answer["measures"]) == 5
    assert all(measure["rate"] > 0 for measure in answer["measures"])


def bad_files(folder: Path) -> dict[str, tuple[Path, str]]:
    """One file for each way of being bad, and what its error says."""
    games = [Game.from_transcript("f5d6c3d3c4", black="A", white="B")] * 3
    whole = folder / "whole.wtb"
    records.write(whole, games)
    wtb = whole.read_bytes()
    (folder / "whole.jou").unlink()
    (folder / "whole.trn").unlink()

    def file(name: str, content: bytes) -> Path:
        path = folder / name
        path.write_bytes(content)
        return path

    misfit = folder / "misfit"
    misfit.mkdir()
    records.write(misfit / "x.wtb", games)
    (misfit / "x.jou").write_bytes((misfit / "x.jou").read_bytes()[:36][:8] + b"\1\0" + bytes(26))
    ggf = b"(;GM[Othello]PC[x]PB[A]PW[B]RE[?]TY[8]BO[8 " + START[:64].replace("X", "*").encode()
    return {
        "truncated": (file("a.wtb", wtb[:-10]), "header: the header says 3 games"),
        "promises more": (
            file("b.wtb", wtb[:4] + b"\xff\0\0\0" + wtb[8:]),
            "header: the header says 255 games, the file holds 3",
        ),
        "10x10": (file("c.wtb", wtb[:12] + b"\x0a" + wtb[13:]), "header: a 10x10 board"),
        "illegal move": (
            file("d.wtb", wtb[:94] + b"\x0b" + wtb[95:]),
            "game 2: move 3: a1 is illegal",
        ),
        "empty": (file("e.wtb", b""), "the file is empty"),
        "no record": (file("f.txt", b"Dear reader\n"), "not a game record"),
        "names do not fit": (misfit / "x.wtb", "game 1: white player: number 1"),
        "unknown tag": (file("g.ggf", ggf + b" *]XX[1]B[F5];)"), "game 1: XX"),
        "missing moves": (file("h.ggf", ggf + b" *]B[F5]B[D6];)"), "game 1:"),
        "missing file": (folder / "none.ggf", "cannot read: No such file or directory"),
    }


KINDS = [
    "truncated", "promises more", "10x10", "illegal move", "empty", "no record",
    "names do not fit", "unknown tag", "missing moves", "missing file",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_bad_input_is_checked_line_by_line(run: Run, tmp_path: Path, kind: str) -> None:
    path, problem = bad_files(tmp_path)[kind]
    result = run("records", "check", path)
    assert result.code == 2
    lines = result.err.splitlines()
    assert problem in lines[0]
    assert all(line.startswith(f"outflank: {path}: ") for line in lines)
    assert len(lines) == (3 if kind == "names do not fit" else 1)


@pytest.mark.parametrize("kind", KINDS)
def test_bad_input_is_not_converted(run: Run, tmp_path: Path, kind: str) -> None:
    path, problem = bad_files(tmp_path)[kind]
    before = sorted(tmp_path.iterdir())
    result = run("records", "convert", path, tmp_path / "out.ggf")
    assert result.code == 2
    assert result.err.startswith(f"outflank: {path}: ")
    assert problem in result.err
    assert result.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_latin_1_names_are_read(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "names.ggf"
    records.write(file, [Game.from_transcript("f5d6", black="Hélène", white="B")])
    file.write_bytes(file.read_bytes().decode().encode("latin-1"))
    assert run("show", file, "--json").json["black_player"] == "Hélène"


def test_a_file_that_cannot_be_read(run: Run) -> None:
    """The system lets anyone open this file, but refuses to read its first byte."""
    result = run("records", "check", "/proc/self/mem")
    assert result.code == 2
    assert result.err == "outflank: /proc/self/mem: cannot read: Input/output error\n"


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    """The system refuses to let the file grow, as a full disk does."""
    source, target = tmp_path / "many.txt", tmp_path / "many.ggf"
    source.write_text(f"{WIPE_OUT}\n" * 5000)
    target.write_text("older")

    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

    result = subprocess.run(
        [sys.executable, "-m", "outflank", "records", "convert", source, target, "--force"],
        capture_output=True,
        text=True,
        preexec_fn=no_large_files,
        check=False,
    )
    assert result.returncode == 2, result
    assert result.stderr == f"outflank: {target}: cannot write: File too large\n"
    assert target.read_text() == "older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.ggf", "many.txt"]


def test_a_wrong_argument_is_explained(run: Run) -> None:
    assert run("perft", "many").code == 2
    assert run("nonsense").code == 2
    shown = run("show", "nothing-like-it")
    assert shown.code == 2
    assert shown.err == "outflank: nothing-like-it: no such file, transcript or board\n"
    board = run("show", START[:60])
    assert "a board has 64 squares" in board.err


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"{WIPE_OUT}\nzz\n" * 2000)
    command = f"{sys.executable} -m outflank records check {file} 2>&1 | head -1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stdout + result.stderr
