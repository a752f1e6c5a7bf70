"""Position: the rules as a value."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outflank import BLACK, PASS, WHITE, IllegalMoveError, Move, NotationError, Position
from strategies import MUST_PASS, any_boards, positions

START = "---------------------------OX------XO--------------------------- X"


def test_the_start_position() -> None:
    start = Position.start()
    assert start.to_string() == START
    assert start.turn is BLACK
    assert [move.name for move in start.legal_moves] == ["d3", "c4", "f5", "e6"]
    assert (start.discs, start.empties, start.score, start.is_over) == (4, 60, 0, False)
    assert start.color_at("d5") is BLACK
    assert start.color_at("d4") is WHITE
    assert start.color_at("a1") is None


def test_a_move_flips_what_it_outflanks() -> None:
    after = Position.start().play("f5")
    assert after.turn is WHITE
    assert (after.count("black"), after.count("white")) == (4, 1)
    assert Position.start().flips("f5") == (Move("e5"),)
    assert Position.start().flips("a1") == ()
    assert Position.start().flips("d4") == ()


def test_positions_are_values() -> None:
    start = Position.start()
    one, other = start.play("f5"), start.play("F5")
    assert one == other
    assert hash(one) == hash(other)
    assert one != start
    assert len({start, one, other}) == 2
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        start.black = 0  # type: ignore[misc]


def test_moves_may_be_named_numbered_or_moves() -> None:
    start = Position.start()
    assert start.play("f5") == start.play(37) == start.play(Move("f5"))


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("a1", "a1 is illegal: it outflanks no white disc"),
        ("d4", "d4 is illegal: the square is taken"),
        ("pass", "black may not pass: there are legal moves"),
    ],
)
def test_an_illegal_move_is_explained(move: str, reason: str) -> None:
    assert not Position.start().is_legal(move)
    with pytest.raises(IllegalMoveError, match=reason):
        Position.start().play(move)


def test_whoever_cannot_move_must_pass() -> None:
    assert MUST_PASS.turn is BLACK
    assert MUST_PASS.must_pass
    assert MUST_PASS.legal_moves == (PASS,)
    assert MUST_PASS.is_legal("pass")
    after = MUST_PASS.play(PASS)
    assert after.turn is WHITE
    with pytest.raises(IllegalMoveError, match="black has no move and must pass"):
        MUST_PASS.play("d1")


def test_the_empty_squares_go_to_the_winner() -> None:
    wiped_out = Position.from_string("X" * 13 + "-" * 51 + "O")
    assert wiped_out.is_over
    assert wiped_out.legal_moves == ()
    assert wiped_out.score == -64
    assert wiped_out.score_of("black") == 64
    assert wiped_out.disc_difference == -13
    assert wiped_out.winner is BLACK
    drawn = Position.from_string("X" * 32 + "O" * 32)
    assert (drawn.is_over, drawn.score, drawn.winner) == (True, 0, None)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        drawn.play("a1")


@pytest.mark.parametrize("style", ["edax", "openings", "ggf"])
@given(position=any_boards())
def test_a_board_string_reads_back(style: str, position: Position) -> None:
    assert Position.from_string(position.to_string(style)) == position


@given(any_boards())
def test_repr_reads_back(position: Position) -> None:
    assert eval(repr(position)) == position


def test_boards_may_be_written_in_several_ways() -> None:
    squares = "--------\n" * 3 + "---ox---\n---XO---\n" + "........\n" * 3
    assert Position.from_string(squares) == Position.start()
    assert Position.from_string(squares.replace("o", "w").replace("x", "*"), "black") == (
        Position.start()
    )
    assert Position.from_string(START + ";") == Position.start()
    assert Position.from_string(START[:-1] + "w").turn is WHITE


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "got 0 symbols"),
        ("-" * 63, "got 63 symbols"),
        ("-" * 66, "got 66 symbols"),
        ("-" * 10 + "Q" + "-" * 53, "'Q' .symbol 11."),
        ("-" * 64 + "Q", "not a side to move: 'Q'"),
    ],
)
def test_a_bad_board_string_is_explained(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        Position.from_string(text)


def test_impossible_positions_are_refused() -> None:
    with pytest.raises(NotationError, match="a black and a white disc"):
        Position(1, 1)
    with pytest.raises(NotationError, match="64 bits"):
        Position(1 << 64, 0)
    with pytest.raises(NotationError, match="sides are black and white"):
        Position(1, 2, "red")  # type: ignore[arg-type]


@given(st.text())
def test_any_text_is_a_board_or_a_notation_error(text: str) -> None:
    with contextlib.suppress(NotationError):
        Position.from_string(text)


@given(positions(), st.integers(0, 7))
def test_playing_and_turning_commute(position: Position, symmetry: int) -> None:
    from outflank import _core

    for move in position.legal_moves:
        turned = Move(_core.transform_move(move, symmetry))
        assert position.play(move).transform(symmetry) == position.transform(symmetry).play(turned)


@given(positions())
def test_a_position_is_over_exactly_when_there_is_no_move(position: Position) -> None:
    assert position.is_over == (not position.legal_moves)
    assert position.must_pass == (position.legal_moves == (PASS,))
    for move in position.legal_moves:
        after = position.play(move)
        assert after.discs == position.discs + (not move.is_pass)
        assert after.turn is position.turn.other


@pytest.mark.parametrize("name", ["a1", "h1", "a8", "h8", "f5", "pass"])
def test_moves_have_names_and_numbers(name: str) -> None:
    move = Move(name)
    assert str(move) == move.name == f"{move}" == name
    assert Move(int(move)) is move
    assert repr(move) == f"Move('{name}')"
    assert pickle.loads(pickle.dumps(move)) is move


@pytest.mark.parametrize("text", ["", "a9", "i1", "a", "a10", "5f", "passe", "１a"])
def test_a_bad_move_name_is_explained(text: str) -> None:
    with pytest.raises(NotationError, match="moves are a1"):
        Move(text)


@pytest.mark.parametrize("number", [-1, 65, 1000])
def test_a_bad_move_number_is_explained(number: int) -> None:
    with pytest.raises(NotationError, match="no such move"):
        Move(number)
