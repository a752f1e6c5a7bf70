"""The style of play of value networks: what is counted in games, and how claims are judged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from outflank import Game, Position
from outflank.othello import BLACK, WHITE, Color
from outflank.studies import studies
from outflank.studies.doubts import ONCE
from outflank.studies.estimate import Estimate
from outflank.studies.result import Claim, Result, Row
from outflank.studies.value.style import (
    STATEMENTS,
    Choices,
    EarlyBoard,
    GameStyle,
    StyleConfig,
    figures_of,
    judge_style,
    longest_diagonal,
    style_of,
    together,
)
from strategies import random_game

CORNERS = ("a1", "a8", "h1", "h8")
BESIDE = {
    "b2": "a1", "g2": "h1", "b7": "a8", "g7": "h8",
    "b1": "a1", "a2": "a1", "g1": "h1", "h2": "h1", "a7": "a8", "b8": "a8", "g8": "h8", "h7": "h8",
}  # fmt: skip


def kind_of(name: str, board: Position) -> str:
    """Say whether a square is an x- or c-square of a corner that is still empty."""
    if name not in BESIDE or board.color_at(BESIDE[name]) is not None:
        return ""
    return "x" if name in ("b2", "g2", "b7", "g7") else "c"


def slow_choices(game: Game, side: Color, opening: int) -> Choices:
    """Count squares beside empty corners by their names."""
    played, x_by_chance, beside_by_chance = [], 0.0, 0.0
    for ply, (position, move) in enumerate(zip(game.positions(), game.moves, strict=False)):
        if position.turn is side and not move.is_pass and ply >= opening:
            legal = [kind_of(one.name, position) for one in position.legal_moves]
            played.append(kind_of(move.name, position))
            x_by_chance += legal.count("x") / len(legal)
            beside_by_chance += (legal.count("x") + legal.count("c")) / len(legal)
    return Choices(len(played), played.count("x"), played.count("c"), x_by_chance, beside_by_chance)


@pytest.mark.parametrize("opening", [0, 6])
def test_squares_beside_corners_are_those_of_their_names(opening: int) -> None:
    for seed in range(30):
        game = random_game(seed)
        for side in (BLACK, WHITE):
            found, slow = style_of(game, side, opening).choices, slow_choices(game, side, opening)
            assert (found.moves, found.x, found.c) == (slow.moves, slow.x, slow.c)
            assert found.x_by_chance == pytest.approx(slow.x_by_chance)
            assert found.beside_by_chance == pytest.approx(slow.beside_by_chance)


def test_what_each_side_did() -> None:
    for seed in range(60):
        game = random_game(seed)
        black, white = style_of(game, BLACK), style_of(game, WHITE)
        assert (black.corners, black.lost) == (white.lost, white.corners)
        taken = [move.name for move in game.moves if move.name in CORNERS]
        assert black.corners + white.corners == len(taken)
        assert black.points + white.points == 1
        assert black.lost_first + white.lost_first == bool(taken)
        assert black.lost_first >= black.lost_first_two
        assert not (black.lost_first_two and white.lost_first_two)
        for number, legal in black.mobility.items():
            (first, *_) = (
                one for one in game.positions()
                if one.turn is BLACK and 60 - one.empties >= number and not one.is_over
            )  # fmt: skip
            assert legal == first.legal_squares.bit_count() == white.liberty[number]
        assert black.early is not None
        assert white.early is not None
        (board,) = {one for one in game.positions() if one.empties == 40 and not one.must_pass}
        assert black.early.discs == board.count(BLACK)
        assert black.early.discs + white.early.discs == 24


def test_a_move_beside_a_corner_counts_while_the_corner_is_empty() -> None:
    empty = Position.from_string("-" * 9 + "-OX" + "-" * 52 + " X")
    game = Game.from_moves(["b2"], start=empty)
    assert style_of(game, BLACK).choices == Choices(1, 1, 0, 1.0, 1.0)
    taken = Position.from_string("X" + "-" * 8 + "-OX" + "-" * 52 + " X")
    assert style_of(Game.from_moves(["b2"], start=taken), BLACK).choices == Choices(1)


@pytest.mark.parametrize(
    ("squares", "length"), [((), 0), ((0, 9, 18), 3), ((7, 14, 21, 28, 35), 5), ((0, 18), 1)]
)
def test_diagonals(squares: tuple[int, ...], length: int) -> None:
    assert longest_diagonal(sum(1 << square for square in squares)) == length


def styled(**facts: Any) -> GameStyle:
    usual: dict[str, Any] = {
        "choices": Choices(20, 1, 2, 0.5, 4.0), "corners": 2, "lost": 2, "lost_first": False,
        "lost_first_two": False, "points": 0.5, "early": EarlyBoard(12, 3, 3), "mobility": {10: 8},
        "liberty": {10: 6},
    }  # fmt: skip
    return GameStyle(**{**usual, **facts})


def test_figures_of_games() -> None:
    found = figures_of([
        styled(),
        styled(choices=Choices(30, 2, 2, 1.5, 2.0), lost=4, lost_first=True, points=1.0, early=None,
               mobility={}),
        styled(lost_first=True, lost_first_two=True, points=0.0, early=EarlyBoard(8, 2, 4)),
    ])  # fmt: skip
    assert {name: round(one.value, 6) for name, one in found.items()} == {
        "x": round(100 * 4 / 70, 6), "c": round(100 * 6 / 70, 6), "beside": round(1000 / 70, 6),
        "x-choice": round(150 / 70, 6), "beside-choice": 0.0, "corners": 2.0,
        "lost": round(8 / 3, 6), "after-first": 50.0, "after-two": 0.0, "diagonal": 3.5,
        "edges": 25.0, "discs": 10.0, "winning": 50.0, "mobility-10": 8.0, "liberty-10": 6.0,
    }  # fmt: skip
    assert (found["x"].count, found["lost"].count, found["after-first"].count) == (70, 3, 2)


def test_moves_of_a_game_are_not_counted_as_independent() -> None:
    """The same share in all games says more about the next than all or nothing."""
    mixed = [styled(choices=Choices(20, 5)) for _ in range(40)]
    apart = [styled(choices=Choices(20, 20 * (n % 4 == 0))) for n in range(40)]
    even, torn = figures_of(mixed)["x"], figures_of(apart)["x"]
    assert even.value == torn.value == 25
    single = Estimate.of_share(0.25, 40)
    assert torn.high - torn.low == pytest.approx(single.high - single.low, rel=0.03)
    drawn = np.random.default_rng(1).binomial(20, 0.25, 4000)
    many = figures_of([styled(choices=Choices(20, int(x))) for x in drawn])["x"]
    plain = Estimate.of_share(0.25, 80_000)
    assert many.high - many.low == pytest.approx(plain.high - plain.low, rel=0.1)


def test_trainings_together() -> None:
    def figure(value: float, margin: float = 0.1) -> dict[str, Estimate]:
        return {"x": Estimate(value, value - margin, value + margin, 9)}

    found = together({"5": [figure(4), figure(6)], "13": [figure(3), figure(5)]})
    assert (found["5"]["x"].value, found["13"]["x"].value) == (5, 4)
    # A standard deviation of root two, by two trainings each; t with two degrees of freedom is 4.3.
    assert found["5"]["x"].margin == pytest.approx(4.303, abs=0.001)
    alike = together({"5": [figure(4, 2.0)] * 2, "13": [figure(3, 2.0)] * 2})
    assert alike["5"]["x"].margin == pytest.approx(2 / 2**0.5)
    assert together({"5": [figure(4)]})["5"] == figure(4)
    assert together({"5": [figure(4), {}]})["5"] == {}


def rows_of(error: float = 0.7, count: int = 2, suffix: str = "", **borders: float) -> list[Row]:
    """Rows in which the border network has other figures than the corner network's 10."""
    found = []
    for name in ("/", "5", "13"):
        given = borders if name == "/" else {}
        figures: dict[str, Estimate | float | None] = {}
        for one in STATEMENTS:
            value = given.get(one.column.replace("-", "_"), 10.0)
            figures[one.column] = Estimate(value, value - 1, value + 1, 100)
        facts = {"network": name, "trainings": [{"error": error}] * count}
        found.append(Row.of(name + suffix, figures, facts=facts))
    return found


