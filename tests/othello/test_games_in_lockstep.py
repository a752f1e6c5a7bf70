"""Games in lockstep: each is the game that would be played alone."""

from __future__ import annotations

import numpy as np
import pytest

from outflank import PASS, IllegalMoveError, Move, Position, _core
from outflank.chance import keys_at_ply, keys_of
from outflank.othello.boards import Boards
from outflank.othello.lockstep import Lockstep

GAMES = 200


def played(seed: int = 1) -> Lockstep:
    """Random games to their ends."""
    games, keys = Lockstep(Boards.start(GAMES)), keys_of(seed, np.arange(GAMES))
    while games:
        now = keys_at_ply(keys[games.running], games.ply)
        games.play(_core.random_moves(games.boards.own, games.boards.other, now))
    return games


def test_every_game_is_played_to_its_end() -> None:
    games = played()
    assert games.lengths.max() == games.ply
    assert len(set(games.lengths.tolist())) > 1
    for number, board in enumerate(games.all_boards):
        position = Position.start()
        for move in games.moves_of(number):
            assert not position.is_over
            position = position.play(Move(move))
        assert position.is_over
        assert position == board


def test_the_running_games_are_known_by_their_numbers() -> None:
    games = Lockstep(Boards.start(3))
    for moves in ([19, 26, 37], [18, 18, 43]):
        assert games.play(np.array(moves, np.uint8)).tolist() == []
    assert games.withdraw(np.array([False, True, False])).tolist() == [1]
    assert (len(games), games.running.tolist()) == (2, [0, 2])
    games.play(np.array([26, 34], np.uint8))
    assert [list(games.moves_of(number)) for number in range(3)] == [
        [19, 18, 26],
        [26, 18],
        [37, 43, 34],
    ]
    assert games.moves().tolist() == [[19, 18, 26], [26, 18, PASS], [37, 43, 34]]
    assert list(games.boards) == list(games.boards_of(games.running))
    assert list(games.all_boards)[1] == Position.start().play("c4").play("c3")


def test_games_that_are_over_do_not_begin() -> None:
    over = played().all_boards[:2]
    games = Lockstep(Boards.concatenate([over[:1], Boards.start(1), over[1:]]))
    assert games.running.tolist() == [1]
    assert games.moves_of(0) == b""
    assert not Lockstep(over)


def test_the_games_that_end_are_named_when_they_do() -> None:
    games, ended = Lockstep(Boards.start(GAMES)), []
    while games:
        before = set(games.running.tolist())
        now = games.play(_core.random_moves(games.boards.own, games.boards.other, games.ply))
        assert before - set(games.running.tolist()) == set(now.tolist())
        ended += now.tolist()
    assert sorted(ended) == list(range(GAMES))


def test_the_other_side_can_be_let_move() -> None:
    games = Lockstep(Boards.start(2))
    games.turn(np.array([False, True]))
    assert [board.turn for board in games.all_boards] == ["black", "white"]
    games.play(np.array([Move("d3"), Move("e3")], np.uint8))
    assert [board.turn for board in games.boards] == ["white", "black"]


def test_an_illegal_move_is_not_played_anywhere() -> None:
    games = Lockstep(Boards.start(2))
    with pytest.raises(IllegalMoveError):
        games.play(np.array([19, 0], np.uint8))
    assert (games.ply, games.lengths.tolist()) == (0, [0, 0])
    assert list(games.all_boards) == [Position.start()] * 2


def test_the_given_boards_stay_as_they_are() -> None:
    boards = Boards.start(2)
    games = Lockstep(boards)
    games.play(np.array([19, 26], np.uint8))
    assert list(boards) == [Position.start()] * 2
