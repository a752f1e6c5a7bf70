"""What a study found: a table with the paper's own figures beside ours, as JSON in a file."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from outflank.errors import DataError, FileError
from outflank.files import read_bytes, write_bytes
from outflank.studies.estimate import Estimate

FORMAT = 1
_RESULTS = "results"  # a folder of the user's studies; beside this file, of those shipped


@dataclass(frozen=True)
class Column:
    """A column of a table: its name in rows, its title, and how its numbers are written."""

    name: str
    title: str
    unit: str = "%"
    digits: int = 1


@dataclass(frozen=True)
class Row:
    """A row of a table: our figures and the paper's, by column; what has none is left out."""

    label: str
    values: Mapping[str, float] = field(default_factory=dict)
    paper: Mapping[str, float] = field(default_factory=dict)
    intervals: Mapping[str, Sequence[float]] = field(default_factory=dict)  # 95%, of ours
    counts: Mapping[str, int] = field(default_factory=dict)  # examples or games that ours are of
    facts: Mapping[str, Any] = field(default_factory=dict)  # how the row came about

    @classmethod
    def of(
        cls,
        label: str,
        figures: Mapping[str, Estimate | float | None],
        paper: Mapping[str, float] | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> Row:
        """Make a row of figures with and without intervals; those that are None are left out."""
        estimates = {name: one for name, one in figures.items() if isinstance(one, Estimate)}
        plain = {name: one for name, one in figures.items() if isinstance(one, float)}
        return cls(
            label,
            {**{name: one.value for name, one in estimates.items()}, **plain},
            paper or {},
            {name: [one.low, one.high] for name, one in estimates.items()},
            {name: one.count for name, one in estimates.items()},
            facts or {},
        )

    def estimate(self, column: str) -> Estimate | None:
        """Return a figure of ours with its interval, or None if there is none."""
        if column not in self.intervals:
            return None
        low, high = self.intervals[column]
        return Estimate(self.values[column], low, high, self.counts[column])


@dataclass(frozen=True)
class Plot:
    """What is drawn: the kind (see drawing.py) and its data, anything that JSON has."""

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, and whether it holds in our results."""

    text: str
    verdict: str  # HOLDS, FAILS or OPEN
    reason: str

    HOLDS: ClassVar[str] = "holds"
    FAILS: ClassVar[str] = "does not hold"
    OPEN: ClassVar[str] = "cannot be told"  # as stored results have it; readers see "inconclusive"

    @property
    def headline(self) -> str:
        """The verdict as readers see it."""
        return "Inconclusive here" if self.verdict == self.OPEN else f"Here it {self.verdict}"

    @classmethod
    def judge(
        cls,
        text: str,
        what: str,
        found: Estimate,
        *,
        least: float | None = None,
        most: float | None = None,
        above: float | None = None,
        below: float | None = None,
        within: float | None = None,
        digits: int = 1,
    ) -> Claim:
        """Judge whether a figure is at least, at most, above, below or within a bound.

        The result is inconclusive while the figure's 95% interval includes the bound.

        Args:
            text: The claim.
            what: Name of the figure.
            found: The figure with its interval.
            least: Lower bound, included. Exactly one of the five bounds is given.
            most: Upper bound, included.
            above: Lower bound, excluded.
            below: Upper bound, excluded.
            within: Greatest distance from zero, on either side.
            digits: Of the figure in the reason.
        """
        low, high = found.low, found.high
        if least is not None:
            wanted, holds, fails = f"at least {least:g}", low >= least, high < least
        elif most is not None:
            wanted, holds, fails = f"at most {most:g}", high <= most, low > most
        elif above is not None:
            wanted, holds, fails = f"more than {above:g}", low > above, high <= above
        elif below is not None:
            wanted, holds, fails = f"less than {below:g}", high < below, low >= below
        elif within is not None:
            wanted = f"between {-within:g} and {within:g}"
            holds, fails = -within <= low and high <= within, low > within or high < -within
        else:
            raise ValueError("a claim without a bound")
        value, least_of_it, most_of_it = (
            f"{round(one, digits) + 0.0:.{digits}f}" for one in (found.value, low, high)
        )  # what rounds to zero has no sign
        reason = (
            f"{what}: {value} (95%: {least_of_it} to {most_of_it}); it would have to be {wanted}"
        )
        return cls(text, cls.HOLDS if holds else cls.FAILS if fails else cls.OPEN, reason)


@dataclass(frozen=True)
class Findings:
    """What the function of a study returns."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    plot: Plot | None = None
    claims: tuple[Claim, ...] = ()  # of a study that does not judge stored results
    measured: Mapping[str, Estimate] = field(default_factory=dict)  # what claims are about, beside


@dataclass(frozen=True)
class Origin:
    """What a result was made of; what is not known is empty."""

    commit: str = ""  # of the source, with a + behind it if that was changed
    version: str = ""  # of the package
    wthor: str = ""  # SHA-256 of the games' files, one after the other
    openings: str = ""  # the same of the openings' file
    models: Mapping[str, str] = field(default_factory=dict)  # fingerprints of networks, by name
    seeds: Sequence[int] = ()  # of all trainings


@dataclass(frozen=True)
class Result:
    """What a study found, and all that one must know to find it again."""

    study: str
    paper: int
    title: str
    scale: str
    config: Mapping[str, Any]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]  # what is left out, and what a reader should know
    plot: Plot | None
    command: str
    seconds: float  # of this time; what was there already took its time before
    versions: Mapping[str, str]
    made: str  # date and time
    claims: tuple[Claim, ...] = ()
    measured: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # see Findings
    origin: Origin = field(default_factory=Origin)
    format: int = FORMAT

    @property
    def estimates(self) -> dict[str, Estimate]:
        """What was measured for the claims beside the rows, by name."""
        return {
            name: Estimate(one["value"], one["low"], one["high"], int(one["count"]))
            for name, one in self.measured.items()
        }

    def plot_data(self, name: str) -> Mapping[str, Any]:
        """Return a part of the plot's data; empty where nothing is drawn."""
        found: Mapping[str, Any] = {} if self.plot is None else self.plot.data.get(name, {})
        return found

    def to_json(self) -> dict[str, Any]:
        """Return all as JSON has it."""
        content: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        return content

    def save(self, path: Path) -> None:
        """Write it, whole or not at all."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(path.parent, "make the folder", error) from error
        write_bytes(path, json.dumps(self.to_json(), indent=1, ensure_ascii=False).encode() + b"\n")

    @classmethod
    def load(cls, path: Path) -> Result:
        """Read what save wrote."""
        try:
            content = json.loads(read_bytes(path))
            if content["format"] != FORMAT:
                raise DataError(f"{path}: of format {content['format']}, only {FORMAT} is accepted")
            plot = content.pop("plot")
            columns = tuple(Column(**column) for column in content.pop("columns"))
            rows = tuple(Row(**row) for row in content.pop("rows"))
            notes = tuple(content.pop("notes"))
            claims = tuple(Claim(**claim) for claim in content.pop("claims", ()))
            origin = Origin(**content.pop("origin", {}))
            return cls(
                **content,
                columns=columns,
                rows=rows,
                notes=notes,
                plot=plot and Plot(**plot),
                claims=claims,
                origin=origin,
            )
        except (ValueError, TypeError, KeyError, AttributeError):
            raise DataError(f"{path}: not the result of a study, or damaged") from None


def result_path(folder: Path, study: str, scale: str) -> Path:
    """Return where the result of a study is kept in the studies' folder."""
    return folder / _RESULTS / f"{study}-{scale}.json"


def find_result(folder: Path, study: str, scale: str) -> Path | None:
    """Return the file of a study's result: the user's own, or that of ours which is shipped."""
    for place in (folder, Path(__file__).parent):
        path = result_path(place, study, scale)
        if path.is_file():
            return path
    return None
