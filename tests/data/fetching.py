"""How tests fetch: without long pauses, from the test's server, in a year that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from data.file_server import FileServer
from outflank.data import FetchReport, FileOutcome, FileResult, Patience, Progress, fetch_wthor

TODAY = date(1979, 11, 15)  # the server has all years up to now
HASTY = Patience(timeout=10.0, pauses=(0.01, 0.01))  # three attempts


@dataclass
class Heard(Progress):
    """Keeps what it hears; raises KeyboardInterrupt when a file has come as far as `stop_at`."""

    stop_at: dict[str, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    sizes: list[tuple[str, int, int | None]] = field(default_factory=list)
    retries: list[tuple[str, str]] = field(default_factory=list)
    results: list[FileResult] = field(default_factory=list)

    def begin(self, names: Sequence[str]) -> None:
        self.names.extend(names)

    def received(self, name: str, size: int, total: int | None) -> None:
        self.sizes.append((name, size, total))
        if size >= self.stop_at.get(name, size + 1):
            raise KeyboardInterrupt

    def retrying(self, name: str, reason: str, seconds: float) -> None:
        self.retries.append((name, reason))

    def finished(self, result: FileResult) -> None:
        self.results.append(result)


def fetch(
    server: FileServer,
    *,
    years: range | None = None,
    refresh: bool = False,
    progress: Progress | None = None,
    patience: Patience = HASTY,
) -> FetchReport:
    return fetch_wthor(
        base_url=server.url,
        years=years,
        refresh=refresh,
        progress=progress,
        patience=patience,
        today=TODAY,
    )


def outcomes(report: FetchReport) -> dict[str, FileOutcome]:
    return {file.name: file.outcome for file in report.files}


def outcome(report: FetchReport, name: str) -> FileOutcome:
    return outcomes(report)[name]
