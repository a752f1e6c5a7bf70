"""The ladder: who meets whom, and ratings that follow from the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from outflank.arena.results import Score
from outflank.players import make_player
from outflank.studies import Workbench, find_study
from outflank.studies.champion import ladder as module
from outflank.studies.champion.ladder import Climber, LadderConfig, _Ladder, climbers


def games(won: int, lost: int) -> list[Score]:
    """Games that the first player won or lost; it has black in every other one."""
    scores = [10] * won + [-10] * lost
    return [
        Score(number, -score if number % 2 else score, "", 1.0, 1.0, 30, 30)
        for number, score in enumerate(scores)
    ]


def made(*names: str) -> _Ladder:
    return _Ladder([Climber(name, name) for name in names])


def test_everybody_meets_the_next_above_and_nobody_twice() -> None:
    table = made("random", "a", "b", "c")
    seen = set()
    for _ in range(3):
        pairs = table.pairs()
        assert all(frozenset(pair) not in seen for pair in pairs)
        for pair in pairs:
            table.add(*pair, games(1, 3))  # whoever is listed later is stronger
            seen.add(frozenset(pair))
    assert len(seen) == 6
    assert table.pairs() == []


def test_after_a_round_neighbours_are_those_of_the_ratings() -> None:
    table = made("random", "a", "b", "c")
    assert table.pairs() == [(0, 1), (1, 2), (2, 3)]
    table.add(0, 1, games(0, 8))
    table.add(1, 2, games(8, 0))  # a is stronger than b
    table.add(2, 3, games(0, 8))
    elo = [one.elo for one in table.ratings()]
    assert elo[0] == 0
    assert elo[1] > elo[2]
    order = sorted(range(4), key=elo.__getitem__)
    for lower, higher in table.pairs():
        between = order[order.index(lower) + 1 : order.index(higher)]
        assert all(frozenset((lower, one)) in table.met for one in between)


def test_two_games_of_an_opening_are_one_bout() -> None:
    table = made("random", "a")
    table.add(0, 1, games(2, 6))
    assert [bout[3] for bout in table._bouts] == [2, 2, 2, 2]
    assert sum(bout[2] for bout in table._bouts) == 2
    assert table.games == [8, 8]


def test_a_second_run_plays_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = find_study("ladder")
    first = study.run("smoke", Workbench(tmp_path, workers=1))
    (anchor,) = [row for row in first.rows if row.label == "random"]
    assert anchor.values["elo"] == 0
    monkeypatch.setattr("outflank.arena.running.play", None)
    assert study.run("smoke", Workbench(tmp_path, workers=1)).rows == first.rows


def test_every_player_of_every_scale_can_be_made(tmp_path: Path) -> None:
    bench = Workbench(tmp_path)
    for scale in ("smoke", "laptop"):
        config = find_study("ladder").scales[scale]
        found = climbers(config, bench)
        assert len({one.spec for one in found}) == len(found)
        for one in found:
            make_player(one.spec).close()


def test_the_champion_takes_part_once_it_is_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = LadderConfig((0.1, 0.5), games=2, rounds=1)
    bench = Workbench(tmp_path)
    monkeypatch.setattr(module, "champion_is_shipped", lambda: False)
    assert not any(one.name == "champion" for one in climbers(config, bench))
    assert any("left out" in note for note in bench.notes)
    monkeypatch.setattr(module, "champion_is_shipped", lambda: True)
    assert [one.title for one in climbers(config, bench) if one.name == "champion"] == [
        "champion, 0.1 s a move", "champion, 0.5 s a move",
    ]  # fmt: skip
