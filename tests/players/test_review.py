"""Reviews: verdicts that agree with perfect play, and values without unexplained jumps."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from outflank import Game, _core
from outflank.errors import OutflankError
from outflank.learn.champion.calibration import CalibrationConfig, calibrate
from outflank.othello import PASS, Move
from outflank.players import Unit, make_player
from outflank.players import analysis as module
from outflank.players.analysis import MoveReview, exact_from, review_game
from players.fitted_champion import fitted_weights, save_fitted
from strategies import random_game

CRITIC = "alphabeta:eval=patterns,depth=2"


def reviews_of(game: Game, critic: str, solve_from: int) -> list[MoveReview]:
    with make_player(critic) as player:
        return list(review_game(game, player, solve_from=solve_from))


@pytest.mark.parametrize("seed", range(4))
def test_the_end_is_valued_as_by_solving_every_move(seed: int) -> None:
    """Backing values up from the end gives what solving each move on its own does."""
    solver = _core.Solver(8)
    game = random_game(seed)
    exact = [one for one in reviews_of(game, "random", 11) if one.exact]
    assert len(exact) >= 10
    for review in exact:
        scored, _ = solver.solve_moves(*review.position.bits)
        scores = {Move(square): score for square, score in scored}
        assert review.value == scores[review.move]
        assert review.best_value == max(scores.values()) == scores[review.best]
        assert review.loss == review.best_value - review.value
        assert review.line[0] == review.best
        assert Game.from_moves(review.line, review.position).position.score_of(
            review.position.turn
        ) == review.best_value  # fmt: skip


def test_an_unfinished_game_is_solved_from_where_it_stopped() -> None:
    whole = random_game(5)
    game = whole.undo(6)
    solver = _core.Solver(8)
    for review in reviews_of(game, "random", 10):
        if review.exact:
            scored, _ = solver.solve_moves(*review.position.bits)
            assert review.value == dict(scored)[review.move]


def test_what_the_solver_knows_reaches_earlier_moves() -> None:
    """Values before the exact part meet it, and losses explain how they move from ply to ply."""
    jumps, plain_jumps = [], []
    for seed in range(6):
        game = random_game(seed)
        found = reviews_of(game, CRITIC, 12)
        for one, after in pairwise(found):
            assert one.value is not None
            assert after.best_value is not None
            assert one.loss is not None
            assert one.best_value == pytest.approx(one.value + one.loss)
            jumps.append(abs(one.value + after.best_value))
        plain = reviews_of(game, CRITIC, 0)  # its search alone, which ends in the exact scores
        first = next(number for number, one in enumerate(found) if one.exact)
        searched = make_player(CRITIC).after_move().think(Game(found[first].position)).value
        assert searched is not None
        plain_jumps.append(abs(searched - (found[first].best_value or 0)))
        assert len(plain) == len(found)
    assert max(plain_jumps) > 8  # the search alone is far off somewhere
    assert max(jumps) < max(plain_jumps) / 2


def test_losses_of_searches_are_not_changed_by_the_solver() -> None:
    """Early in the game a loss is the difference of two searches that end at the same ply."""
    game = random_game(3)
    leaning, alone = reviews_of(game, CRITIC, 14), reviews_of(game.undo(30), CRITIC, 0)
    for one, other in zip(leaning, alone, strict=False):
        assert (one.move, one.best, one.loss) == (other.move, other.best, other.loss)


def test_a_pass_long_before_the_end_hides_no_value() -> None:
    """Neither that of the pass, which is no choice, nor that of the move that forced it."""
    game = random_game(364)
    passed = game.moves.index(PASS)
    assert game.undo(len(game) - passed).position.empties > 40
    before, forced, after = reviews_of(game, CRITIC, 8)[passed - 1 : passed + 2]
    assert (forced.move, forced.best, forced.loss, forced.unit) == (PASS, PASS, 0.0, Unit.DISCS)
    assert before.value is not None
    assert before.loss is not None
    assert forced.value is not None
    assert after.best_value is not None
    assert forced.value == pytest.approx(-after.best_value, abs=1.5)
    assert before.value == pytest.approx(-forced.value, abs=1.5)


def test_values_in_other_units_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(3)
    found = reviews_of(game, "alphabeta:eval=iago,depth=2", 10)
    monkeypatch.setattr(module, "_leaning", lambda review, after: review)
    assert found == reviews_of(game, "alphabeta:eval=iago,depth=2", 10)
    assert {one.unit for one in found if not one.exact} == {Unit.OWN}


def test_reviews_are_heard_from_the_last_move_on() -> None:
    heard: list[MoveReview] = []
    game = random_game(2)
    found = list(review_game(game, make_player(CRITIC), solve_from=8, on_review=heard.append))
    assert heard == found[::-1]
    assert [one.ply for one in found] == list(range(1, len(game) + 1))


def test_two_threads_solve_from_further() -> None:
    assert (exact_from(1), exact_from(2)) == (20, 22)
    assert exact_from(0) == exact_from(_core.available_threads())


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    weights = fitted_weights()
    config = CalibrationConfig(positions=12, depth=5, solve_from=12)
    measured = calibrate(_core.ChampionEvaluation(weights), config)
    return save_fitted(tmp_path_factory.mktemp("review"), weights, measured)


class TestByTheChampion:
    """A calibrated evaluation makes earlier endings almost sure, and says who wins."""

    def test_verdicts_agree_with_who_wins(self, net: Path) -> None:
        solver, proved = _core.Solver(8), 0
        for seed in range(8):
            for one in reviews_of(random_game(seed), f"champion:net={net},depth=3,memory=4", 9):
                if 9 < one.position.empties <= 11:
                    score = solver.solve(*one.position.bits).score
                    assert not one.exact
                    assert one.best_value is not None
                    assert (one.best_value > 0) - (one.best_value < 0) == (score > 0) - (score < 0)
                    proved += 1
        assert proved > 8

    def test_almost_sure_losses_are_nearly_those_of_perfect_play(self, net: Path) -> None:
        critic = f"champion:net={net},depth=3,memory=4"
        wrong = []
        for seed in range(8):
            game = random_game(seed)
            almost, exact = (reviews_of(game, critic, empties) for empties in (8, 12))
            wrong += [
                abs((one.loss or 0) - (truth.loss or 0))
                for one, truth in zip(almost, exact, strict=True)
                if 8 < one.position.empties <= 12
            ]
        assert sum(wrong) / len(wrong) < 2.5

    def test_an_uncalibrated_evaluation_does_not_pretend(self, tmp_path: Path) -> None:
        net = save_fitted(tmp_path, fitted_weights(), {})
        player = make_player(f"champion:net={net},depth=2,memory=4")
        assert not player.guides_endings
        assert list(review_game(random_game(1), player, solve_from=6))


def test_the_solver_of_a_player_that_knows_nothing_is_plain() -> None:
    position = next(p for p in random_game(8).positions() if p.empties == 10)
    plain = make_player("random").make_solver(4).solve(*position.bits)
    assert plain.score == _core.Solver(4).solve(*position.bits).score


def test_errors_of_the_player_are_heard() -> None:
    with pytest.raises(OutflankError):
        reviews_of(random_game(1), "champion:net=nothing", 6)
