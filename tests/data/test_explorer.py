"""The explorer agrees with a plain look at every game."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from outflank import records
from outflank.data.explorer import Explorer
from outflank.errors import DataError
from outflank.othello import Game, Position
from strategies import random_game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two years of random games; with short beginnings in common."""
    folder = tmp_path_factory.mktemp("wthor")
    for year, seeds in ((1990, range(150)), (1991, range(150, 260))):
        games = [random_game(seed % 90 if seed % 3 else seed) for seed in seeds]
        named = [
            Game(
                moves=game.moves,
                black=f"Player {k % 5}",
                white="Other",
                event="Cup",
                date=str(year),
            )
            for k, game in enumerate(games)
        ]
        records.write(folder / f"WTH_{year}.wtb", named)
    return folder


@pytest.fixture(scope="module")
def explorer(folder: Path) -> Explorer:
    return Explorer(folder)


def slow(folder: Path, position: Position, years: tuple[int, int]) -> Counter[Position]:
    """How often each position came next, up to symmetry."""
    wanted = position.canonical()[0]
    found: Counter[Position] = Counter()
    for year in range(years[0], years[1] + 1):
        for game in records.read(folder / f"WTH_{year}.wtb"):
            positions = list(game.positions())
            for before, after in pairwise(positions):
                if before.canonical()[0] == wanted and not before.must_pass:
                    found[after.canonical()[0]] += 1
    return found


@pytest.mark.parametrize("moves", ["", "f5", "f5d6", "f5f6", "c4e3"])
@pytest.mark.parametrize("years", [(1990, 1991), (1991, 1991)])
def test_every_game_is_counted_once(
    explorer: Explorer, folder: Path, moves: str, years: tuple[int, int]
) -> None:
    position = Game.from_transcript(moves).position
    expected = slow(folder, position, years)
    found = explorer.continuations(position, years)
    counts = [one.results.games for one in found]
    assert counts == sorted(counts, reverse=True)
    assert {position.play(one.move).canonical()[0]: one.results.games for one in found} == expected
    whole = explorer.results(position, years)
    assert whole.games == sum(expected.values()) == whole.black + whole.draws + whole.white
    if whole.games:
        assert years[0] <= whole.first <= whole.last <= years[1]


def test_results_and_names(explorer: Explorer) -> None:
    start = Position.start()
    numbers = explorer.games(start)
    assert len(numbers) == len(explorer) == 260
    games = [explorer.game(int(number)) for number in numbers]
    assert explorer.results(start).black == sum(game.score > 0 for game in games)
    assert explorer.results(start).draws == sum(game.score == 0 for game in games)
    assert {game.date for game in games} == {"1990", "1991"}
    assert games[0].date == "1991"  # the newest first
    for game in games[:20]:
        assert game.is_over
        assert game.result == game.score


def test_a_position_that_nobody_had(explorer: Explorer) -> None:
    position = Game.from_transcript("f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5").position
    assert explorer.continuations(position) == []
    assert explorer.results(position).games == 0
    assert not np.any(explorer.games(position))


def test_no_games(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no WTH_"):
        Explorer(tmp_path)
