"""How a game goes in numbers, against counting by hand."""

from __future__ import annotations

from outflank import Game
from outflank.othello.statistics import statistics_of
from strategies import random_game


def test_the_first_moves() -> None:
    statistics = statistics_of(Game.from_transcript("f5d6c3"))
    assert statistics.discs.tolist() == [[2, 2], [4, 1], [3, 3], [5, 2]]
    assert statistics.mobility[0].tolist() == [4, 4]  # d3 c4 f5 e6, and e3 f4 c5 d6
    assert not statistics.corners.any()


def test_whole_games() -> None:
    for seed in range(20):
        game = random_game(seed)
        statistics = statistics_of(game)
        assert len(statistics) == len(game.moves) + 1
        position = game.start
        for number, move in enumerate([*game.moves, None]):
            side = 0 if position.turn.value == "black" else 1
            moves = [one for one in position.legal_moves if not one.is_pass]
            assert statistics.mobility[number, side] == len(moves)
            assert statistics.discs[number].sum() == (position.black | position.white).bit_count()
            corners = 0x8100000000000081
            assert statistics.corners[number].tolist() == [
                (position.black & corners).bit_count(),
                (position.white & corners).bit_count(),
            ]
            if move is not None:
                position = position.play(move)
