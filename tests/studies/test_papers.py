"""The papers' figures in the data file are those that the papers print."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from outflank import studies
from outflank.studies.papers import printed_columns, printed_rows, said

FILE = Path(studies.__file__).parent / "papers.json"
FIGURES = json.loads(FILE.read_text())
# Names in the data file, by what the paper's tables call them.
NAMES = {
    "Conv8 (baseline)": "conv8",
    "Conv8+BN (baseline)": "conv8-bn",
    "DenseNet-sym-100": "densenet-100",
    "WideNet": "widenet-40-4",
}
TABLES = {"II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}


def rows_of(text: str, table: str) -> dict[str, list[float]]:
    """The rows of a table in the text of a paper: a name and numbers, with tabs between them."""
    _, _, behind = text.partition(f"\nTable {table}: ")
    found: dict[str, list[float]] = {}
    for line in behind.splitlines():
        name, *cells = re.sub(r"</?(b|i)>", "", line).split("\t")
        if cells and all(re.fullmatch(r"\d+(\.\d+)?", cell) for cell in cells):
            plain = name.lower().replace("+bn", "-bn").replace("+dropout", "-dropout")
            found[NAMES.get(name, plain)] = [float(cell) for cell in cells]
        elif found:
            break
    return found


def test_a_table_in_the_text_of_a_paper() -> None:
    text = "\nTable II: Of two.\n\nNet\t<i>A</i>\nConv8+BN\t1.5\t<b>2</b>\nWideNet\t3\t4\n\nx\n"
    assert rows_of(text, "II") == {"conv8-bn": [1.5, 2.0], "widenet-40-4": [3.0, 4.0]}
    assert rows_of(text, "III") == {}


@pytest.mark.parametrize("table", TABLES)
def test_tables_are_those_of_the_paper(table: str, papers_data: Path) -> None:
    text = (papers_data / "1-liskowski-imitation.txt").read_text()
    typed = printed_rows(1, f"table-{TABLES[table]}")
    assert rows_of(text, table) == {name: list(figures) for name, figures in typed.items()}


@pytest.mark.parametrize(
    ("paper", "file", "words"),
    [
        (1, "1-liskowski-imitation.txt", {
            "games": "records of 119,339 games",
            "learning rate": "learning rate is initially set to 0.1",
            "momentum": "stochastic gradient descent with 0.95 momentum",
            "hours of Conv8 on Unique-S": "nearly 62 hours for Conv8 trained on *Unique-S*",
            "least accuracy of Figure 4": "range of prediction accuracy (57-64 percent)",
            "greatest accuracy of Figure 4": "57-64 percent",
            "accuracy from which winning rates do not rise": "63 percent is approximately",
            "how many times longer a single board takes, at least": "on average 5-20 times more",
            "how many times longer a single board takes, at most": "5-20 times more",
            "training accuracy less test accuracy, at most": "typically within one percent point",
            "accuracy of preference learning": "reportedly obtaining 53.0% classification accuracy",
            "winning rate of Conv8+BN against RL14": "wins against it in 93.9% of games",
        }),
    ],
)  # fmt: skip
def test_what_the_text_says(
    paper: int, file: str, words: dict[str, str], papers_data: Path
) -> None:
    text = (papers_data / file).read_text()
    assert set(words) == set(printed_rows(paper, "text"))
    for what, quoted in words.items():
        assert quoted in text
        figure = f"{said(paper, what):g}"
        numbers = quoted.replace(",", "").replace("one", "1").replace("53.0", "53")
        assert figure in numbers, what


def test_the_line_of_figure_4(papers_data: Path) -> None:
    text = (papers_data / "1-liskowski-imitation.txt").read_text()
    assert "brings 1.7 percent points of the winning rate" in text
    assert "and 3.4 percent points against Edax-1" in text
    assert "$r^2 = 0.997$ and $r^2 = 0.999$" in " ".join(text.split())
    assert printed_rows(1, "figure-4") == {"league": (1.7, 0.997), "engine": (3.4, 0.999)}


def test_figures_of_paper_4(papers_data: Path) -> None:
    text = " ".join((papers_data / "4-chong-coevolution.txt").read_text().split())
    assert "starting from approximately 20% win-rate to a 70% win-rate" in text
    assert "slightly losing out at around four pieces" in text
    assert printed_rows(4, "figure-3") == {"discs-4": (20, 70)}
    assert printed_rows(4, "section-4a") == {"late parents against Iago": (-4,)}


def test_every_row_has_all_columns() -> None:
    for paper, tables in FIGURES.items():
        for table in tables:
            if table != "paper":
                columns = printed_columns(int(paper), table)
                rows = printed_rows(int(paper), table)
                assert {len(figures) for figures in rows.values()} == {len(columns)}
