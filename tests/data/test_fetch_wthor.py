"""Which files a fetch brings, and what it says about those that do not come."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.fetching import HASTY, TODAY, Heard, fetch, outcome, outcomes
from data.file_server import Fault, FileServer
from data.wthor_bytes import jou, trn, wtb
from outflank.data import FileOutcome, fetch_wthor, list_store, take_wthor, wthor_files
from outflank.errors import DataError, DownloadError, FileError

PAGE = b"<!DOCTYPE html>\n<html><body>The domain is for sale</body></html>" * 50


def test_a_fetch_brings_all_years_and_the_names(server: FileServer, store: Path) -> None:
    heard = Heard()
    report = fetch(server, progress=heard)
    report.raise_failures()
    assert report.folder == store
    assert heard.names == ["WTH.JOU", "WTH.TRN", "WTH_1977.wtb", "WTH_1978.wtb", "WTH_1979.wtb"]
    assert outcomes(report) == dict.fromkeys(heard.names, FileOutcome.DOWNLOADED)
    assert heard.results == list(report.files)
    assert ("WTH_1978.wtb", 612_016, 612_016) in heard.sizes
    for file in report.files:
        there = file.name.replace("WTH.", "WTHOR.")
        assert file.path.read_bytes() == server.files[there]
        assert file.received == len(server.files[there])
    assert [file.problem for file in list_store()] == [None] * 5


def test_a_server_may_call_the_names_as_the_store_does(server: FileServer, store: Path) -> None:
    server.files["WTH.JOU"] = server.files.pop("WTHOR.JOU")
    fetch(server).raise_failures()
    assert (store / "WTH.JOU").read_bytes() == server.files["WTH.JOU"]
    server.forget()
    assert outcome(fetch(server, refresh=True), "WTH.JOU") is FileOutcome.UNCHANGED


def test_only_the_years_asked_for_are_brought(server: FileServer, store: Path) -> None:
    fetch(server, years=range(1978, 1979)).raise_failures()
    assert [path.name for path in wthor_files(store)] == ["WTH_1978.wtb"]


def test_what_is_there_is_not_asked_for_again(server: FileServer) -> None:
    fetch(server)
    server.forget()
    report = fetch(server)
    assert set(outcomes(report).values()) == {FileOutcome.ALREADY_THERE}
    assert server.answers == []


def test_new_games_bring_the_names_up_to_date(server: FileServer, store: Path) -> None:
    fetch(server, years=range(1977, 1979))
    server.files["WTHOR.JOU"] = jou(6)
    server.forget()
    report = fetch(server)
    assert outcome(report, "WTH.JOU") is FileOutcome.DOWNLOADED
    assert outcome(report, "WTH.TRN") is FileOutcome.UNCHANGED
    assert outcome(report, "WTH_1977.wtb") is FileOutcome.ALREADY_THERE
    assert outcome(report, "WTH_1979.wtb") is FileOutcome.DOWNLOADED
    assert (store / "WTH.JOU").read_bytes() == jou(6)


@pytest.mark.parametrize("tags", [True, False])
def test_a_refresh_brings_only_what_has_changed(
    server: FileServer, store: Path, tags: bool
) -> None:
    server.tags = tags
    fetch(server)
    server.forget()
    assert set(outcomes(fetch(server, refresh=True)).values()) == {FileOutcome.UNCHANGED}
    assert {answer.status for answer in server.answers} == {304}

    server.files["WTH_1977.wtb"] = wtb(1977, 13)
    server.modified = "Tue, 17 Feb 2026 10:00:00 GMT"
    report = fetch(server, refresh=True)
    assert outcome(report, "WTH_1977.wtb") is FileOutcome.DOWNLOADED
    assert (store / "WTH_1977.wtb").read_bytes() == wtb(1977, 13)


def test_a_refresh_mends_a_file_that_was_changed_here(server: FileServer, store: Path) -> None:
    fetch(server)
    (store / "WTH_1977.wtb").write_bytes(wtb(1977, 12, filler=7))
    assert outcome(fetch(server), "WTH_1977.wtb") is FileOutcome.ALREADY_THERE
    assert outcome(fetch(server, refresh=True), "WTH_1977.wtb") is FileOutcome.DOWNLOADED
    assert (store / "WTH_1977.wtb").read_bytes() == server.files["WTH_1977.wtb"]


def test_a_damaged_file_is_brought_again(server: FileServer, store: Path) -> None:
    fetch(server)
    (store / "WTH_1977.wtb").write_bytes(wtb(1977, 12)[:-1])
    assert outcome(fetch(server), "WTH_1977.wtb") is FileOutcome.DOWNLOADED


def test_a_damaged_ledger_only_costs_a_download(server: FileServer, store: Path) -> None:
    fetch(server)
    for content in (b"{", b"[]", b'{"WTH_1977.wtb": {"url": 5}}', b'{"WTH_1977.wtb": {"x": ""}}'):
        (store / "downloads.json").write_bytes(content)
        assert set(outcomes(fetch(server, refresh=True)).values()) == {FileOutcome.DOWNLOADED}


def test_this_year_and_the_last_may_not_be_published_yet(server: FileServer, store: Path) -> None:
    del server.files["WTH_1978.wtb"], server.files["WTH_1979.wtb"]
    report = fetch(server)
    report.raise_failures()
    assert outcome(report, "WTH_1978.wtb") is FileOutcome.NOT_PUBLISHED
    assert outcome(report, "WTH_1979.wtb") is FileOutcome.NOT_PUBLISHED
    assert [path.name for path in wthor_files(store)] == ["WTH_1977.wtb"]


def test_an_older_year_that_is_missing_fails_alone(server: FileServer, store: Path) -> None:
    del server.files["WTH_1977.wtb"]
    report = fetch(server)
    assert [path.name for path in wthor_files(store)] == ["WTH_1978.wtb", "WTH_1979.wtb"]
    with pytest.raises(DownloadError) as caught:
        report.raise_failures()
    assert str(caught.value) == (
        f"1 of 5 files failed: {server.url}WTH_1977.wtb: the server answered 404 Not Found"
    )


def test_missing_names_are_named_as_the_server_calls_them(server: FileServer) -> None:
    del server.files["WTHOR.TRN"]
    assert fetch(server).failed[0].problem == (
        f"{server.url}WTHOR.TRN: the server answered 404 Not Found"
    )


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        (PAGE, "a web page instead of WTH_1977.wtb"),
        (b"", "the file is empty"),
        (wtb(1978, 12), "holds the games of 1978"),
        (wtb(1977, 12)[:-1], "the header says 12 games, the file holds 11 and 67 bytes"),
    ],
)
def test_something_else_than_the_file_is_refused(
    server: FileServer, store: Path, page: bytes, problem: str
) -> None:
    server.will("WTH_1977.wtb", Fault(page=page))
    report = fetch(server)
    assert [file.problem for file in report.failed] == [f"{server.url}WTH_1977.wtb: {problem}"]
    assert not list(store.glob("WTH_1977*"))
    assert report.count(FileOutcome.DOWNLOADED) == 4
    assert outcome(fetch(server), "WTH_1977.wtb") is FileOutcome.DOWNLOADED


def test_a_refused_refresh_leaves_the_old_file(server: FileServer, store: Path) -> None:
    fetch(server)
    server.will("WTH_1977.wtb", Fault(page=PAGE))
    assert outcome(fetch(server, refresh=True), "WTH_1977.wtb") is FileOutcome.FAILED
    assert (store / "WTH_1977.wtb").read_bytes() == server.files["WTH_1977.wtb"]


def test_many_failures_are_one_line(server: FileServer) -> None:
    for name in server.files:
        server.will(name, Fault(status=403))
    with pytest.raises(DownloadError, match=r"^5 of 5 files failed: .* Forbidden; and 2 more$"):
        fetch(server).raise_failures()


def test_a_file_in_another_case_is_the_same_file(server: FileServer, store: Path) -> None:
    store.mkdir(parents=True)
    (store / "wth_1977.WTB").write_bytes(wtb(1977, 12))
    assert outcome(fetch(server), "WTH_1977.wtb") is FileOutcome.ALREADY_THERE
    assert wthor_files(store)[0].name == "WTH_1977.wtb"


def test_the_address_comes_from_the_environment(
    server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTFLANK_WTHOR_URL", server.url.rstrip("/"))
    fetch_wthor(patience=HASTY, today=TODAY).raise_failures()


@pytest.mark.parametrize(
    "address", ["abc", "ftp://host/", "http://", "http://a..b/", "http://h:x/", "http://h/?q=1"]
)
def test_an_address_that_is_none_is_named(address: str, store: Path) -> None:
    with pytest.raises(DataError, match="is not the address of a folder; one is https://"):
        fetch_wthor(base_url=address)
    assert not store.exists()


@pytest.mark.parametrize("years", [range(1950, 1961), range(1978, 1981), range(1979, 1979)])
def test_years_that_no_server_has_are_refused(server: FileServer, years: range) -> None:
    with pytest.raises(DataError, match="the server may have 1977-1979"):
        fetch(server, years=years)
    assert server.answers == []


def test_a_folder_that_cannot_be_made_is_a_file_error(server: FileServer, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="cannot make the folder: Not a directory"):
        fetch_wthor(base_url=server.url, into=tmp_path / "file" / "wthor")


def source_folder(folder: Path) -> Path:
    folder.mkdir()
    for name, content in {
        "wthor.jou": jou(),
        "WTH.TRN": trn(),
        "wth_1977.WTB": wtb(1977, 12),
        "WTH_1978.wtb": wtb(1978, 8),
        "notes.txt": b"",
    }.items():
        (folder / name).write_bytes(content)
    return folder


def test_files_are_taken_from_a_folder_under_their_usual_names(store: Path, tmp_path: Path) -> None:
    source = source_folder(tmp_path / "source")
    heard = Heard()
    report = take_wthor(source, progress=heard)
    report.raise_failures()
    names = ["WTH.JOU", "WTH.TRN", "WTH_1977.wtb", "WTH_1978.wtb"]
    assert outcomes(report) == dict.fromkeys(names, FileOutcome.COPIED)
    assert sorted(path.name for path in store.iterdir()) == names == heard.names
    assert (store / "WTH.JOU").read_bytes() == jou()
    assert set(outcomes(take_wthor(source)).values()) == {FileOutcome.ALREADY_THERE}
    assert set(outcomes(take_wthor(store)).values()) == {FileOutcome.ALREADY_THERE}


def test_only_the_years_asked_for_are_taken(store: Path, tmp_path: Path) -> None:
    take_wthor(source_folder(tmp_path / "source"), years=range(1978, 1979))
    assert [path.name for path in wthor_files(store)] == ["WTH_1978.wtb"]


def test_a_wrong_file_is_not_taken_and_harms_no_other(store: Path, tmp_path: Path) -> None:
    source = source_folder(tmp_path / "source")
    (source / "wth_1977.WTB").write_bytes(PAGE)
    report = take_wthor(source)
    assert [file.name for file in report.failed] == ["WTH_1977.wtb"]
    assert str(report.failed[0].problem).startswith(f"{source / 'wth_1977.WTB'}: ")
    assert report.count(FileOutcome.COPIED) == 3
    assert not (store / "WTH_1977.wtb").exists()


def test_a_wrong_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        take_wthor(tmp_path / "none")
    with pytest.raises(DataError, match=r"no WTH_\*\.wtb files"):
        take_wthor(tmp_path)


def test_what_was_taken_replaces_what_was_fetched(
    server: FileServer, store: Path, tmp_path: Path
) -> None:
    fetch(server)
    take_wthor(source_folder(tmp_path / "source"))
    assert (store / "WTH_1978.wtb").read_bytes() == wtb(1978, 8)
    assert outcome(fetch(server, refresh=True), "WTH_1978.wtb") is FileOutcome.DOWNLOADED


def test_the_real_database_can_be_taken(store: Path, wthor_data: Path) -> None:
    report = take_wthor(wthor_data)
    assert report.count(FileOutcome.COPIED) == 46
    assert [path.name for path in wthor_files(store)] == [p.name for p in wthor_files(wthor_data)]
