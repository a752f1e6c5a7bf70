"""All studies by name, and how one is run."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import platform
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Generic, TypeVar

from outflank import __version__, _core
from outflank.data.league import LEAGUE_FOLDER
from outflank.errors import DataError
from outflank.studies.result import Claim, Findings, Result, find_result, result_path
from outflank.studies.workbench import Workbench

Config = TypeVar("Config")

SCALES = ("smoke", "laptop", "paper")
_PACKAGES = ("numpy", "torch", "onnxruntime")


@dataclass(frozen=True)
class Study(Generic[Config]):
    """A table or figure of a paper as an experiment.

    paper: its number in docs/studies.md, 0 for a study of our own.
    scales: the configuration at each of SCALES, a frozen dataclass; same code, other numbers.
    judge: returns the paper's claims with their verdicts, from nothing but a stored result.
    """

    name: str
    paper: int
    title: str
    scales: Mapping[str, Config]
    find: Callable[[Config, Workbench], Findings]
    judge: Callable[[Result], Sequence[Claim]] | None = None  # by what a result stores

    def judged(self, result: Result) -> Result:
        """Return a result with its claims judged anew, by what it stores."""
        if self.judge is None:
            return result
        return dataclasses.replace(result, claims=tuple(self.judge(result)))

    def run(self, scale: str, bench: Workbench) -> Result:
        """Do what is left to do, write the result into the bench's folder, and return it.

        A study that was interrupted goes on where it was: networks, measurements and games that
        are in the folder are not made again.
        """
        if scale not in self.scales:
            raise DataError(
                f"{self.name}: no such scale: {scale!r}; scales are {', '.join(SCALES)}"
            )
        began = time.monotonic()
        config = self.scales[scale]
        bench.notes.clear()  # those of another study
        bench.sources.clear()
        with bench:
            found = self.find(config, bench)
        fields: Mapping[str, Any] = dataclasses.asdict(config)  # type: ignore[call-overload]
        result = Result(
            self.name,
            self.paper,
            self.title,
            scale,
            fields,
            found.columns,
            found.rows,
            (*found.notes, *bench.notes),
            found.plot,
            f"outflank{_league()} study run {self.name} --scale {scale}{_options(bench)}",
            round(time.monotonic() - began, 1),
            versions(),
            datetime.now(timezone.utc).isoformat(timespec="seconds"),
            found.claims,
            {name: dataclasses.asdict(one) for name, one in found.measured.items()},
            bench.sources.origin(),
        )
        path = result_path(bench.folder, self.name, scale)
        self.judged(result).save(path)
        return Result.load(path)  # as everybody reads it from now on


_STUDIES: dict[str, Study[Any]] = {}


def study(
    name: str,
    *,
    paper: int,
    title: str,
    scales: Mapping[str, Config],
    judge: Callable[[Result], Sequence[Claim]] | None = None,
) -> Callable[[Callable[[Config, Workbench], Findings]], Study[Config]]:
    """Make a function known as a study, under a name."""
    if set(scales) != set(SCALES):
        raise ValueError(f"{name}: has scales {sorted(scales)}; needed are {', '.join(SCALES)}")

    def enter(find: Callable[[Config, Workbench], Findings]) -> Study[Config]:
        entered = Study(name, paper, title, scales, find, judge)
        _STUDIES[name] = entered
        return entered

    return enter


def studies() -> dict[str, Study[Any]]:
    """Return all studies by name."""
    return dict(_STUDIES)


def find_study(name: str) -> Study[Any]:
    """Return the study of a name."""
    if name not in _STUDIES:
        raise DataError(f"no such study: {name!r}; studies are {', '.join(_STUDIES)}")
    return _STUDIES[name]


def versions() -> dict[str, str]:
    """Return what a result was made with."""
    found = {
        "outflank": f"{__version__} ({_core.build()})",
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {_core.available_threads()} cores",
    }
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def _league() -> str:
    """Write the option before the command that says where the league's players are."""
    folder = os.environ.get(LEAGUE_FOLDER, "")
    return f" --league {shlex.quote(os.path.relpath(folder))}" if folder else ""


def _options(bench: Workbench) -> str:
    """Write the options of a bench as the command takes them."""
    given = {"--out": bench.folder, "--wthor": bench.wthor, "--years": bench.years}
    given["--openings"] = bench.openings_source
    words = [word for key, value in given.items() if value for word in (key, str(value))]
    return "".join(f" {shlex.quote(word)}" for word in words)


@dataclass(frozen=True)
class StudyRow:
    """A study as lists show it: results has the scales at which there is one."""

    name: str
    paper: int
    title: str
    results: list[str]


def study_rows(folder: Path) -> list[StudyRow]:
    """List all studies, with the scales at which a folder has results or some are shipped."""
    return [
        StudyRow(
            one.name,
            one.paper,
            one.title,
            [scale for scale in SCALES if find_result(folder, one.name, scale)],
        )
        for one in studies().values()
    ]


@dataclass(frozen=True)
class ChangedVerdict:
    """A changed verdict; `before` is empty for a new claim, `after` for one that is gone."""

    study: str
    scale: str
    text: str
    before: str
    after: str


def rejudge(study: Study[Any], folder: Path) -> list[ChangedVerdict]:
    """Judge the claims of a study's stored results again; store and return what changed."""
    changed = []
    for scale in SCALES:
        path = result_path(folder, study.name, scale)
        if not path.is_file():
            continue
        result = Result.load(path)
        judged = study.judged(result)
        if judged.claims != result.claims:
            judged.save(path)
        before, after = (_verdicts(one.claims) for one in (result, judged))
        changed += [
            ChangedVerdict(study.name, scale, text, before.get(key, ""), after.get(key, ""))
            for key in dict.fromkeys((*before, *after))
            if before.get(key) != after.get(key) and (text := key[0])
        ]
    return changed


def _verdicts(claims: Sequence[Claim]) -> dict[tuple[str, int], str]:
    """Return verdicts by the claim's text and its number among claims of the same text."""
    found: dict[tuple[str, int], str] = {}
    for claim in claims:
        number = sum(text == claim.text for text, _ in found)
        found[claim.text, number] = claim.verdict
    return found
