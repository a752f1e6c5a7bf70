"""The league's files: how they are read, brought into the store, and found there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.fetching import HASTY, Heard, outcomes
from data.file_server import Fault, FileServer, serve
from evaluations.player_texts import random_tuples, text_of
from outflank.data import FileOutcome, find_dataset, list_store
from outflank.data.league import (
    LEAGUE_FILES,
    fetch_league,
    league_folder,
    league_path,
    list_league,
    take_league,
)
from outflank.data.player_file import PlayerFile
from outflank.errors import DataError, DownloadError, FileError, RecordError

NAMES = [file.file for file in LEAGUE_FILES.values()]
SMALL = text_of(random_tuples(3, count=2, longest=2))
PAGE = b"<!DOCTYPE html>\n<html><body>Not found</body></html>"


@pytest.fixture(autouse=True)
def league_store(store: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("OUTFLANK_LEAGUE", raising=False)
    monkeypatch.delenv("OUTFLANK_LEAGUE_URL", raising=False)
    return store.with_name("league")


@pytest.fixture
def league_server() -> Iterator[FileServer]:
    files = {name: text_of(random_tuples(seed)).encode() for seed, name in enumerate(NAMES)}
    with serve(FileServer(files)) as running:
        yield running


def test_a_network_is_read_with_braces_and_without() -> None:
    tuples = random_tuples(5)
    for braces in (True, False):
        file = PlayerFile.parse(text_of(tuples, braces).encode())
        assert file.weights.tolist() == [weight for one in tuples for weight in one.weights]
        placements = [squares for one in tuples for squares in one.placements]
        assert file.lengths.tolist() == [len(squares) for squares in placements]
        assert file.squares.tolist() == [square for squares in placements for square in squares]
        shared = [np.flatnonzero(file.offsets == offset) for offset in np.unique(file.offsets)]
        assert [len(group) for group in shared] == [len(one.placements) for one in tuples]


def test_a_file_of_64_weights_is_one_of_squares() -> None:
    weights = np.linspace(-1, 1, 64)
    file = PlayerFile.parse(" ".join(map(repr, weights.tolist())).encode())
    assert file.squares.tolist() == list(range(64))
    assert file.weights[file.offsets + 2].tolist() == weights.tolist()
    assert file.weights[file.offsets].tolist() == (-weights).tolist()
    assert not file.weights[file.offsets + 1].any()


@pytest.mark.parametrize("number", ["1.5e-003", "-.5", "+3.", "0", "1E2"])
def test_numbers_are_written_in_many_ways(number: str) -> None:
    file = PlayerFile.parse(f"1 1 1 0 0 0 {number}".encode())
    assert file.weights[2] == float(number)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty; expected the number of tuples, 1 to 4096"),
        ("{ }", "the file is empty; expected the number of tuples, 1 to 4096"),
        ("x", "number 1 is 'x'; expected the number of tuples, 1 to 4096"),
        ("0", "number 1 is '0'; expected the number of tuples, 1 to 4096"),
        ("1.0 1", "number 1 is '1.0'; expected the number of tuples, 1 to 4096"),
        ("1" * 5000, "number 1 is '111111111111111111111111...'; expected the number of tuples"),
        ("1 11 1", "number 2 is '11'; expected the length of tuple 1, 1 to 10"),
        ("1 2 9", "number 3 is '9'; expected the number of placements of tuple 1, 1 to 8"),
        ("1 2 1 5 -1", "number 5 is '-1'; expected square 2 of placement 1 of tuple 1, 0 to 63"),
        ("1 2 1 5 5", "number 5 is '5'; expected a square that is not yet among those of plac"),
        ("1 1 1 5 0 0", "the file ends after 6 numbers; expected weight 3 of the 3 of tuple 1"),
        ("1 1 1 5 0 0 nan", "number 7 is 'nan'; expected weight 3 of the 3 of tuple 1, a number"),
        ("1 1 1 5 0 0 1e999", "number 7 is '1e999'; expected weight 3 of the 3 of tuple 1, a nu"),
        ("1 1 1 5 0 0 1_0", "number 7 is '1_0'; expected weight 3 of the 3 of tuple 1, a number"),
        ("1 1 1 5 0 0 0 0", "number 8 is '0'; expected the end of the file"),
        ("2 1 1 5 0 0 0", "the file ends after 7 numbers; expected the length of tuple 2, 1 to 10"),
        ("-0.5 " * 63, "number 1 is '-0.5'; expected the number of tuples, 1 to 4096"),
        ("-0.5 " * 63 + "x", "number 64 is 'x'; expected weight 64 of the 64 of the squares"),
    ],
)
def test_a_damaged_file_is_explained(text: str, problem: str) -> None:
    with pytest.raises(RecordError) as caught:
        PlayerFile.parse(text.encode(), "a.player")
    assert str(caught.value).startswith(f"a.player: {problem}")
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text_are_named() -> None:
    with pytest.raises(RecordError, match=r"a\.player: not a file of numbers: byte 3 is 0xff"):
        PlayerFile.parse(b"1 \xff", "a.player")


def test_too_many_placements_are_refused() -> None:
    text = "513 " + "1 8 0 1 2 3 4 5 6 7 0 0 0 " * 513
    with pytest.raises(RecordError, match="expected at most 4096 placements in all"):
        PlayerFile.parse(text.encode())
    assert len(PlayerFile.parse(text.replace("513 ", "512 ", 1)[:-26].encode()).lengths) == 4096


@given(st.integers(0, len(SMALL.split()) - 1))
def test_a_file_that_was_cut_is_an_error(words: int) -> None:
    numbers = SMALL.replace("{", " ").replace("}", " ").split()
    with pytest.raises(RecordError, match=r"the file (ends after|is empty)"):
        PlayerFile.parse(" ".join(numbers[: min(words, len(numbers) - 1)]).encode())


@given(st.binary() | st.text("0123456789 .-+e{}\n").map(str.encode))
def test_any_bytes_are_a_network_or_a_record_error(data: bytes) -> None:
    check_parses_or_explains(data)


@given(st.lists(st.integers(0, 63).map(str) | st.floats().map(repr) | st.text(max_size=3)))
def test_any_words_are_a_network_or_a_record_error(words: list[str]) -> None:
    check_parses_or_explains(" ".join(words).encode("utf-8", "replace"))


@given(st.data())
def test_a_changed_file_is_a_network_or_a_record_error(data: st.DataObject) -> None:
    words = SMALL.split()
    at = data.draw(st.integers(0, len(words) - 1))
    new = data.draw(st.sampled_from(["", "0", "1", "63", "64", "-1", "1e5", "x", "{", "1 1"]))
    check_parses_or_explains(" ".join([*words[:at], new, *words[at + 1 :]]).encode())


def check_parses_or_explains(data: bytes) -> None:
    try:
        file = PlayerFile.parse(data, "a.player")
    except RecordError as error:
        problem = str(error)
        assert problem.startswith("a.player: ")
        assert "\n" not in problem
        assert len(problem) < 200
    else:
        assert file.lengths.sum() == len(file.squares)
        assert (file.offsets + 3 ** file.lengths.astype(np.uint32) <= len(file.weights)).all()
        assert np.isfinite(file.weights).all()


def test_all_players_are_fetched(league_server: FileServer, league_store: Path) -> None:
    heard = Heard()
    report = fetch_league(base_url=league_server.url, patience=HASTY, progress=heard)
    report.raise_failures()
    assert report.folder == league_store
    assert outcomes(report) == dict.fromkeys(NAMES, FileOutcome.DOWNLOADED)
    assert heard.names == NAMES
    assert heard.results == list(report.files)
    for name in NAMES:
        assert (league_store / name).read_bytes() == league_server.files[name]
    league_server.forget()
    again = fetch_league(base_url=league_server.url, patience=HASTY)
    assert set(outcomes(again).values()) == {FileOutcome.ALREADY_THERE}
    assert league_server.answers == []
    again = fetch_league(base_url=league_server.url, patience=HASTY, refresh=True)
    assert set(outcomes(again).values()) == {FileOutcome.UNCHANGED}


def test_what_is_not_a_player_is_not_kept(league_server: FileServer, league_store: Path) -> None:
    league_server.will(NAMES[0], Fault(page=PAGE))
    league_server.will(NAMES[1], Fault(page=b"1 1 1 0 0 0"))
    league_server.will(NAMES[2], Fault(status=403))
    report = fetch_league(base_url=league_server.url, patience=HASTY)
    assert [file.problem for file in report.failed] == [
        f"{league_server.url}{NAMES[0]}: a web page instead of {NAMES[0]}",
        f"{league_server.url}{NAMES[1]}: the file ends after 6 numbers; "
        "expected weight 3 of the 3 of tuple 1",
        f"{league_server.url}{NAMES[2]}: the server answered 403 Forbidden",
    ]
    assert sorted(path.name for path in league_store.glob("*.player")) == sorted(NAMES[3:])


def test_a_server_that_cannot_be_reached_is_tried_once() -> None:
    with serve(FileServer()) as stopped:
        url = stopped.url
    heard = Heard()
    report = fetch_league(base_url=url, patience=HASTY, progress=heard)
    assert set(outcomes(report).values()) == {FileOutcome.FAILED}
    assert {name for name, _ in heard.retries} <= {NAMES[0]}
    with pytest.raises(DownloadError, match=r"^15 of 15 files failed: 127\.0\.0\.1:[0-9]+: "):
        report.raise_failures()


def test_the_league_s_address_comes_from_the_environment(
    league_server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTFLANK_LEAGUE_URL", league_server.url.rstrip("/"))
    fetch_league(patience=HASTY).raise_failures()
    with pytest.raises(DataError, match=r"is not the address of a folder; one is https://raw\.git"):
        fetch_league(base_url="abc")


def test_players_are_taken_from_a_folder(league_store: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "mine.player").write_text(SMALL)
    (source / "bad.player").write_text("1 2 3")
    (source / "notes.txt").write_text("")
    heard = Heard()
    report = take_league(source, progress=heard)
    assert outcomes(report) == {"bad.player": FileOutcome.FAILED, "mine.player": FileOutcome.COPIED}
    assert heard.results == list(report.files)
    assert report.failed[0].problem == (
        f"{source / 'bad.player'}: the file ends after 3 numbers; "
        "expected square 1 of placement 1 of tuple 1, 0 to 63"
    )
    assert [path.name for path in league_store.iterdir()] == ["mine.player"]
    assert outcomes(take_league(league_store)) == {"mine.player": FileOutcome.ALREADY_THERE}


def test_a_wrong_folder_of_players_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="none: no such folder"):
        take_league(tmp_path / "none")
    with pytest.raises(DataError, match=r"no \*\.player files in it"):
        take_league(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="file: not a folder"):
        take_league(tmp_path / "file")
    (tmp_path / "a.player").write_text(SMALL)
    with pytest.raises(FileError, match="cannot make the folder"):
        take_league(tmp_path, into=tmp_path / "file" / "league")


def test_the_league_has_no_years() -> None:
    with pytest.raises(DataError, match="not of single years"):
        fetch_league(years=range(1977, 1978))
    with pytest.raises(DataError, match="not of single years"):
        take_league(Path(), years=range(1977, 1978))


def test_the_store_lists_its_players(league_store: Path) -> None:
    assert list_league() == []
    league_store.mkdir(parents=True)
    (league_store / "good.player").write_text(SMALL)
    (league_store / "bad.player").write_text("1 2 3")
    listed = list_store()
    assert [(file.dataset, file.path.name) for file in listed] == [
        ("league", "bad.player"),
        ("league", "good.player"),
    ]
    assert listed[0].problem is not None
    assert listed[0].problem.startswith("the file ends after 3 numbers")
    assert (listed[1].problem, listed[1].bytes) == (None, len(SMALL))


def test_a_player_is_found_whatever_the_case_of_its_name(
    league_store: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert league_folder() == league_store
    league_store.mkdir(parents=True)
    (league_store / "manning2010gecco.PLAYER").write_text(SMALL)
    assert league_path("em10-gecco").name == "manning2010gecco.PLAYER"
    monkeypatch.setenv("OUTFLANK_LEAGUE", str(tmp_path / "elsewhere"))
    assert league_folder() == tmp_path / "elsewhere"
    with pytest.raises(DataError, match="elsewhere: no such folder; get the players with"):
        league_path("em10-gecco")


def test_the_published_players_can_be_taken(league_data: Path, league_store: Path) -> None:
    report = find_dataset("league").take(league_data)
    assert report.count(FileOutcome.COPIED) == 16
    assert all(league_path(name).parent == league_store for name in LEAGUE_FILES)
