"""Value studies: the figures of games, and the papers' figures beside ours."""

from __future__ import annotations

import pytest

from outflank import Game
from outflank.othello import BLACK, WHITE, Position
from outflank.studies import studies
from outflank.studies.doubts import ONCE
from outflank.studies.estimate import Estimate
from outflank.studies.result import Claim
from outflank.studies.value.networks import EFFORTS
from outflank.studies.value.style import figures_of, longest_diagonal, style_of
from outflank.studies.value.tables import (
    TABLE_1,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    Table,
    Trainings,
    _judge,
    _leaks,
)
from strategies import random_game

NAMES = [*(f"value-table-{number}" for number in range(1, 5)), "value-figure-12", "value-style"]


def test_all_31_networks_and_the_final_three_are_there() -> None:
    assert set(NAMES) <= studies().keys()
    numbers = {*TABLE_1, *TABLE_2, *TABLE_3} - {"/"}
    assert numbers == {str(number) for number in range(1, 32)}
    assert set(TABLE_4) == {"13", "final_network1", "final_network2", "final_network3"}
    assert TABLE_1["13"][1:] == (0.7191, 0.6542)
    assert TABLE_4["final_network2"][1] == 0.6608


def test_the_papers_scale_is_the_papers() -> None:
    config = EFFORTS["paper"].config(dict(TABLE_1["13"][0]), "1977-2015")
    assert (config.learning_rate, config.momentum, config.batch) == (0.001, 0.9, 5)
    assert (config.nodes, config.dense_dropout, config.patience) == (512, 0.3, 5)
    assert (config.rate_decay, config.states, config.held_out) == (0.001 / 500, 0, 0.2)
    assert EFFORTS["paper"].config(dict(TABLE_1["1"][0]), "").nodes == 1024


def trainings(*errors: float) -> Trainings:
    found = [Estimate(error, error - 0.001, error + 0.001, 500) for error in errors]
    return Trainings("network", {"test": found, "training": found}, [])


def test_intervals_cover_the_chance_in_training() -> None:
    """Two groups of two with a spread of 0.02 each: a standard deviation of 0.01 times root two."""
    table = Table(
        {"13": trainings(0.71, 0.73), "5": trainings(0.75, 0.77)}, {"13": trainings(0.70)}
    )
    found = table.figure(table.networks["13"], "test")
    margin = 4.303 * 0.01 * 2**0.5 / 2**0.5  # two degrees of freedom
    assert found.value == pytest.approx(0.72)
    assert found.count == 1000
    assert found.high - found.value == pytest.approx(margin)
    gain = table.gain(table.networks["5"], table.networks["13"])
    assert gain.value == pytest.approx(0.04)
    assert gain.high - gain.value == pytest.approx(margin * 2**0.5)
    alone = table.figure(table.whole["13"], "test")
    assert alone.low == pytest.approx(0.699)
    labels = [row.values["test"] for row in table.rows(TABLE_1)]
    assert labels == [pytest.approx(0.72), pytest.approx(0.76), pytest.approx(0.70)]


def test_what_knowing_the_games_is_worth() -> None:
    def network(label: str, test: float, unseen: float) -> Trainings:
        errors = {
            column: [Estimate(error, error, error, 10)]
            for column, error in {"test": test, "training": test, "unseen": unseen}.items()
        }
        return Trainings(label, errors, [])

    usual, last = network("network 13", 0.71, 0.69), network("final_network2", 0.66, 0.68)
    (note,) = _leaks(Table({"13": usual}, {"13": usual, "final_network2": last}))
    assert "0.0500 below that of network 13 on the test sets and 0.0100 below" in note
    assert "0.0400 come from knowing the games" in note


def test_a_single_training_decides_nothing() -> None:
    gain = Estimate(-0.02, -0.03, -0.01, 500)
    assert _judge("It helps.", "one less the other", gain, 2, below=0).verdict == Claim.HOLDS
    assert _judge("It harms.", "one less the other", gain, 2, least=0).verdict == Claim.FAILS
    for bound in ({"below": 0}, {"least": 0}):
        claim = _judge("A claim.", "one less the other", gain, 1, **bound)
        assert claim.verdict == Claim.OPEN
        assert claim.reason.endswith(ONCE)


def test_corners_and_squares_beside_them() -> None:
    games = [random_game(seed) for seed in range(80)]
    for game in games:
        black, white = style_of(game, BLACK), style_of(game, WHITE)
        assert (black.corners, black.lost) == (white.lost, white.corners)
        placed = sum(move.name != "pass" for move in game.moves)
        assert len(black.beside) + len(white.beside) == placed
        assert black.points + white.points == 1
        assert not (black.lost_first_two and white.lost_first_two)
        corners = [move for move in game.moves if move.name in ("a1", "a8", "h1", "h8")]
        assert black.corners + white.corners == len(corners)
    styles = [style_of(game, BLACK) for game in games]
    figures = figures_of(styles)
    assert 0 < figures["beside"].value < 100
    assert figures["comebacks"].count == sum(style.lost_first_two for style in styles)
    assert figures["mobility-10"].count == len([s for s in styles if 10 in s.mobility])


def test_a_move_beside_a_corner_counts_while_the_corner_is_empty() -> None:
    empty = Position.from_string("-" * 9 + "-OX" + "-" * 52 + " X")
    game = Game.from_moves(["b2"], start=empty)
    assert style_of(game, BLACK).beside == (True,)
    taken = Position.from_string("X" + "-" * 8 + "-OX" + "-" * 52 + " X")
    assert style_of(Game.from_moves(["b2"], start=taken), BLACK).beside == (False,)


@pytest.mark.parametrize(
    ("squares", "length"), [((), 0), ((0, 9, 18), 3), ((7, 14, 21, 28, 35), 5), ((0, 18), 1)]
)
def test_diagonals(squares: tuple[int, ...], length: int) -> None:
    text = "".join("X" if square in squares else "-" for square in range(64))
    position = Position.from_string(text + " O")
    assert longest_diagonal(position, BLACK) == length
