"""Commands of `outflank learn champion` alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from evaluations.champions import random_weights
from outflank.evaluations.champion import save_champion
from outflank.players.book import Book, book_file


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "mine.safetensors"
    save_champion(path, random_weights(1), {})
    return path


def test_a_book_is_grown_beside_the_evaluation(net: Path, run: Run) -> None:
    words = ["learn", "champion", "book", net, "--depth", 1]
    made = run(*words, "--positions", 20, "--json")
    assert made.code == 0
    path = book_file(net)
    assert made.json == {
        "file": str(path),
        "positions": len(Book.load(path)),
        "expanded": len(Book.load(path).expanded),
        "bytes": path.stat().st_size,
    }
    assert made.json["positions"] >= 20
    grown = run(*words, "--positions", 40, "--json")
    assert grown.json["positions"] >= 40
    path.write_bytes(b"nothing")
    assert run("learn", "champion", "book", "").code == 2
    broken = run(*words)
    assert (broken.code, broken.err.count("\n")) == (2, 1)


def test_from_says_what_learning_begins_with(run: Run) -> None:
    fields = run("learn", "champion", "--from", "wthor", "--fields", "--json").json
    assert fields["source"] == "wthor"
    fields = run("learn", "champion", "--from", "zero", "--preset", "experts", "--fields", "--json")
    assert fields.json["source"] == "zero"
    assert run("learn", "champion", "--from", "nothing", "--run", "x").code == 2
