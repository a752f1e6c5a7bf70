"""Games in lockstep: the same as one at a time, in whatever batches, whoever fails."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from arena.arena_players import (
    DRAWN,
    WHITE_NEVER_MOVES,
    WIPE_OUT,
    Chancy,
    Failing,
    OneByOne,
    Pondering,
    Scripted,
    Steady,
)
from outflank import PASS, Game, Move, Position
from outflank._core import Stop
from outflank.arena import random_openings
from outflank.arena.lockstep import Fixture, PlayedGame, play, steps
from outflank.chance import keys_at_ply
from outflank.othello.boards import Boards
from outflank.players import Player, make_player
from outflank.players.pondering import SearchingPlayer


def fixtures(openings: Sequence[Game], games: int | None = None) -> list[Fixture]:
    """Every opening with both colours."""
    count = 2 * len(openings) if games is None else games
    return [
        Fixture(number, opening, opening.position, 1000 + number)
        for number, opening in ((n, openings[n // 2 % len(openings)]) for n in range(count))
    ]


def in_order(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    return sorted(games, key=lambda game: game.number)


def results(players: tuple[Player, Player], wanted: Sequence[Fixture]) -> list[tuple[object, ...]]:
    """All that a game has but the time it took."""
    played = in_order(play(players, wanted))
    return [
        (game.number, game.moves, game.score, game.reason, game.black_moves, game.white_moves)
        for game in played
    ]


def one_at_a_time(players: tuple[Player, Player], fixture: Fixture) -> tuple[bytes, int]:
    """Play a game by the rules as they are told to people."""
    position = fixture.position
    moves: list[Move] = []
    while not position.is_over:
        if position.must_pass:
            move = PASS
        else:
            black = fixture.number % 2
            player = players[black if position.turn == "black" else 1 - black]
            key = keys_at_ply(np.array([fixture.key], np.uint64), len(moves))
            move = Move(int(player.choose_many(Boards.from_positions([position]), key)[0]))
        moves.append(move)
        position = position.play(move)
    return bytes(moves), position.score_of("black")


@pytest.mark.parametrize("second", ["random", "greedy", "playouts:games=2", "mcts:rollouts=5"])
def test_games_are_those_that_are_played_one_at_a_time(second: str) -> None:
    players = (make_player("random"), make_player(second))
    wanted = fixtures(random_openings(6, 20, seed=1))
    for game, fixture in zip(in_order(play(players, wanted)), wanted, strict=True):
        assert (game.moves, game.score) == one_at_a_time(players, fixture)


def test_colours_are_swapped() -> None:
    """Black always wins here: the first player the even games, the second the odd ones."""
    games = in_order(play((Steady(), Steady()), fixtures([Game(WHITE_NEVER_MOVES)])))
    assert [game.score for game in games] == [64, 64]
    assert [(game.black_moves, game.white_moves) for game in games] == [(3, 0), (3, 0)]
    assert games[0].moves.count(PASS) == 2


def test_who_has_which_colour() -> None:
    """Only the one who has black is asked here."""
    for number, asked in ((0, (3, 0)), (1, (0, 3))):
        players = Steady(), Steady()
        opening = Game(WHITE_NEVER_MOVES)
        list(play(players, [Fixture(number, opening, opening.position, 0)]))
        assert (len(players[0].asked), len(players[1].asked)) == asked


def test_a_known_game_is_played_to_its_known_end() -> None:
    (game,) = play((Scripted(), Scripted()), fixtures([Game()], 1))
    assert bytes(Game.from_transcript(WIPE_OUT).moves) == game.moves
    assert (game.score, game.reason) == (64, "")
    opening = Game.from_transcript(WIPE_OUT[:8])
    (rest,) = play((Scripted(), Scripted()), fixtures([opening], 1))
    assert rest.moves == game.moves[4:]


def test_a_draw_and_a_finished_opening() -> None:
    (draw,) = play((Steady(), Steady()), fixtures([Game(DRAWN)], 1))
    assert draw.score == 0
    (over,) = play((Steady(), Steady()), fixtures([Game.from_transcript(WIPE_OUT)], 1))
    assert (over.moves, over.score, over.black_moves) == (b"", 64, 0)


def test_a_player_is_asked_about_all_its_games_at_once() -> None:
    players = Steady(), Steady()
    list(play(players, fixtures(random_openings(6, 40, seed=1))))
    assert players[0].asked[0] == players[1].asked[0] == 40
    assert len(players[0].asked) < 64


def test_a_player_that_gains_nothing_by_batches_is_asked_one_by_one() -> None:
    wanted = fixtures(random_openings(6, 5, seed=1))
    player = OneByOne()
    assert results((player, Steady()), wanted) == results((Steady(), Steady()), wanted)
    assert set(player.asked) == {1}


@pytest.mark.parametrize("size", [1, 3, 10, 1000])
def test_batches_do_not_change_games(size: int) -> None:
    players = (make_player("random"), make_player("greedy"))
    wanted = fixtures(random_openings(6, 10, seed=2))
    whole = results(players, wanted)
    parts = [results(players, wanted[at : at + size]) for at in range(0, len(wanted), size)]
    assert whole == [game for part in parts for game in part]
    assert results(players, wanted[::-1]) == whole


def test_the_key_decides_what_chance_does() -> None:
    (opening,) = random_openings(6, 1, seed=1)
    wanted = [Fixture(2 * i, opening, opening.position, key) for i, key in enumerate([5, 6, 5])]
    moves = [moves for _, moves, *_ in results((Chancy(), Chancy()), wanted)]
    assert moves[0] == moves[2] != moves[1]


def test_who_fails_loses_that_game_and_the_others_go_on() -> None:
    wanted = fixtures(random_openings(6, 20, seed=1))
    usual = in_order(play((Steady(), Steady()), wanted))
    failing = in_order(play((Failing(), Steady()), wanted))
    failed = [game for game in failing if game.reason]
    assert 0 < len(failed) < 40
    for game, as_usual in zip(failing, usual, strict=True):
        if game.reason:
            assert game.reason == "the engine is gone"
            assert game.score == (-64 if game.number % 2 == 0 else 64)
            assert as_usual.moves.startswith(game.moves)
        else:
            assert (game.moves, game.score) == (as_usual.moves, as_usual.score)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (27, "d4 is illegal: the square is taken"),
        (64, "may not pass: there are legal moves"),
        (65, "no such move: 65"),
        (-1, "no such move: -1"),
    ],
)
def test_an_illegal_move_loses_the_game(answer: int, reason: str) -> None:
    wanted = fixtures(random_openings(6, 20, seed=1))
    games = in_order(play((Steady(), Failing(answer=answer)), wanted))
    lost = [game for game in games if game.reason]
    assert lost
    for game in lost:
        assert reason in game.reason
        assert game.score == (64 if game.number % 2 == 0 else -64)
        opening = wanted[game.number].opening
        Game.from_moves([*opening.moves, *map(Move, game.moves)])  # all before was legal


def test_both_may_fail_in_the_same_ply() -> None:
    wanted = fixtures(random_openings(6, 30, seed=1))
    games = list(play((Failing(), Failing(answer=0)), wanted))
    assert len(games) == 60
    assert len({game.number for game in games}) == 60


@pytest.mark.parametrize("answer", [np.zeros(3, np.uint8), np.array([1.5]), np.zeros((1, 1), int)])
def test_nonsense_from_a_player_is_a_fault_of_its_code(answer: Any) -> None:
    class Nonsense(Steady):
        def choose_many(self, boards: Boards, keys: object = None) -> Any:
            return answer

    with pytest.raises(TypeError, match="must choose 1 moves as integers"):
        list(play((Nonsense(), Steady()), fixtures([Game()], 1)))


def test_the_time_of_each_side_is_measured() -> None:
    (game,) = play(
        (make_player("playouts:games=200"), make_player("random")), fixtures([Game()], 1)
    )
    assert game.black_seconds > game.white_seconds > 0
    assert 20 < game.black_moves <= 32


def test_progress_goes_from_nothing_to_all_games() -> None:
    ended, shares = 0, []
    for games, share in steps((Steady(), Steady()), fixtures([Game()], 10)):
        ended += len(games)
        shares.append(ended + share)
    assert 0 < shares[0] < 1
    assert shares == sorted(shares)
    assert shares[-1] == 10


def test_no_games() -> None:
    assert list(play((Steady(), Steady()), [])) == []


def test_who_moved_ponders_while_the_opponent_thinks() -> None:
    """About the very positions in which the opponent is asked; in the end it stops."""
    (opening,) = random_openings(8, 1, seed=4)
    (fixture,) = fixtures([opening], 1)
    black, white = Pondering(), OneByOne()
    (game,) = play((black, white), [fixture])
    position, asked = fixture.position, []
    for move in game.moves:
        if position.turn == "white" and not position.must_pass:
            asked.append(position)
        position = position.play(Move(move))
    if fixture.position.turn == "white":  # before black's first move there was nobody to ponder
        asked = asked[1:]
    assert [event for event in black.events if isinstance(event, Position)] == asked
    assert black.events[-1] == "stop"


def test_nobody_ponders_about_many_games_at_once() -> None:
    player = Pondering()
    list(play((player, OneByOne()), fixtures(random_openings(8, 2, seed=4))))
    assert not any(isinstance(event, Position) for event in player.events)


def test_a_match_with_pondering_searches_on_the_opponents_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It searches positions in which the opponent is to move, and no search outlives the game."""
    searched: list[Position] = []
    search = SearchingPlayer.think_ahead

    def noted(player: SearchingPlayer, position: Position, stop: Stop) -> None:
        searched.append(position)
        search(player, position, stop)

    monkeypatch.setattr(SearchingPlayer, "think_ahead", noted)
    (opening,) = random_openings(10, 1, seed=4)
    (fixture,) = fixtures([opening], 1)
    with make_player("alphabeta:eval=iago,depth=5,ponder=yes") as pondering:
        plain = make_player("alphabeta:eval=iago,depth=5")
        (one,) = play((pondering, plain), [fixture])
        assert not any(thread.name.startswith("pondering") for thread in threading.enumerate())
    assert one.reason == ""
    assert len(searched) > 15
    assert {position.turn for position in searched} == {"white"}
