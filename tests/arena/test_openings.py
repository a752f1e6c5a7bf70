"""Openings: never over, no two the same, the same by the same seed, with the mover asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from outflank import Game, OutflankError, Position, RecordError, records
from outflank.arena import OpeningsError, ToMove, find_openings, random_openings
from strategies import random_game


def test_the_start() -> None:
    assert find_openings("start", 10) == [Game()]


@pytest.mark.parametrize("plies", [0, 6, 20, 50])
def test_random_openings_are_games_of_that_length_that_go_on(plies: int) -> None:
    openings = random_openings(plies, 30, seed=1)
    assert len(openings) == (1 if plies == 0 else 30)
    for opening in openings:
        assert len(opening) == plies
        assert list(Game.from_moves(opening.moves).moves) == list(opening.moves)
        assert not opening.is_over


@pytest.mark.parametrize(("plies", "distinct"), [(1, 1), (2, 3), (3, 14), (4, 60), (5, 322)])
def test_random_openings_are_all_that_there_are_and_each_once(plies: int, distinct: int) -> None:
    """The numbers of positions up to symmetry are known."""
    openings = random_openings(plies, 1000, seed=1)
    images = {opening.position.canonical()[0] for opening in openings}
    assert len(openings) == len(images) == distinct


def test_random_openings_depend_on_the_seed_alone() -> None:
    assert random_openings(8, 50, seed=3) == random_openings(8, 200, seed=3)[:50]
    assert random_openings(8, 50, seed=3) != random_openings(8, 50, seed=4)


def test_openings_of_a_file_come_in_its_order(tmp_path: Path) -> None:
    file = tmp_path / "xot.txt"
    games = [random_game(seed, plies=8) for seed in range(5)]
    records.write(file, games)
    assert find_openings(str(file)) == games
    assert find_openings(str(file), 3) == games[:3]
    assert len(find_openings(str(file), 100)) == 5


@pytest.mark.parametrize("name", ["a.ggf", "a.sgf", "a.txt", "a.wtb", "a.obf", "a.boards"])
def test_every_record_format_gives_openings(tmp_path: Path, name: str) -> None:
    games = [random_game(seed, plies=8) for seed in range(3)]
    if name in ("a.obf", "a.boards"):
        games = [Game(game.position) for game in games]
    records.write(tmp_path / name, games)
    found = find_openings(str(tmp_path / name))
    assert [opening.position for opening in found] == [game.position for game in games]


def test_whole_games_are_cut_and_what_is_then_the_same_is_kept_once(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5d6c3d3c4\ne6f4c3c4d3\nf5f6e6f4e3\n")  # the first two are mirror images
    assert len(find_openings(str(file), plies=2)) == 2
    with pytest.raises(OpeningsError, match="game 1: the game has 5 plies and cannot be cut to 6"):
        find_openings(str(file), plies=6)


@pytest.mark.parametrize("to_move", ToMove)
def test_who_is_to_move(tmp_path: Path, to_move: ToMove) -> None:
    file = tmp_path / "openings.boards"
    positions = [random_game(seed, plies=7).position for seed in range(3)]
    positions.append(positions[0].play(positions[0].legal_moves[0]))
    file.write_text("".join(position.to_string("openings") + "\n" for position in positions))
    found = [opening.position for opening in find_openings(str(file), to_move=to_move)]
    assert [(p.black, p.white) for p in found] == [(p.black, p.white) for p in positions]
    turns = [position.turn.value for position in found]
    assert turns == (
        ["white", "white", "white", "black"] if to_move is ToMove.FILE else [to_move.value] * 4
    )


def test_an_opening_whose_mover_stays_keeps_its_moves() -> None:
    (white, *_) = find_openings("random:7", 1, to_move=ToMove.WHITE)
    (black, *_) = find_openings("random:7", 1, to_move=ToMove.BLACK)
    assert len(white) == 7
    assert (len(black), black.start.turn.value) == (0, "black")
    assert black.start.black == white.position.black


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("nothing", "no such openings: 'nothing'; openings are start, random:PLIES or a file"),
        ("random", "no such openings: 'random'"),
        ("random:", "not a number of plies: ''; write random:6"),
        ("random:-1", "not a number of plies"),
        ("random:x", "not a number of plies: 'x'"),
        ("random:90", "every game found was over before that"),
        ("random:9999999999", "not a number of plies: '9999999999'"),
    ],
)
def test_wrong_openings_are_explained(source: str, problem: str) -> None:
    with pytest.raises(OpeningsError, match=problem):
        find_openings(source, 5)


def test_wrong_files_are_explained(tmp_path: Path) -> None:
    over = tmp_path / "over.txt"
    over.write_text("f5d6\nf5d6c5f4e3f6g5e6e7\n")
    with pytest.raises(OpeningsError, match=r"over.txt: game 2: the game is over.*to play$"):
        find_openings(str(over))
    illegal = tmp_path / "illegal.txt"
    illegal.write_text("f5d6\nf5f5\n")
    with pytest.raises(RecordError, match=r"illegal.txt: game 2: move 2: f5 is illegal"):
        find_openings(str(illegal))
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    with pytest.raises(OutflankError, match="empty"):
        find_openings(str(empty))


def test_the_1000_openings_of_paper_1(openings_data: Path) -> None:
    found = find_openings(str(openings_data))
    assert len({opening.position for opening in found}) == 1000
    assert {opening.position.discs for opening in found} == {11}
    assert {opening.position.turn.value for opening in found} == {"white"}
    black = find_openings(str(openings_data), 40, to_move=ToMove.BLACK)
    assert [game.position.black for game in black] == [game.position.black for game in found[:40]]
    assert all(game.position == Position(*_sides(game), "black") for game in black)  # type: ignore[arg-type]


def _sides(game: Game) -> tuple[int, int]:
    return game.position.black, game.position.white
