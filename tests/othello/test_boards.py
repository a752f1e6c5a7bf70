"""Boards: many positions at once are as many positions one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank import WHITE, IllegalMoveError, Position
from outflank.othello.boards import Boards
from strategies import positions


@given(st.lists(positions(), max_size=20))
def test_a_batch_answers_as_its_positions_do(batch: list[Position]) -> None:
    boards = Boards.from_positions(batch)
    assert len(boards) == len(batch)
    assert boards.positions() == batch
    assert boards.legal_moves().tolist() == [position.legal_squares for position in batch]
    assert boards.is_over().tolist() == [position.is_over for position in batch]
    assert boards.score().tolist() == [position.score for position in batch]
    for mask, position in zip(boards.legal_mask(), batch, strict=True):
        assert np.flatnonzero(mask).tolist() == list(position.legal_moves)


@given(st.lists(positions().filter(lambda p: not p.is_over), min_size=1, max_size=10))
def test_a_batch_plays_as_its_positions_do(batch: list[Position]) -> None:
    moves = [position.legal_moves[-1] for position in batch]
    after = Boards.from_positions(batch).play(moves)
    expected = [position.play(move) for position, move in zip(batch, moves, strict=True)]
    assert after.positions() == expected


@given(st.lists(positions(), max_size=10), st.integers(0, 7))
def test_a_batch_turns_as_its_positions_do(batch: list[Position], symmetry: int) -> None:
    boards = Boards.from_positions(batch)
    turned = [position.transform(symmetry) for position in batch]
    assert boards.transform(symmetry).positions() == turned
    assert boards.transform([symmetry] * len(batch)).positions() == turned
    least, symmetries = boards.canonical()
    assert [position.canonical() for position in batch] == list(
        zip(least.positions(), symmetries.tolist(), strict=True)
    )


def test_the_other_side_moves_on_chosen_boards() -> None:
    boards = Boards.start(3)
    turned = boards.turn(np.array([False, True, False]))
    start = Position.start()
    assert turned.positions()[0] == turned.positions()[2] == start
    assert turned.positions()[1] == Position.from_bits(start.other, start.own, WHITE)
    assert turned.turn(np.array([False, True, False])).positions() == boards.positions()


def test_batches_are_cut_and_joined() -> None:
    boards = Boards.start(3)
    assert boards.positions() == [Position.start()] * 3
    joined = Boards.concatenate([boards[:1], boards[np.array([True, False, True])]])
    assert joined.positions() == [Position.start()] * 3


def test_an_illegal_move_is_named_by_its_index() -> None:
    with pytest.raises(IllegalMoveError, match="illegal move 0 at index 1"):
        Boards.start(2).play([19, 0])


def test_planes_and_playouts_have_their_shapes() -> None:
    boards = Boards.start(5)
    assert boards.planes().shape == (5, 3, 8, 8)
    assert boards.random_playouts(seed=1, games=4).shape == (5, 4)
