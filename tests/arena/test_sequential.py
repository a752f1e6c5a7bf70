"""Sequential matches: they end when the test decides, and their log keeps its form."""

from __future__ import annotations

from pathlib import Path

import pytest

from outflank.arena import match, random_openings
from outflank.arena.sequential import SequentialResult, check_log, log_sequential, play_sequential
from outflank.arena.sprt import SprtConfig
from outflank.errors import DataError
from outflank.numbers import SEEDS

CONFIG = SprtConfig(0, 50)


def test_a_clear_difference_ends_the_match_early() -> None:
    seen: list[int] = []
    result = play_sequential(
        "alphabeta:eval=iago,depth=2",
        "random:seed=1",
        CONFIG,
        random_openings(6, 200, seed=1),
        batch=10,
        on_batch=lambda one: seen.append(one.games),
    )
    assert result.verdict == "better"
    assert result.games < 200
    assert seen == list(range(20, result.games + 1, 20))
    assert (result.elo or 0) > 100


def test_the_games_are_those_of_a_match() -> None:
    openings = random_openings(6, 10, seed=1)
    whole = match("greedy:seed=1", "greedy:seed=2", openings=openings, seed=3)
    played = play_sequential("greedy:seed=1", "greedy:seed=2", CONFIG, openings, seed=3)
    assert (played.wins, played.draws, played.losses) == (whole.wins, whole.draws, whole.losses)
    assert played.winning_rate == whole.winning_rate


def test_the_greatest_seed_has_batches_too() -> None:
    openings = random_openings(6, 2, seed=1)
    found = play_sequential(
        "greedy", "random", CONFIG, openings, seed=int(SEEDS.greatest), batch=1, workers=1
    )
    assert found.games == 4


def test_without_games_nothing_is_known() -> None:
    result = play_sequential("greedy", "random", CONFIG, [])
    assert (result.games, result.elo, result.winning_rate) == (0, None, None)
    assert result.verdict == "undecided"


def test_the_log_has_a_row_for_each_test(tmp_path: Path) -> None:
    path = tmp_path / "champion-tests.md"
    for change in ("first", "with a | bar"):
        log_sequential(path, "a", "b", "random:10", change, SequentialResult(CONFIG, 6, 1, 3))
    lines = path.read_text().splitlines()
    assert lines[0] == "# Champion tests"
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 4
    assert "| first | `a` | `b` | random:10 | 10 | 6 | 1 | 3 | 65.0% |" in rows[2]
    assert "with a \\| bar" in rows[3]
    assert "0 against 50 Elo, alpha 0.05, beta 0.05" in rows[3]


def test_text_around_the_table_stays(tmp_path: Path) -> None:
    path = tmp_path / "log.md"
    log_sequential(path, "a", "b", "start", "", SequentialResult(CONFIG, 1, 0, 1))
    path.write_text(f"before\n{path.read_text()}\nafter\n")
    log_sequential(path, "c", "d", "start", "", SequentialResult(CONFIG, 1, 0, 1))
    lines = path.read_text().splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    assert "`c`" in lines[-3]


@pytest.mark.parametrize("text", ["", "# Tests\n\nnothing here\n"])
def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.md"
    path.write_text(text)
    with pytest.raises(DataError, match="not a log of tests"):
        log_sequential(path, "a", "b", "start", "", SequentialResult(CONFIG))
    with pytest.raises(DataError, match="not a log of tests"):
        check_log(path)
    assert path.read_text() == text


def test_the_champions_log_can_be_added_to(tmp_path: Path) -> None:
    log = Path(__file__).resolve().parents[2] / "docs" / "champion-tests.md"
    copy = tmp_path / "log.md"
    copy.write_bytes(log.read_bytes())
    log_sequential(copy, "a", "b", "random:10", "", SequentialResult(CONFIG, 1, 0, 1))
    assert copy.read_text().splitlines()[:-1] == log.read_text().splitlines()
