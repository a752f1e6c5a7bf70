"""Turning boards so that black's first move was c4."""

from __future__ import annotations

import numpy as np
import pytest

import reference
from outflank import Game, Position
from outflank.othello.orientation import FIRST_MOVE, orientation_of, orientation_of_game
from strategies import random_game


@pytest.mark.parametrize("first", ["c4", "d3", "e6", "f5"])
def test_each_first_move_is_turned_to_c4(first: str) -> None:
    game = Game().play(first)
    symmetry = orientation_of_game(game)
    assert game.position.transform(symmetry) == Game().play("c4").position
    assert reference.image_of_square(game.moves[0], symmetry) == FIRST_MOVE
    assert game.play(game.position.legal_moves[0]).position.transform(symmetry).discs == 6
    assert orientation_of_game(game.play(game.position.legal_moves[0])) == symmetry
    assert orientation_of(np.array([game.moves[0]], np.uint8)).tolist() == [symmetry]
    position = random_game(1, 20).position
    assert position.transform(symmetry).transform(symmetry) == position


def test_a_game_without_moves_or_from_elsewhere_is_not_turned() -> None:
    later = Game().play("f5").position
    for game in (Game(), Game(later), Game(later).play(later.legal_moves[0])):
        assert orientation_of_game(game) == 0
    white_first = Position.from_string(Position.start().to_string()[:64], "white")
    assert orientation_of_game(Game(white_first).play(white_first.legal_moves[0])) == 0
