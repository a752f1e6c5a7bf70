"""Figures in documents: written from the shipped results, so that no number is copied by hand.

A document marks where figures belong, in comments that readers do not see:

    <!-- = STUDY | ROW | COLUMN -->95.1<!-- / -->      a figure of a row; .low, .high: its interval
    <!-- = STUDY | ROW | facts.a.b | 0 -->632<!-- / -->  a fact of a row; 0: digits after the point
    <!-- = STUDY ~ (\\d+)% -->31<!-- / -->              what a pattern matches in the notes
    <!-- claims of PREFIX, PREFIX --> ... <!-- end --> a table of all claims of some studies
    <!-- rows of STUDY: COLUMN, COLUMN --> ... <!-- end -->   some columns of a result;
                                                       paper.COLUMN: what the paper printed

Behind the studies' name of a table, " ~ PATTERN" leaves only claims or rows whose text has the
pattern: <!-- claims of value-table-1 ~ as in the paper -->.

`python -m outflank.studies.documents docs/*.md` (make figures-in-docs) updates them; with --check
it only lists the documents that differ.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from outflank.errors import DataError
from outflank.files import write_bytes
from outflank.studies.registry import studies
from outflank.studies.result import Claim, Column, Result, Row, result_path

_SCALE = "laptop"
_PAPER = "paper."  # before the name of a column: what the paper printed
_FIGURE = re.compile(r"<!-- = (.+?) -->.*?<!-- / -->", re.DOTALL)
_BLOCK = re.compile(r"<!-- (claims|rows) of (.+?) -->\n.*?<!-- end -->", re.DOTALL)
_WORDS = {Claim.HOLDS: "Holds", Claim.FAILS: "Does not hold", Claim.OPEN: "Inconclusive"}


@cache
def _result(study: str) -> Result:
    path = result_path(Path(__file__).parent, study, _SCALE)
    if not path.is_file():
        raise DataError(f"{study}: no result is shipped")
    return Result.load(path)


def with_figures(text: str) -> str:
    """Return a document with all its figures updated."""
    text = _FIGURE.sub(lambda found: f"<!-- = {found[1]} -->{_figure(found[1])}<!-- / -->", text)
    return _BLOCK.sub(
        lambda found: (
            f"<!-- {found[1]} of {found[2]} -->\n{_TABLES[found[1]](found[2])}<!-- end -->"
        ),
        text,
    )


def _figure(source: str) -> str:
    """Write one figure."""
    if " ~ " in source:
        study, pattern = source.split(" ~ ", 1)
        notes = " ".join(_result(study).notes)
        match = re.search(pattern, notes)
        if match is None:
            raise DataError(f"{study}: no note has {pattern!r}")
        return match[1]
    study, label, name, *digits = (part.strip() for part in source.split("|"))
    result = _result(study)
    row = _row(result, label)
    value = _value(row, name)
    column = next((one for one in result.columns if one.name == name.split(".")[0]), None)
    places = int(digits[0]) if digits else column.digits if column else 1
    return _written(value, places)


def _written(value: float, digits: int) -> str:
    """Write a number; one that rounds to zero has no sign."""
    return f"{round(value, digits) + 0.0:,.{digits}f}"


def _row(result: Result, label: str) -> Row:
    for row in result.rows:
        if row.label == label:
            return row
    raise DataError(f"{result.study}: no row {label!r}")


def _value(row: Row, name: str) -> float:
    """Return a figure of a row, an end of its interval, or a number among its facts."""
    place, _, end = name.partition(".")
    if place == "facts":
        found: Any = row.facts
        for part in end.split("."):
            found = found[part]
        return float(found)
    if end in ("low", "high"):
        return row.intervals[place][end == "high"]
    return row.values[name]


def _chosen(source: str) -> tuple[str, re.Pattern[str]]:
    """Return what stands before " ~ ", and the pattern behind it."""
    name, _, pattern = source.partition(" ~ ")
    return name.strip(), re.compile(pattern.strip())


def _claims(source: str) -> str:
    names, pattern = _chosen(source)
    prefixes = tuple(name.strip() for name in names.split(","))
    lines = ["| | the paper says | here |", "| --- | --- | --- |"]
    for study in studies().values():
        path = result_path(Path(__file__).parent, study.name, _SCALE)
        if not study.name.startswith(prefixes) or not path.is_file():
            continue
        where = study.title.partition(":")[0]
        for claim in _result(study.name).claims:
            if not pattern.search(claim.text):
                continue
            verdict = _WORDS[claim.verdict]
            lines.append(f"| {where} | {claim.text} | {verdict}. {claim.reason} |")
    return "".join(f"{line}\n" for line in lines)


def _rows(source: str) -> str:
    rows, names = source.split(":", 1)
    study, pattern = _chosen(rows)
    result = _result(study)
    known = {column.name: column for column in result.columns}
    chosen = []  # columns, and whether the paper's figures are meant
    for name in map(str.strip, names.split(",")):
        if name.removeprefix(_PAPER) not in known:
            raise DataError(f"{study}: no column {name!r}")
        chosen.append((known[name.removeprefix(_PAPER)], name.startswith(_PAPER)))
    titles = [f"{column.title}{', the paper' * paper}" for column, paper in chosen]
    lines = ["| | " + " | ".join(titles) + " |", "| --- |" + " --: |" * len(chosen)]
    for row in result.rows:
        if pattern.search(row.label) and any(column.name in row.values for column, _ in chosen):
            cells = " | ".join(_cell(row, *one) for one in chosen)
            lines.append(f"| {row.label} | {cells} |")
    return "".join(f"{line}\n" for line in lines)


def _cell(row: Row, column: Column, paper: bool) -> str:
    values = row.paper if paper else row.values
    if column.name not in values:
        return ""
    text = _written(values[column.name], column.digits)
    if column.name in row.intervals and not paper:
        low, high = (_written(end, column.digits) for end in row.intervals[column.name])
        text += f" ({low} to {high})"
    return text


_TABLES: Mapping[str, Callable[[str], str]] = {"claims": _claims, "rows": _rows}


def main(words: list[str]) -> int:
    """Update the figures of some documents; with --check, only list those that differ."""
    check = "--check" in words
    differ = []
    for path in (Path(word) for word in words if word != "--check"):
        text = path.read_text()
        if (anew := with_figures(text)) != text:
            differ.append(path)
            if not check:
                write_bytes(path, anew.encode())
    for path in differ:
        print(f"{path}: figures {'differ from the results' if check else 'updated'}")
    return int(check and bool(differ))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
