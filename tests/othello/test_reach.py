"""Finding moves that lead from the start to a position."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from outflank import PASS, WHITE, Game, Position, records
from outflank.othello.reach import moves_to
from strategies import random_game


@given(st.integers(0, 2**32), st.integers(0, 12))
def test_a_position_of_a_game_is_reached(seed: int, plies: int) -> None:
    position = random_game(seed, plies).position
    moves = moves_to(position)
    assert moves is not None
    assert Game.from_moves(moves).position == position


def test_the_start_is_reached_without_a_move() -> None:
    assert moves_to(Position.start()) == ()


def test_moves_may_contain_passes() -> None:
    """After these eight plies, the fewest there can be, black must pass."""
    game = Game.from_transcript("d3c3b3b2f5a3a1c1")
    assert game.position.must_pass
    game = game.play(PASS)
    moves = moves_to(game.position)
    assert moves is not None
    assert PASS in moves
    assert Game.from_moves(moves).position == game.position


def test_what_cannot_come_about_is_not_reached() -> None:
    assert moves_to(replace(Position.start(), turn=WHITE)) is None
    assert moves_to(Position.from_string("X" + "-" * 63)) is None
    corner = replace(Position.start(), black=Position.start().black | 1)
    assert moves_to(corner) is None


def test_the_search_ends_where_there_is_too_much_to_search() -> None:
    assert moves_to(random_game(1, 40).position, effort=1000) is None


def test_the_openings_of_paper_1(openings_data: Path) -> None:
    """All were made by seven plies, so white is to move in all of them."""
    for game in records.read(openings_data):
        moves = moves_to(game.start)
        assert moves is not None
        assert len(moves) == 7
        assert Game.from_moves(moves).position == game.start
