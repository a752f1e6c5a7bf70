"""Downloads that are interrupted, cut, delayed or refused."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from data.fetching import HASTY, TODAY, Heard, fetch, outcome, outcomes
from data.file_server import Fault, FileServer
from data.wthor_bytes import wtb
from outflank.data import FileOutcome, Patience, fetch_wthor
from outflank.data.ledger import one_at_a_time
from outflank.errors import DownloadError

BIG = "WTH_1978.wtb"
SIZE = 612_016


def interrupt(server: FileServer, refresh: bool = False) -> int:
    """Fetch until half of the big file is there; return its bytes so far."""
    with pytest.raises(KeyboardInterrupt):
        fetch(server, refresh=refresh, progress=Heard(stop_at={BIG: SIZE // 2}))
    server.forget()
    return SIZE // 2


def part(store: Path) -> Path:
    return store / f"{BIG}.part"


def test_an_interrupted_download_goes_on_with_the_rest(server: FileServer, store: Path) -> None:
    interrupt(server)
    here = part(store).stat().st_size
    assert SIZE // 2 <= here < SIZE
    assert not (store / BIG).exists()

    heard = Heard()
    report = fetch(server, progress=heard)
    assert outcome(report, BIG) is FileOutcome.RESUMED
    assert server.statuses(BIG) == [206]
    assert server.sent(BIG) == [SIZE - here]
    assert (store / BIG).read_bytes() == server.files[BIG]
    assert not part(store).exists()
    big = [(size, total) for name, size, total in heard.sizes if name == BIG]
    assert big[0][0] > here
    assert big[-1] == (SIZE, SIZE)


def test_without_etag_the_date_guards_the_rest(server: FileServer, store: Path) -> None:
    server.tags = False
    interrupt(server)
    assert outcome(fetch(server), BIG) is FileOutcome.RESUMED
    assert server.answers[-2].asked["if-range"] == server.modified
    assert (store / BIG).read_bytes() == server.files[BIG]


def test_without_etag_and_date_a_download_starts_again(server: FileServer) -> None:
    server.tags = server.dates = False
    interrupt(server)
    assert outcome(fetch(server), BIG) is FileOutcome.DOWNLOADED
    assert server.sent(BIG) == [SIZE]


@pytest.mark.parametrize("obeys_if_range", [True, False])
def test_a_file_that_has_changed_starts_again(
    server: FileServer, store: Path, obeys_if_range: bool
) -> None:
    interrupt(server)
    server.files[BIG] = wtb(1978, 9000, filler=1)
    server.conditions = obeys_if_range
    assert outcome(fetch(server), BIG) is FileOutcome.DOWNLOADED
    assert (store / BIG).read_bytes() == server.files[BIG]
    assert server.sent(BIG)[-1] == SIZE


def test_a_server_without_ranges_starts_again(server: FileServer, store: Path) -> None:
    interrupt(server)
    server.ranges = False
    assert outcome(fetch(server), BIG) is FileOutcome.DOWNLOADED
    assert (store / BIG).read_bytes() == server.files[BIG]


def test_a_part_that_is_already_whole_starts_again(server: FileServer, store: Path) -> None:
    interrupt(server)
    part(store).write_bytes(server.files[BIG])
    assert outcome(fetch(server), BIG) is FileOutcome.DOWNLOADED
    assert server.statuses(BIG) == [416, 200]
    assert (store / BIG).read_bytes() == server.files[BIG]


def test_a_part_that_was_damaged_starts_again(server: FileServer, store: Path) -> None:
    here = interrupt(server)
    part(store).write_bytes(bytes(here))
    assert outcome(fetch(server), BIG) is FileOutcome.DOWNLOADED
    assert server.statuses(BIG) == [206, 200]
    assert (store / BIG).read_bytes() == server.files[BIG]


def test_a_part_from_another_address_is_not_continued(server: FileServer, store: Path) -> None:
    interrupt(server)
    server.url = server.url.replace("127.0.0.1", "localhost")
    assert outcome(fetch(server), BIG) is FileOutcome.DOWNLOADED
    assert (store / BIG).read_bytes() == server.files[BIG]


def test_an_interrupted_refresh_keeps_the_old_file_until_the_new_one_is_whole(
    server: FileServer, store: Path
) -> None:
    fetch(server)
    old, new = server.files[BIG], wtb(1978, 9000, filler=1)
    server.files[BIG] = new
    interrupt(server, refresh=True)
    assert (store / BIG).read_bytes() == old
    assert outcome(fetch(server), BIG) is FileOutcome.RESUMED
    assert (store / BIG).read_bytes() == new


def test_a_cut_connection_is_continued_at_once(server: FileServer, store: Path) -> None:
    server.will(BIG, Fault(cut_after=100_000), Fault(cut_after=200_000))
    heard = Heard()
    report = fetch(server, progress=heard)
    assert outcome(report, BIG) is FileOutcome.RESUMED
    assert heard.retries == [(BIG, "the connection was cut")] * 2
    assert server.sent(BIG) == [100_000, 200_000, 312_016]
    assert (store / BIG).read_bytes() == server.files[BIG]
    assert report.files[3].received == SIZE


def test_a_connection_that_is_always_cut_fails_and_keeps_its_part(
    server: FileServer, store: Path
) -> None:
    server.will(BIG, *[Fault(cut_after=10_000)] * 3)
    report = fetch(server)
    assert [file.problem for file in report.failed] == [
        f"{server.url}{BIG}: the connection was cut"
    ]
    assert part(store).stat().st_size == 30_000
    assert outcome(report, "WTH_1979.wtb") is FileOutcome.DOWNLOADED
    assert outcome(fetch(server), BIG) is FileOutcome.RESUMED


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_in_trouble_is_asked_again(server: FileServer, status: int) -> None:
    server.will(BIG, Fault(status=status))
    heard = Heard()
    fetch(server, progress=heard).raise_failures()
    assert server.statuses(BIG) == [status, 200]
    assert heard.retries[0][1].startswith(f"the server answered {status} ")


def test_a_server_that_stays_in_trouble_is_given_up(server: FileServer) -> None:
    server.will(BIG, *[Fault(status=500)] * 3)
    report = fetch(server)
    assert server.statuses(BIG) == [500] * 3
    assert [file.problem for file in report.failed] == [
        f"{server.url}{BIG}: the server answered 500 Internal Server Error"
    ]


def test_a_slow_answer_is_asked_for_again(server: FileServer) -> None:
    server.will("WTH_1977.wtb", Fault(pause=1.5))
    heard = Heard()
    fetch(server, progress=heard, patience=Patience(1.0, pauses=(0.01, 0.01))).raise_failures()
    assert ("WTH_1977.wtb", "no answer within 1 s") in heard.retries


def test_bytes_in_an_unknown_encoding_are_not_continued(server: FileServer, store: Path) -> None:
    server.will(BIG, Fault(compress=True, cut_after=100_000))
    assert outcome(fetch(server), BIG) is FileOutcome.DOWNLOADED
    assert server.statuses(BIG) == [200, 200]
    assert (store / BIG).read_bytes() == server.files[BIG]


def test_a_file_without_end_is_refused(
    server: FileServer, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outflank.data.download.LARGEST", 300_000)
    report = fetch(server)
    assert [file.name for file in report.failed] == [BIG]
    assert "larger than" in str(report.failed[0].problem)
    assert not part(store).exists()


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_host_that_cannot_be_reached_is_tried_for_one_file_only() -> None:
    port = unused_port()
    heard = Heard()
    report = fetch_wthor(
        base_url=f"http://127.0.0.1:{port}/", progress=heard, patience=HASTY, today=TODAY
    )
    assert [name for name, _ in heard.retries] == ["WTH.JOU"] * 2
    with pytest.raises(DownloadError) as caught:
        report.raise_failures()
    assert str(caught.value) == (
        f"5 of 5 files failed: 127.0.0.1:{port}: the host refuses connections"
    )


def test_what_is_there_does_not_fail_with_the_host(server: FileServer) -> None:
    fetch(server, years=range(1977, 1978))
    server.url = f"http://127.0.0.1:{unused_port()}/"
    report = fetch(server)
    assert outcome(report, "WTH_1977.wtb") is FileOutcome.ALREADY_THERE
    assert report.count(FileOutcome.FAILED) == 4


def test_an_unknown_host_is_named() -> None:
    report = fetch_wthor(base_url="http://nowhere.invalid/", patience=HASTY, today=TODAY)
    assert str(report.failed[0].problem).startswith("nowhere.invalid: host not found: ")


def test_a_host_that_does_not_speak_tls_is_named(server: FileServer) -> None:
    server.url = server.url.replace("http:", "https:")
    heard = Heard()
    report = fetch(server, progress=heard)
    assert "no secure connection: " in str(report.failed[0].problem)
    assert heard.retries == []


def test_a_certificate_that_is_not_trusted_is_named(tmp_path: Path) -> None:
    if not shutil.which("openssl"):
        pytest.skip("needs openssl to make a certificate")
    files = ["-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "certificate")]
    subject = ["-nodes", "-subj", "/CN=localhost", "-newkey", "ec", "-pkeyopt"]
    command = ["openssl", "req", "-x509", *subject, "ec_paramgen_curve:prime256v1", *files]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse() -> None:
            connection, _ = listener.accept()
            with connection, pytest.raises(ssl.SSLError):
                context.wrap_socket(connection, server_side=True)

        thread = threading.Thread(target=refuse)
        thread.start()
        address = f"https://127.0.0.1:{listener.getsockname()[1]}/"
        report = fetch_wthor(base_url=address, patience=HASTY, today=TODAY)
        thread.join()
    assert "its certificate is not trusted: self" in str(report.failed[0].problem)


@pytest.mark.parametrize(
    ("name", "value"), [("HTTP_PROXY", "gopher://proxy"), ("SSL_CERT_FILE", "/none/at/all")]
)
def test_wrong_network_settings_are_named(
    server: FileServer, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(DownloadError, match="the proxy or certificates that are set: "):
        fetch(server)


def test_two_fetches_do_not_write_into_one_folder(server: FileServer, store: Path) -> None:
    fetch(server)
    with one_at_a_time(store), pytest.raises(DownloadError, match="another fetch is at work"):
        fetch(server)
    assert FileOutcome.FAILED not in outcomes(fetch(server)).values()


IN_ANOTHER_PROCESS = """
import os, resource, signal, sys
from datetime import date
from outflank.data import Progress, fetch_wthor
from outflank.errors import FileError

