"""`outflank sprt`: the verdict, the log, and what is refused."""

from __future__ import annotations

from pathlib import Path

from cli.conftest import Run


def test_a_test_is_played_and_logged(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "tests.md"
    words = ("sprt", "greedy", "random", "--upper", 100, "--games", 200, "--batch", 40)
    found = run(*words, "--log", log, "--change", "taking discs", "--workers", 1, "--json")
    assert found.code == 0
    assert found.json["verdict"] == "better"
    assert found.json["games"] <= 200
    assert found.json["log_likelihood_ratio"] >= found.json["bounds"][1]
    row = log.read_text().splitlines()[-1]
    assert "| taking discs | `greedy` | `random` | random:10 |" in row
    assert row.endswith("| better |")
    assert run(*words, "--workers", 1).out.startswith("better: ")


def test_what_is_refused(run: Run) -> None:
    for words in (
        ("--log", "."),
        ("--log", "log.txt"),
        ("--lower", 10, "--upper", 0),
        ("--games", 3),
        ("--alpha", 0.7),
    ):
        refused = run("sprt", "greedy", "random", *words)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
