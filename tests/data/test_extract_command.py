"""`outflank data extract`, and the page about it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from data.made_games import GAMES, write_games
from data.slow_examples import groups, rows_of
from outflank import cli
from outflank.data import open_examples

PAGE = Path(__file__).resolve().parents[2] / "docs" / "datasets.md"
Run = Callable[..., tuple[object, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs `outflank data extract ARGUMENTS`: code, output, errors."""
    monkeypatch.setenv("COLUMNS", "200")

    def run_command(*arguments: object) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["outflank", "data", "extract", *map(str, arguments)])
        capsys.readouterr()
        try:
            cli.main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code or 0
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_command


def test_the_answer_for_programs(run: Run, tmp_path: Path) -> None:
    games, sets = write_games(tmp_path / "games"), tmp_path / "sets"
    code, out, err = run("--wthor", games, "--out", sets, "--json")
    answer = json.loads(out)
    rows = rows_of(GAMES)
    assert (code, err) == (0, "")
    assert answer["games"] == sum(map(len, GAMES.values()))
    assert (answer["original"], answer["unique"]) == (len(rows), len(groups(rows)))
    assert (answer["original_s"], answer["unique_s"]) == (
        8 * len(rows),
        len(open_examples(sets, "unique-s")),
    )
    assert 0 < answer["ceiling_original"] < answer["ceiling_unique"] <= 1
    # The last year is more than a quarter.
    assert set(answer["seen"]) == {"example", "game", "unique", "unique-s"}
    assert answer["damage"] == ""
    assert (answer["folder"], answer["reused"]) == (str(sets), False)
    assert answer["seconds"] > 0
    assert json.loads(run("--wthor", games, "--out", sets, "--json")[1])["reused"] is True
    again = json.loads(run("--wthor", games, "--out", sets, "--json", "--refresh")[1])
    assert again["reused"] is False


def test_the_store_is_read_and_filled(run: Run, store: Path) -> None:
    write_games(store)
    code, out, _ = run("--years", "1990-1991")
    assert code == 0
    assert "original" in out
    assert f"in {store.parent / 'examples'}" in out
    assert "They existed already" in run("--years", "1990-1991")[1]


def test_what_is_wrong_is_one_line(run: Run, store: Path, tmp_path: Path) -> None:
    write_games(store)
    for arguments, problem in (
        (["--years", "1990-2015"], "no games of 1993-2015; years there are 1990-1992"),
        (["--years", "2015-1990"], "the first year is after the last"),
        (["--wthor", tmp_path], "no WTH_*.wtb files in it"),
        (["--wthor", tmp_path / "none"], "no such folder"),
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert problem in err
        assert err.startswith("outflank: ")
        assert err.count("\n") == 1


def test_a_game_with_an_illegal_move_is_told(run: Run, store: Path) -> None:
    path = write_games(store) / "WTH_1990.wtb"
    content = bytearray(path.read_bytes())
    content[16 + 8 + 6] = 44  # d4 is taken
    path.write_bytes(content)
    code, out, err = run("--json")
    assert (code, json.loads(out)["illegal"]) == (0, 1)
    assert err == "games cut short by an illegal move: 1\n"


def test_the_code_of_the_page_runs(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_games(store)
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assert names["planes"].shape[1:] == (2, 8, 8)  # type: ignore[attr-defined]