class Killed(Progress):
    def received(self, name, size, total):
        if size >= 300_000:
            os.kill(os.getpid(), signal.SIGKILL)

progress = Progress()
if sys.argv[2] == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
else:
    progress = Killed()
try:
    fetch_wthor(base_url=sys.argv[1], progress=progress, today=date(1979, 11, 15))
except FileError as error:
    sys.exit(f"FileError: {error}")
"""


def run(server: FileServer, how: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", IN_ANOTHER_PROCESS, server.url, how],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_killed_fetch_goes_on_with_the_rest(server: FileServer, store: Path) -> None:
    assert run(server, "killed").returncode == -signal.SIGKILL
    here = part(store).stat().st_size
    assert 300_000 <= here < SIZE
    server.forget()
    assert outcome(fetch(server), BIG) is FileOutcome.RESUMED
    assert server.sent(BIG) == [SIZE - here]
    assert (store / BIG).read_bytes() == server.files[BIG]


def test_a_full_disk_is_a_file_error_and_keeps_what_there_was_room_for(
    server: FileServer, store: Path
) -> None:
    done = run(server, "full")
    assert done.stderr.strip() == f"FileError: {part(store)}: cannot write: File too large"
    assert done.returncode == 1
    assert part(store).stat().st_size <= 300_000
    assert outcome(fetch(server), BIG) is FileOutcome.RESUMED
    assert (store / BIG).read_bytes() == server.files[BIG]
