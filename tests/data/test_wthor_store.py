"""Where WThor files are looked for, and what is said about those that are there."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from data.wthor_bytes import jou, trn, wtb
from outflank.data import (
    find_dataset,
    list_store,
    list_wthor,
    store_folder,
    wthor_files,
    wthor_folder,
)
from outflank.data.store import check_wthor
from outflank.errors import DataError, FileError, RecordError


def fill(folder: Path, **files: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_bytes(content)
    return folder


def test_the_store_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTFLANK_DATA", str(tmp_path))
    assert store_folder("wthor") == tmp_path / "wthor"
    monkeypatch.setenv("OUTFLANK_DATA", "~/games")
    assert store_folder("wthor") == Path.home() / "games" / "wthor"
    monkeypatch.delenv("OUTFLANK_DATA")
    assert store_folder("wthor") == platformdirs.user_data_path("outflank") / "wthor"


def test_an_explicit_folder_comes_before_the_store(store: Path, tmp_path: Path) -> None:
    fill(store, WTH_1977_wtb=wtb(1977, 1))
    mine = fill(tmp_path / "mine", WTH_1978_wtb=wtb(1978, 1))
    assert wthor_folder() == store
    assert wthor_folder(mine) == mine


@pytest.mark.parametrize("explicit", [True, False])
def test_a_missing_folder_is_an_error_that_says_what_to_do(store: Path, explicit: bool) -> None:
    with pytest.raises(DataError) as caught:
        wthor_folder(store if explicit else None)
    assert str(caught.value) == (
        f"{store}: no such folder; get the games with: outflank data fetch wthor"
    )


def test_a_folder_without_games_is_an_error(tmp_path: Path) -> None:
    fill(tmp_path, WTH_JOU=jou(), README_txt=b"", WTH_1977_zip=b"")
    with pytest.raises(DataError, match=r"no WTH_\*\.wtb files in it; get the games with: "):
        wthor_folder(tmp_path)


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    path = fill(tmp_path, WTH_1977_wtb=wtb(1977, 1)) / "WTH_1977.wtb"
    with pytest.raises(DataError, match=r"WTH_1977\.wtb: not a folder"):
        wthor_folder(path)


def test_files_are_found_in_any_case_and_in_the_order_of_years(tmp_path: Path) -> None:
    fill(tmp_path, wth_2004_WTB=b"", WTH_1977_wtb=b"", Wth_1999_Wtb=b"", WTH_JOU=b"", x_wtb=b"")
    found = [path.name for path in wthor_files(tmp_path)]
    assert found == ["WTH_1977.wtb", "Wth_1999.Wtb", "wth_2004.WTB"]
    assert [path.name for path in wthor_files(tmp_path, range(1999, 2000))] == ["Wth_1999.Wtb"]


def test_a_year_that_is_asked_for_and_missing_is_named(tmp_path: Path) -> None:
    fill(tmp_path, WTH_1977_wtb=b"", WTH_1978_wtb=b"", WTH_1981_wtb=b"")
    with pytest.raises(DataError) as caught:
        wthor_files(tmp_path, range(1978, 1983))
    assert str(caught.value) == (
        f"{tmp_path}: no games of 1979-1980, 1982; years there are 1977-1978, 1981"
    )
    with pytest.raises(DataError, match="years 2010-2005: the first year is after the last"):
        wthor_files(tmp_path, range(2010, 2006))


def test_two_files_of_one_year_are_refused(tmp_path: Path) -> None:
    fill(tmp_path, WTH_2004_wtb=b"", wth_2004_WTB=b"")
    with pytest.raises(DataError, match=r"WTH_2004\.wtb and wth_2004\.WTB are of the same year"):
        wthor_files(tmp_path)


def test_a_folder_that_cannot_be_read_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot read: No such file or directory"):
        wthor_files(tmp_path / "none")


def test_the_list_tells_games_sizes_and_problems(store: Path) -> None:
    fill(store, WTH_JOU=jou(), WTH_TRN=trn()[:-1], WTH_1977_wtb=wtb(1977, 12), notes_txt=b"")
    fill(store, wth_1978_WTB=wtb(1978, 10)[:-68])
    (store / "WTH_1979.wtb.part").write_bytes(b"abc")
    rows = [(f.path.name, f.year, f.games, f.bytes, f.problem) for f in list_store()]
    assert rows == [
        ("WTH.JOU", None, None, 116, None),
        ("WTH.TRN", None, None, 93, rows[1][-1]),
        ("WTH_1977.wtb", 1977, 12, 832, None),
        ("wth_1978.WTB", 1978, None, 628, "the header says 10 games, the file holds 9"),
        ("WTH_1979.wtb.part", 1979, None, 3, rows[4][-1]),
    ]
    assert "3 names of 26 bytes" in str(rows[1][-1])
    assert "outflank data fetch wthor continues it" in str(rows[4][-1])
    assert {file.dataset for file in list_store()} == {"wthor"}


def test_an_empty_store_has_an_empty_list() -> None:
    assert list_store() == []


def test_an_unknown_dataset_is_named() -> None:
    assert find_dataset("wthor").name == "wthor"
    with pytest.raises(DataError, match="no such dataset: 'wthr'; datasets are wthor, league"):
        find_dataset("wthr")


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("WTH_1977.wtb", b"", "the file is empty"),
        ("WTH_1977.wtb", wtb(1977, 3)[:9], "begins with 16 bytes, this one has 9"),
        ("WTH_1977.wtb", wtb(1977, 3) + b"x", "3 games, the file holds 3 and 1 bytes"),
        ("WTH_1977.wtb", wtb(1978, 3), "holds the games of 1978"),
        ("WTH_1977.wtb", wtb(1977, 3).replace(b"\x08", b"\x0a"), "10x10 board"),
        ("WTH.JOU", jou(4)[:-1], "4 names of 20 bytes"),
        ("WTH.TRN", jou(4), "4 names of 26 bytes"),
    ],
)
def test_a_wrong_file_is_refused(name: str, data: bytes, problem: str) -> None:
    with pytest.raises(RecordError, match=problem) as caught:
        check_wthor(name, data)
    assert caught.value.source == name


def test_a_file_that_does_not_tell_its_year_is_taken() -> None:
    assert check_wthor("WTH_1977.wtb", wtb(0, 3)).games == 3


def test_the_real_database_is_sound(wthor_data: Path) -> None:
    files = list_wthor(wthor_data)
    assert [file.problem for file in files] == [None] * 46
    assert sum(file.games or 0 for file in files) == 127_205
    assert len(wthor_files(wthor_folder(wthor_data), range(1977, 2016))) == 39