def verdicts(*rows: Row) -> dict[str, str]:
    result = Result(
        "value-style", 2, "value-style", "laptop", {}, (), rows, (), None, "", 1.0, {}, ""
    )
    return {claim.text: claim.verdict for claim in judge_style(result)}


def test_statements_are_judged_both_ways() -> None:
    likes = "the border network likes long diagonals"
    weaker = "the border network is weaker than the corner network"
    longer = verdicts(*rows_of(diagonal=14, winning=4))
    assert (longer[likes], longer[weaker]) == (Claim.HOLDS, Claim.HOLDS)
    shorter = verdicts(*rows_of(diagonal=6, winning=14))
    assert (shorter[likes], shorter[weaker]) == (Claim.FAILS, Claim.FAILS)
    assert verdicts(*rows_of(diagonal=10.5))[likes] == Claim.OPEN
    assert len(longer) == len(STATEMENTS)


def test_what_decides_nothing() -> None:
    likes = "the border network likes long diagonals"
    assert verdicts(*rows_of(error=0.95, diagonal=14))[likes] == Claim.OPEN
    rows = rows_of(count=1, diagonal=14)
    assert verdicts(*rows)[likes] == Claim.OPEN
    result = Result("s", 2, "s", "laptop", {}, (), tuple(rows), (), None, "", 1.0, {}, "")
    assert ONCE in judge_style(result)[0].reason
    (row, *others) = rows_of()
    without = Row.of(row.label, {}, facts=row.facts)
    assert verdicts(without, *others)[likes] == Claim.OPEN


def test_networks_are_compared_with_those_of_equal_effort() -> None:
    whole = rows_of(suffix=", trained as in the paper", diagonal=6)
    found = verdicts(*rows_of(diagonal=14), *whole)
    likes = "the border network likes long diagonals"
    assert found[likes] == Claim.HOLDS
    assert found[likes + ", trained as in the paper"] == Claim.FAILS
    assert len(found) == 2 * len(STATEMENTS)


def test_it_measures_all_that_its_statements_need() -> None:
    config = studies()["value-style"].scales["laptop"]
    assert isinstance(config, StyleConfig)
    assert (config.whole, config.effort.trainings) == (2, 2)
    figures = figures_of([style_of(random_game(seed), BLACK, 6) for seed in range(60)])
    assert {one.column for one in STATEMENTS} <= figures.keys()
