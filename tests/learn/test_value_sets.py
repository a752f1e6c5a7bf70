"""Sets of states: one of each game, drawn by the set's number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from data.made_games import mirrored, write_games
from outflank import Game
from outflank.errors import DataError
from outflank.learn.value.played import examples_of, material_of
from outflank.learn.value.sets import (
    FIRST_STATE,
    draw_states,
    gather_games,
    parse_sets,
    split_states,
)
from strategies import random_game

GAMES = [random_game(seed) for seed in range(120)]


def test_one_state_of_each_game_with_the_movers_result() -> None:
    states = draw_states(examples_of(GAMES), 1, rotate=False)
    assert states.game.tolist() == list(range(120))
    for game, own, other, value in zip(GAMES, states.own, states.other, states.value, strict=True):
        (index,) = [i for i, one in enumerate(game.positions()) if one.bits == (own, other)]
        position = game.positions()[index]
        placed = [move for move in game.moves[:index] if move.name != "pass"]
        assert len(placed) >= FIRST_STATE
        assert index < len(game.moves)
        assert value == np.sign(game.position.score_of(position.turn))


def test_states_are_of_all_stages_and_differ_between_sets() -> None:
    games = material_of([random_game(seed) for seed in range(400)], "made")
    drawn = [games.sets([number]) for number in (1, 2, 1)]
    np.testing.assert_array_equal(drawn[0].own, drawn[2].own)
    same = (drawn[0].own == drawn[1].own) & (drawn[0].other == drawn[1].other)
    assert same.mean() < 0.1
    discs = np.bitwise_count(drawn[0].own | drawn[0].other)
    assert discs.min() <= 10
    assert discs.max() >= 62
    both = games.sets([1, 2])
    assert len(both) == len(drawn[0]) + len(drawn[1])


def test_a_state_depends_on_its_set_and_game_alone() -> None:
    whole, part = (draw_states(examples_of(some), 3) for some in (GAMES, GAMES[:50]))
    np.testing.assert_array_equal(whole.own[:50], part.own)


def test_boards_are_turned_by_blacks_first_move() -> None:
    """A game and its mirror image give the same state."""
    games = [random_game(seed) for seed in range(60)]
    turned, images = (
        draw_states(examples_of(some), 1) for some in (games, [mirrored(game) for game in games])
    )
    np.testing.assert_array_equal(turned.own, images.own)
    np.testing.assert_array_equal(turned.other, images.other)
    plain = draw_states(examples_of(games), 1, rotate=False)
    begins_c4 = np.array([game.moves[0].name == "c4" for game in games])
    assert 0 < begins_c4.sum() < 60
    stayed = plain.own == turned.own  # a symmetric board may stay whatever it is turned by
    assert stayed[begins_c4].all()
    assert stayed[~begins_c4].mean() < 0.1


def test_short_and_unfinished_games_have_no_state() -> None:
    wiped_out = Game.from_transcript("f5d6c5f4e3f6g5e6e7")
    assert wiped_out.is_over
    assert len(draw_states(examples_of([wiped_out, random_game(1, 20)]), 1)) == 1
    assert len(draw_states(examples_of([]), 1)) == 0
    with pytest.raises(DataError, match="made: no finished game to learn from"):
        material_of([random_game(1, 20)], "made")


def test_the_sets_of_wthor_files(tmp_path: Path) -> None:
    games = gather_games("1990-1991", wthor=write_games(tmp_path))
    assert games.facts["years"] == "1990-1991"
    states = games.sets(parse_sets("1-3"))
    # A game counts by its last board, also if it breaks off; those of five moves have no state.
    long_enough = {int(one) for one in states.game}
    assert len(states) == 3 * len(long_enough)


def test_states_are_split_by_state_or_by_game() -> None:
    states = material_of(GAMES, "made").sets([1, 2, 3])
    for by in ("state", "game"):
        training, held_out = split_states(states, 0.2, by=by)
        assert len(training) + len(held_out) == len(states)
        assert 0.1 < len(held_out) / len(states) < 0.3
        shared = set(training.game.tolist()) & set(held_out.game.tolist())
        assert bool(shared) == (by == "state")
    nothing = split_states(states, 0.0)[1]
    assert len(nothing) == 0


@pytest.mark.parametrize(
    "text",
    ["", "a", "1-", "-3", "2,2", "3-1", "1 2", "\u00b2", "\uff11", "1-1000000",
     pytest.param("9" * 5000, id="long")],
)  # fmt: skip
def test_sets_that_are_none(text: str) -> None:
    with pytest.raises(DataError, match="sets ") as raised:
        parse_sets(text)
    assert len(str(raised.value)) < 200


def test_sets_are_read() -> None:
    assert parse_sets("1-3, 7") == [1, 2, 3, 7]
