"""Turning games so that black's first move is c4."""

from __future__ import annotations

import numpy as np
import pytest

from outflank import PASS, Game, Position
from outflank.othello import SQUARES, Move
from outflank.othello.orientation import orientation_of, orientation_of_game
from strategies import random_game


@pytest.mark.parametrize("first", ["c4", "d3", "e6", "f5"])
def test_every_game_is_turned_to_c4(first: str) -> None:
    game = Game().play(first)
    symmetry = orientation_of_game(game)
    assert game.position.transform(symmetry) == Position.start().play("c4")
    assert game.position.transform(symmetry).transform(symmetry) == game.position


def test_only_the_first_move_counts() -> None:
    for seed in range(20):
        game = random_game(seed, 12)
        assert orientation_of_game(game) == orientation_of_game(Game().play(game.moves[0]))


def test_what_is_not_turned() -> None:
    assert orientation_of_game(Game()) == 0
    start = Position.start().play("c4")
    assert orientation_of_game(Game.from_moves(["e3"], start=start)) == 0
    others = {*SQUARES, PASS} - {Move(name) for name in ("c4", "d3", "e6", "f5")}
    assert not orientation_of(np.array([*others], np.uint8)).any()
