"""How networks play: the figures of games, their means over trainings, and the paper's claims."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from outflank import Game
from outflank.othello import BLACK, WHITE, Color, Position
from outflank.studies import Claim, Estimate, Result, Row, Workbench, find_study
from outflank.studies.doubts import ONCE
from outflank.studies.value.style import (
    STATEMENTS,
    Choices,
    EarlyBoard,
    GameStyle,
    figures_of,
    judge_style,
    longest_diagonal,
    style_of,
    together,
)
from strategies import random_game

WHOLE = ", trained as in the paper"

# Games


def rows(*texts: str, turn: Color = BLACK) -> Position:
    """A position by its rows from the top; those left out are empty."""
    return Position.from_string("".join(text.ljust(8, "-") for text in texts).ljust(64, "-"), turn)


def choices(start: Position, move: str) -> Choices:
    game = Game.from_moves([move], start=start)
    return style_of(game, game.start.turn).choices


def test_an_x_square_counts_while_its_corner_is_empty() -> None:
    assert choices(rows("", "--OX"), "b2") == Choices(1, x=1, x_by_chance=1, beside_by_chance=1)
    assert choices(rows("X", "--OX"), "b2") == Choices(1)


def test_a_c_square_counts_while_its_corner_is_empty() -> None:
    assert choices(rows("--OX"), "b1") == Choices(1, c=1, beside_by_chance=1)
    assert choices(rows("----XO"), "g1") == Choices(1, c=1, beside_by_chance=1)
    assert choices(rows("X-OX"), "b1") == Choices(1)
    assert choices(rows("----XO-X"), "g1") == Choices(1)


def test_what_a_random_choice_would_take() -> None:
    one_of_two = rows("", "--OXO")  # b2 and f2
    assert choices(one_of_two, "f2") == Choices(1, x_by_chance=0.5, beside_by_chance=0.5)
    assert choices(one_of_two, "b2") == Choices(1, x=1, x_by_chance=0.5, beside_by_chance=0.5)
    with_c_square = rows("--OXO", "", "--OXO")  # b1, f1, b3 and f3
    assert choices(with_c_square, "f3") == Choices(1, beside_by_chance=0.25)


def test_moves_of_the_opening_are_not_the_players() -> None:
    game = Game.from_moves(["b2"], start=rows("", "--OXO"))
    assert style_of(game, BLACK, opening=1).choices == Choices()
    assert style_of(game, WHITE).choices == Choices()


def test_corners_and_a_win_after_losing_the_first_two() -> None:
    start = rows("-XO", "", "", "XO", "", "", "", "-XO", turn=WHITE)
    game = Game.from_moves(["a1", "c4", "a8"], start=start, result=2)
    black, white = style_of(game, BLACK), style_of(game, WHITE)
    assert (black.corners, black.lost, white.corners, white.lost) == (0, 2, 2, 0)
    assert (black.lost_first, black.lost_first_two, black.points) == (True, True, 1)
    assert (white.lost_first, white.lost_first_two, white.points) == (False, False, 0)
    figures = figures_of([black])
    assert (figures["after-first"].value, figures["after-two"].value) == (100, 100)
    assert "after-first" not in figures_of([white])
    one = style_of(game.undo(), BLACK)
    assert (one.lost_first, one.lost_first_two) == (True, False)


def test_mobility_and_the_early_board() -> None:
    """Black has all of row 2; after a2, which flips a3 and b3, white has all of row 6."""
    start = rows("", "", "OOOOOOOO", "XXXXXXXX", "XXXXXXXX")
    game = Game.from_moves(["a2", "a6"], start=start)
    black, white = style_of(game, BLACK), style_of(game, WHITE)
    assert (black.mobility, black.liberty) == ({10: 8, 20: 8}, {10: 8, 20: 8})
    assert (white.mobility, white.liberty) == (black.liberty, black.mobility)
    assert black.early == EarlyBoard(discs=16, edges=4, diagonal=2)
    assert white.early == EarlyBoard(discs=8, edges=2, diagonal=1)


def test_a_player_who_must_pass_has_no_moves() -> None:
    start = rows("OX", *["OOOOOOOO"] * 7)
    assert start.must_pass
    game = Game.from_moves(["c1"], start=start)
    assert style_of(game, BLACK).mobility == {10: 0, 20: 0, 30: 0, 40: 0}
    assert style_of(game, BLACK).choices.moves == 0


def test_short_games_have_no_early_board() -> None:
    assert style_of(Game.from_transcript("f5d6"), BLACK).early is None
    assert style_of(Game.from_transcript("f5d6"), BLACK).mobility == {}


def test_both_sides_of_a_game_agree() -> None:
    for seed in range(40):
        game = random_game(seed)
        black, white = style_of(game, BLACK), style_of(game, WHITE)
        assert (black.corners, black.lost) == (white.lost, white.corners)
        assert (black.mobility, black.liberty) == (white.liberty, white.mobility)
        assert black.choices.moves + white.choices.moves == len(game.transcript) // 2
        assert black.points + white.points == 1
        assert black.lost_first + white.lost_first == (black.corners + black.lost > 0)
        assert black.early is not None
        assert white.early is not None
        assert black.early.discs + white.early.discs == 24


@pytest.mark.parametrize(
    ("squares", "length"),
    [
        ("", 0),
        ("a1 b2 c3", 3),
        ("h1 g2 f3 e4 d5", 5),
        ("a1 c3", 1),
        ("a1 b1 c1 d1", 1),
        ("h4 a6", 1),  # no diagonal goes round the edge
        ("a1 b2 c3 d4 e5 f6 g7 h8", 8),
    ],
)
def test_the_longest_diagonal(squares: str, length: int) -> None:
    discs = [8 * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in squares.split()]
    assert longest_diagonal(sum(1 << disc for disc in discs)) == length


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


# Figures


def game_of(
    *, moves: int = 10, x: int = 0, points: float = 0.0, lost_first: bool = False, corners: int = 0
) -> GameStyle:
    return GameStyle(
        Choices(moves, x=x), corners, 0, lost_first, False, points, None, {10: corners}, {}
    )


def test_shares_are_of_moves_and_their_intervals_of_games() -> None:
    spread = figures_of([game_of(x=4) for _ in range(5)] + [game_of() for _ in range(5)])["x"]
    assert (spread.value, spread.count) == (20, 100)
    alone = Estimate.of_share(0.2, 100)
    assert spread.margin > 1.4 * alone.margin  # four in a game, or none
    even = figures_of([game_of(x=2) for _ in range(10)])["x"]
    assert even.margin == Estimate.of_share(0.2, 10).margin  # a game is a case
    assert figures_of([game_of() for _ in range(10)])["x"].high == Estimate.of_share(0, 10).high


def test_draws_are_half_won_but_no_comeback() -> None:
    draws = figures_of([game_of(points=0.5, lost_first=True)] * 4)
    assert draws["winning"].value == 50
    assert draws["after-first"].value == 0
    wins = [game_of(points=1, lost_first=True)] * 2 + [game_of(points=1)] * 2
    assert figures_of(wins)["after-first"].count == 2


def test_means_of_games() -> None:
    found = figures_of([game_of(corners=0), game_of(corners=2)])
    assert found["corners"].value == 1
    assert found["corners"].high - 1 == pytest.approx(1.96 * 2**0.5 / 2**0.5)
    assert found["mobility-10"] == found["corners"]
    assert {"diagonal", "edges", "liberty-10", "after-two"}.isdisjoint(found)
    assert "corners" not in figures_of([game_of()])  # of one game nothing is known of chance


def around(value: float, margin: float = 0.1) -> Estimate:
    return Estimate(value, value - margin, value + margin, 100)


def test_trainings_together() -> None:
    """Two groups of two with a spread of 2 each: a standard deviation of root two."""
    found = together({
        "5": [{"x": around(10)}, {"x": around(12)}], "13": [{"x": around(4)}, {"x": around(6)}],
    })  # fmt: skip
    assert (found["5"]["x"].value, found["13"]["x"].value, found["5"]["x"].count) == (11, 5, 200)
    assert found["5"]["x"].margin == pytest.approx(4.303 * 2**0.5 / 2**0.5)
    alike = together({"5": [{"x": around(10, 3)}, {"x": around(10, 4)}]})
    assert alike["5"]["x"].margin == pytest.approx(2.5)  # that of the games
    once = together({"5": [{"x": around(10)}]})
    assert once == {"5": {"x": around(10)}}
    missing = together({"5": [{"x": around(10)}, {}]})
    assert missing == {"5": {}}


# Claims

# As the paper has it, in figures of our own.
DESCRIBED = {
    "/": {"x": 12, "x-choice": 5, "beside": 20, "lost": 3, "diagonal": 4, "edges": 10,
          "liberty-20": 8, "winning": 20},
    "5": {"x": 5, "beside": 10, "beside-choice": -5, "lost": 2, "after-first": 20, "after-two": 20,
          "diagonal": 3, "edges": 20, "discs": 12, "mobility-20": 5, "liberty-20": 10,
          "liberty-30": 10, "winning": 40},
    "13": {"beside-choice": -5, "after-first": 40, "edges": 12, "discs": 8, "mobility-20": 8,
           "liberty-20": 7, "liberty-30": 7, "winning": 60},
}  # fmt: skip
NAMES = {"/": "border network", "5": "corner network", "13": "freemove network"}


def judged(
    figures: Mapping[str, Mapping[str, float]],
    *,
    margin: float = 0.1,
    trainings: int = 2,
    error: float = 0.7,
    suffix: str = "",
) -> list[Claim]:
    """Judge such figures."""
    found = [
        Row.of(
            NAMES[name] + suffix,
            {column: around(value, margin) for column, value in of_it.items()},
            facts={"network": name, "trainings": [{"error": error}] * trainings},
        )
        for name, of_it in figures.items()
    ]
    return judge_style(
        Result("value-style", 2, "", "laptop", {}, (), tuple(found), (), None, "", 1.0, {}, "")
    )


def test_play_as_the_paper_describes_it() -> None:
    claims = judged(DESCRIBED)
    assert [claim.text for claim in claims] == [statement.text for statement in STATEMENTS]
    assert {claim.text for claim in claims if claim.verdict != Claim.HOLDS} == set()
    assert len({claim.text for claim in claims}) == len(claims)


def test_play_of_the_opposite_kind() -> None:
    opposite = {
        name: {column: -value for column, value in of_it.items()}
        for name, of_it in DESCRIBED.items()
    }
    claims = judged(opposite)
    assert {claim.text for claim in claims if claim.verdict != Claim.FAILS} == set()


def test_wide_intervals_leave_claims_open() -> None:
    assert {claim.verdict for claim in judged(DESCRIBED, margin=50)} == {Claim.OPEN}


def test_a_single_training_decides_nothing() -> None:
    claims = judged(DESCRIBED, trainings=1)
    assert {claim.verdict for claim in claims} == {Claim.OPEN}
    assert all(claim.reason.endswith(f"; but {ONCE}") for claim in claims)


def test_networks_that_learned_nothing_decide_nothing() -> None:
    claims = judged(DESCRIBED, error=0.95)
    assert {claim.verdict for claim in claims} == {Claim.OPEN}
    assert all(claim.reason.endswith("a network learned nothing") for claim in claims)


def test_what_no_game_shows_is_left_open() -> None:
    without = {**DESCRIBED, "5": {k: v for k, v in DESCRIBED["5"].items() if k != "after-two"}}
    (claim,) = [one for one in judged(without) if one.verdict != Claim.HOLDS]
    assert claim.reason == "won after losing the first two, corner network: no such games"
    assert claim.verdict == Claim.OPEN


def test_each_effort_is_judged_by_itself() -> None:
    claims = judged(DESCRIBED, suffix=WHOLE)
    assert {claim.verdict for claim in claims} == {Claim.HOLDS}
    assert all(claim.text.endswith(WHOLE) for claim in claims)
    assert [claim.text for claim in judged({"13": DESCRIBED["13"]})] == [
        statement.text for statement in STATEMENTS
        if statement.network == "13" and not statement.less
    ]  # fmt: skip


def test_games_are_kept(studies_folder: Path, wthor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="its networks need PyTorch (the extra train)")
    study = find_study("value-style")
    first = study.run("smoke", Workbench(studies_folder, wthor=wthor, workers=1))
    monkeypatch.setattr("outflank.arena.running.play", None)
    monkeypatch.setattr("outflank.arena.running.steps", None)
    monkeypatch.setattr("outflank.studies.value.networks.train_run", None)
    again = study.run("smoke", Workbench(studies_folder, wthor=wthor, workers=1))
    assert again.rows == first.rows
    assert [len(row.facts["trainings"]) for row in first.rows] == [2, 2, 2]
    assert first.origin.seeds == [1, 2]
