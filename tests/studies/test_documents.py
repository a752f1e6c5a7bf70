"""Figures in documents are those of the shipped results."""

from __future__ import annotations

from pathlib import Path

import pytest

from outflank.errors import DataError
from outflank.studies import Claim, Result, find_result
from outflank.studies.documents import main, with_figures

DOCS = sorted((Path(__file__).resolve().parents[2] / "docs").glob("*.md"))


def shipped(name: str) -> Result:
    path = find_result(Path("away"), name, "laptop")
    assert path is not None
    return Result.load(path)


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.stem)
def test_a_document_says_what_the_results_say(path: Path) -> None:
    """If not: make figures-in-docs."""
    text = path.read_text()
    assert with_figures(text) == text


def test_the_documents_of_papers_1_and_4_have_figures() -> None:
    marked = {path.stem: path.read_text().count("<!-- = ") for path in DOCS}
    assert marked["imitation"] > 10
    assert marked["coevolution"] > 10


def figure(source: str, old: str = "17") -> str:
    text = with_figures(f"About <!-- = {source} -->{old}<!-- / -->%.")
    return text.partition("-->")[2].partition("<!--")[0]


def test_figures_of_rows_intervals_facts_and_notes() -> None:
    (row,) = [one for one in shipped("imitation-table-7").rows if one.label == "imitation-0ply"]
    low, high = row.intervals["average-white"]
    place = "imitation-table-7 | imitation-0ply"
    assert figure(f"{place} | average-white") == f"{row.values['average-white']:.1f}"
    assert figure(f"{place} | average-white | 3") == f"{row.values['average-white']:.3f}"
    assert figure(f"{place} | average-white.low") == f"{low:.1f}"
    assert figure(f"{place} | average-white.high") == f"{high:.1f}"
    assert figure(f"{place} | facts.from_fifth_move | 2") == f"{row.facts['from_fifth_move']:.2f}"
    assert figure(r"imitation-table-2 ~ Original (\d+)%") == "31"
    assert figure("coevolution-figure-6 | paper | iago-master.low | 1") == "0.0"


def test_no_figure_is_minus_nothing() -> None:
    place = "coevolution-heredity | first networks, steps of 0.05 | selection.low"
    assert figure(f"{place} | 4") == "-0.0015"
    assert figure(place) == "0.00"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("imitation-table-99 | a | b", "imitation-table-99: no result is shipped"),
        ("imitation-table-7 | nobody | accuracy", "no row 'nobody'"),
        ("imitation-table-7 ~ nothing of the kind (x)", "no note has"),
    ],
)
def test_figures_that_are_not_there(source: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        figure(source)


def test_tables_of_claims_and_rows() -> None:
    text = with_figures("<!-- claims of coevolution-figure-4 -->\nold\n<!-- end -->\n")
    head, rule, *lines, end = text.splitlines()[1:]
    claims = shipped("coevolution-figure-4").claims
    assert (head, rule, end) == (
        "| | the paper says | here |",
        "| --- | --- | --- |",
        "<!-- end -->",
    )
    words = {Claim.HOLDS: "Holds", Claim.FAILS: "Does not hold", Claim.OPEN: "Inconclusive"}
    assert lines == [
        f"| Figure 4 | {one.text} | {words[one.verdict]}. {one.reason} |" for one in claims
    ]
    text = with_figures("<!-- rows of coevolution-beyond: fair, discs-4 -->\n<!-- end -->\n")
    head, rule, first, *_ = text.splitlines()[1:]
    assert head == "| | fair match against discs at depth 4 | beat discs at depth 4 |"
    assert rule == "| --- | --: | --: |"
    assert first == "| paper | 36.8 (27.0 to 46.5) | 17.2 (15.9 to 18.4) |"


def test_claims_of_several_studies_follow_each_other() -> None:
    names = ("coevolution-section", "coevolution-figure-4")
    text = with_figures(f"<!-- claims of {', '.join(names)} -->\n<!-- end -->\n")
    studies = [line.split("|")[1].strip() for line in text.splitlines()[3:-1]]
    claims = [len(shipped(name).claims) for name in ("coevolution-figure-4", names[0] + "-4a")]
    assert studies == ["Figure 4"] * claims[0] + ["Section IV-A"] * claims[1]


def test_a_pattern_leaves_some_claims_and_rows() -> None:
    text = with_figures("<!-- claims of coevolution-figure-3 ~ Iago's -->\n<!-- end -->\n")
    (line,) = text.splitlines()[3:-1]
    assert line.startswith("| Figure 3 | those that beat Iago's positions at depth 4 rise too |")
    text = with_figures("<!-- rows of coevolution-beyond ~ strategy: fair -->\n<!-- end -->\n")
    labels = [line.split("|")[1].strip() for line in text.splitlines()[3:-1]]
    assert labels == ["strategy", "symmetric-strategy"]


def test_the_papers_figures_stand_beside_ours() -> None:
    table = shipped("selfplay-table-1")
    text = with_figures("<!-- rows of selfplay-table-1: paper.black, black -->\n<!-- end -->")
    head, _, *lines, _ = text.splitlines()[1:]
    title = next(column.title for column in table.columns if column.name == "black")
    assert head == f"| | {title}, the paper | {title} |"
    assert [line.split("|")[2].strip() for line in lines] == [
        f"{row.paper['black']:.1f}" for row in table.rows
    ]
    with pytest.raises(DataError, match=r"no column 'paper\.nothing'"):
        with_figures("<!-- rows of selfplay-table-1: paper.nothing -->\n<!-- end -->")


def test_a_number_that_was_changed_by_hand_is_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.md"
    path.write_text("<!-- = imitation-table-7 | imitation-0ply | average-white -->99.9<!-- / -->\n")
    assert main(["--check", str(path)]) == 1
    assert "differ" in capsys.readouterr().out
    assert "99.9" in path.read_text()
    assert main([str(path)]) == 0
    assert "95.1" in path.read_text()
    assert main(["--check", str(path)]) == 0
