"""The league's players play as they were published."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluations.player_texts import random_tuples, text_of
from outflank import Game, Position
from outflank.errors import DataError, FileError, RecordError, SpecError
from outflank.evaluations import league_entries
from outflank.othello.boards import Boards
from outflank.players import Player, make_player
from strategies import random_game


def points(one: Player, other: Player, starts: Boards) -> float:
    """Points per game of the first player; each start is played with both colours."""
    boards = Boards.concatenate([starts, starts])
    one_is_white = np.arange(len(boards)) >= len(starts)
    total, games = 0.0, len(boards)
    keys = np.arange(games, dtype=np.uint64)
    while len(boards):
        mine = boards.white_to_move == one_is_white
        moves = np.where(mine, one.choose_many(boards, keys), other.choose_many(boards, keys))
        boards = boards.play(moves)
        keys += np.uint64(games)
        over = boards.is_over()
        sign = np.where(boards.white_to_move == one_is_white, 1, -1)[over]
        total += float((0.5 + 0.5 * np.sign(boards[over].score() * sign)).sum())
        boards, one_is_white, keys = boards[~over], one_is_white[~over], keys[~over]
    return total / games


def openings(path: Path, count: int, turn: str) -> Boards:
    signs = str.maketrans("bw.", "XO-")
    lines = path.read_text().split()[:count]
    return Boards.from_positions(
        Position.from_string(line[:64].translate(signs), turn) for line in lines
    )


def test_the_players_of_paper_1_have_names() -> None:
    names = [entry.name for entry in league_entries()]
    assert names[:14] == [
        "swh", "lr06", "sjk09", "sjk11", "sjk13-ctdl", "sjk13-etdl", "pb11-etdl", "em10-nash70",
        "em10-tciag2", "em10-tciag1", "em10-gecco", "rl14-ipref1", "rl14-iprefn", "cocmaes-4+2x2",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["swh", "lr06", "sjk09", "sjk11"])
def test_players_of_weighted_squares_need_no_files(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OUTFLANK_LEAGUE", str(tmp_path / "none"))
    player = make_player(f"league:{name},seed=1")
    assert points(player, make_player("random:seed=2"), Boards.start(50)) > 0.7


def test_a_thought_tells_the_value_of_every_move() -> None:
    player = make_player("league:swh")
    corner = Position.from_string("-OX" + "-" * 24 + "OX------XO" + "-" * 27 + "X")
    thought = player.think(Game(corner))
    assert thought.move.name == "a1"
    assert list(thought.values) == list(corner.legal_moves)
    assert thought.value == max(thought.values.values()) == thought.values[thought.move]
    # a1 for black, and b1 flipped: 1 - 0.25 + 0.10 for c1, the four in the middle being even
    assert thought.value == pytest.approx(0.85)
    assert (thought.depth, thought.nodes) == (1, len(corner.legal_moves))


def test_a_pass_has_a_value_too() -> None:
    thought = make_player("league:swh").think(Game(Position.from_string("OX" + "-" * 62 + "X")))
    assert thought.move.is_pass
    assert thought.value == pytest.approx(-1.25)


def test_a_file_is_a_player(tmp_path: Path) -> None:
    path = tmp_path / "my player, the best.player"
    path.write_text(text_of(random_tuples(1)))
    # with white to move, where it makes a difference
    boards = Boards.from_positions(random_game(seed, plies=21).position for seed in range(100))
    boards = boards[boards.legal_moves() != 0]
    keys = np.zeros(len(boards), np.uint64)
    chosen = {
        convention: make_player(f'league:"{path}"{convention}').choose_many(boards, keys)
        for convention in ("", ",convention=neg", ",convention=inv")
    }
    assert np.array_equal(chosen[""], chosen[",convention=neg"])
    assert not np.array_equal(chosen[""], chosen[",convention=inv"])


def test_what_is_wrong_with_a_league_spec_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUTFLANK_LEAGUE", str(tmp_path))
    with pytest.raises(SpecError) as caught:
        make_player("league:swg")
    assert str(caught.value) == "league:swg: unknown league player 'swg'; did you mean 'swh'?"
    with pytest.raises(SpecError, match="league:swh,convention=no: convention cannot be 'no'"):
        make_player("league:swh,convention=no")
    with pytest.raises(DataError, match=r"no Manning2010GECCO\.player in it; get the players with"):
        make_player("league:em10-gecco")
    with pytest.raises(FileError, match=r"x\.player: cannot read"):
        make_player(f"league:{tmp_path}/x.player")
    (tmp_path / "x.player").write_text("no")
    with pytest.raises(RecordError, match=r"x\.player: number 1 is 'no'; expected the number of"):
        make_player(f"league:{tmp_path}/x.player")


# Measured with another program on the first 40 openings of paper 1, in percent: white to move
# as the file says, and black to move as in the published code. 80 games, so about 11 points
# either way.
@pytest.mark.parametrize(
    ("name", "white", "black"),
    [
        ("swh", 74, 78),
        ("lr06", 92, 94),
        ("sjk09", 91, 96),
        ("sjk11", 95, 97),
        ("sjk13-ctdl", 75, 85),
        ("sjk13-etdl", 79, 85),
        ("pb11-etdl", 83, 86),
        ("em10-nash70", 85, 83),
        ("em10-tciag2", 84, 87),
        ("em10-tciag1", 85, 76),
        ("em10-gecco", 64, 74),
        ("rl14-ipref1", 94, 98),
        ("rl14-iprefn", 57, 65),
    ],
)
def test_the_best_player_wins_as_often_as_is_known(
    name: str,
    white: int,
    black: int,
    league_data: Path,
    openings_data: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OUTFLANK_LEAGUE", str(league_data))
    best, other = make_player("league:cocmaes-4+2x2,seed=1"), make_player(f"league:{name},seed=2")
    for turn, known in (("white", white), ("black", black)):
        found = 100 * points(best, other, openings(openings_data, 40, turn))
        assert abs(found - known) <= 11


def test_another_network_has_another_fingerprint() -> None:
    prints = {make_player(f"league:{name}").fingerprint for name in ("swh", "lr06", "sjk09")}
    assert len(prints) == 3
    assert make_player("league:swh,seed=1").fingerprint in prints
