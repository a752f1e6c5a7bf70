"""Players that search."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import pytest

from outflank import Game, Position, _core
from outflank.errors import SpecError
from outflank.models import shipped_models
from outflank.othello.boards import Boards
from outflank.players import Unit, make_player
from outflank.players.analysis import review_game
from outflank.players.duration import Seconds
from strategies import random_game


def test_alphabeta_plays_a_move_of_the_minimax_value() -> None:
    plain, fast = make_player("minimax:eval=swh,depth=3"), make_player("alphabeta:eval=swh,depth=3")
    for seed in range(20):
        position = random_game(seed, plies=seed * 2).position
        if position.is_over or position.must_pass:
            continue
        thought, expected = fast.think(Game(position)), plain.think(Game(position))
        assert thought.value == pytest.approx(expected.value)
        after = plain.after_move().think(Game(position).play(thought.move))
        assert after.depth == 2
        assert after.value == pytest.approx(-(thought.value or 0))


def test_the_end_is_played_perfectly() -> None:
    player = make_player("alphabeta:eval=discs,depth=2,solve=14")
    position = next(p for p in random_game(3).positions() if p.empties == 14)
    thought = player.think(Game(position))
    assert thought.exact
    assert thought.value == _core.Solver(8).solve(*position.bits).score
    assert thought.line[0] == thought.move


def test_a_solver_that_is_stopped_leaves_the_choice_to_a_short_search() -> None:
    player = make_player("alphabeta:eval=patterns,time=60,solve=16")
    stop = _core.Stop()
    stop.set()
    first = 0
    for seed in range(8):
        position = next(p for p in random_game(seed).positions() if p.empties == 16)
        thought = player.think(Game(position), stop=stop)
        searched = make_player("alphabeta:eval=patterns,depth=4").think(Game(position))
        assert (thought.move, thought.value, thought.depth) == (searched.move, searched.value, 4)
        first += thought.move == position.legal_moves[0]
    assert first < 8


@pytest.mark.parametrize(
    ("critic", "solve_from"), [("alphabeta:eval=patterns,depth=40", 0), ("random", 60)]
)
def test_a_review_is_stopped_while_it_searches(critic: str, solve_from: int) -> None:
    stop = _core.Stop()
    threading.Timer(0.3, stop.set).start()
    began = time.perf_counter()
    found = list(review_game(random_game(3), make_player(critic), solve_from=solve_from, stop=stop))
    assert found == []
    assert time.perf_counter() - began < 10


def test_a_time_limit_is_kept() -> None:
    player = make_player("alphabeta:eval=iago,time=200ms,solve=0")
    began = time.perf_counter()
    thought = player.think(Game())
    assert 0.15 < time.perf_counter() - began < 1
    assert (thought.depth or 0) >= 5


def test_a_time_limit_is_kept_where_the_solver_would_need_longer() -> None:
    """What the search finds in the rest of the time is played then."""
    player = make_player("alphabeta:eval=patterns,time=300ms,solve=40")
    position = next(p for p in random_game(3).positions() if p.empties == 36)
    began = time.perf_counter()
    thought = player.think(Game(position))
    assert time.perf_counter() - began < 1.5
    assert thought.move in position.legal_moves
    assert not thought.exact
    assert (thought.depth or 0) >= 3


@pytest.mark.parametrize("limit", ["time=5ms", "nodes=200"])
def test_limits_of_the_critic_do_not_end_a_review(limit: str) -> None:
    game = random_game(3)
    critic = make_player(f"alphabeta:eval=discs,solve=0,{limit}")
    stop = _core.Stop()
    found = list(review_game(game, critic, solve_from=4, stop=stop))
    assert [review.move for review in found] == list(game.moves)
    assert not stop.is_set


def test_several_lines_and_live_thoughts() -> None:
    player = make_player("alphabeta:eval=iago,depth=6")
    heard: list[int] = []
    thought = player.rank_moves(
        Game.from_transcript("f5d6"),
        3,
        on_thought=lambda seen: heard.append(seen.depth or 0),
    )
    assert heard == [1, 2, 3, 4, 5, 6]
    assert len(thought.values) == 3
    assert max(thought.values.values()) == thought.value


def test_moves_are_ranked_in_one_unit() -> None:
    """Where the search sees the end after some moves only, scores stand beside no evaluations."""
    mixed = 0
    for seed in range(40):
        game = random_game(seed, plies=56)
        if game.is_over or len(game.position.legal_moves) < 2:
            continue
        player = make_player("alphabeta:eval=iago,depth=4,memory=1")
        ranked = player.rank_moves(game, 20)
        assert ranked.unit is (Unit.DISCS if ranked.exact else Unit.OWN)
        assert ranked.move in ranked.values
        if ranked.exact:
            assert all(
                value == round(value) and abs(value) <= 64 for value in ranked.values.values()
            )
        mixed += len(ranked.values) < len(game.position.legal_moves)
    assert mixed > 0


@pytest.mark.parametrize(
    ("spec", "unit"),
    [
        ("alphabeta", Unit.OWN),
        ("alphabeta:eval=discs", Unit.DISCS),
        ("alphabeta:eval=patterns", Unit.DISCS),
        ("minimax:eval=patterns", Unit.DISCS),
        ("minimax:eval=mobility", Unit.OWN),
        ("alphabeta:eval=evolved-novice", Unit.OWN),
    ],
)
def test_values_are_in_the_evaluations_unit(spec: str, unit: Unit) -> None:
    player = make_player(spec)
    assert player.unit is player.think(Game()).unit is unit


def test_patterns_are_in_discs_whatever_their_file_is_called(tmp_path: Path) -> None:
    own = tmp_path / "mine.safetensors"
    shutil.copy(shipped_models()["patterns"].path, own)
    player = make_player(f"alphabeta:eval={own},depth=2")
    shipped = make_player("alphabeta:eval=patterns,depth=2")
    assert player.unit is Unit.DISCS
    assert player.think(Game()).value == shipped.think(Game()).value


def test_thinking_on_the_opponents_time_makes_the_search_shorter() -> None:
    player = make_player("alphabeta:eval=iago,depth=9,ponder=yes")
    game = Game.from_transcript("f5d6c3")
    fresh = make_player("alphabeta:eval=iago,depth=9").think(game)
    player.start_pondering(Game.from_transcript("f5d6").position)
    time.sleep(1.0)
    pondered = player.think(game)
    player.close()
    assert (pondered.move, pondered.value) == (fresh.move, fresh.value)
    assert (pondered.nodes or 0) < (fresh.nodes or 0)


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("alphabeta:eval=nothing", "unknown evaluation 'nothing'"),
        ("alphabeta:depth=0", "depth must be 1..60"),
        ("alphabeta:time=soon", "time cannot be 'soon'"),
        ("alphabeta:nodes=-5", "nodes must be 1 to"),
        ("minimax:ends=never", "ends are score, evaluate or discs"),
    ],
)
def test_a_bad_option_is_explained(spec: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        make_player(spec)


@pytest.mark.parametrize(
    ("text", "seconds"), [("2s", 2), ("500ms", 0.5), ("1.5", 1.5), ("1m", 60), (".5s", 0.5)]
)
def test_times_are_read(text: str, seconds: float) -> None:
    assert Seconds(text) == seconds


def test_many_boards_get_the_moves_of_single_ones() -> None:
    player = make_player("alphabeta:eval=lr06,depth=2")
    positions = [random_game(seed, plies=seed).position for seed in range(40)]
    positions = [position for position in positions if not position.is_over]
    together = player.choose_many(Boards.from_positions(positions)).tolist()
    assert together == [player.choose(position) for position in positions]


class TestReview:
    """Going over a game."""

    def test_every_move_is_reviewed_and_the_end_is_exact(self) -> None:
        game = random_game(12)
        reviews = list(review_game(game, make_player("alphabeta:eval=iago,depth=2"), solve_from=10))
        assert [review.ply for review in reviews] == list(range(1, len(game) + 1))
        assert [review.move for review in reviews] == list(game.moves)
        for review in reviews:
            assert review.loss is not None
            assert review.loss >= 0
            assert review.exact == (review.position.empties <= 10)
            assert review.position.is_legal(review.best)

    @pytest.mark.parametrize("critic", ["alphabeta:eval=patterns,depth=5", "minimax:depth=3"])
    def test_moves_that_are_alike_are_worth_the_same(self, critic: str) -> None:
        """Whichever the critic would have chosen: a search from there ends at the same ply."""
        values = set()
        for move in Position.start().legal_moves:
            game = Game.from_moves([move])
            (review,) = review_game(game, make_player(critic), solve_from=0)
            assert (review.loss, review.best, review.line[:1] or (move,)) == (0, move, (move,))
            values.add(review.value)
        assert len(values) == 1

    def test_exact_losses_add_up_to_the_result(self) -> None:
        """What both sides give away explains how the score moved from perfect play to the end."""
        game = random_game(12)
        reviews = [
            review
            for review in review_game(game, make_player("random"), solve_from=12)
            if review.exact
        ]
        first = reviews[0]
        score = float(_core.Solver(8).solve(*first.position.bits).score)
        for review in reviews:
            mine = review.position.turn is first.position.turn
            score += -(review.loss or 0) if mine else (review.loss or 0)
        assert score == game.position.score_of(first.position.turn)

    def test_a_perfect_move_loses_nothing(self) -> None:
        position = next(p for p in random_game(8).positions() if p.empties == 12)
        line = _core.Solver(8).solve(*position.bits).line
        game = Game.from_moves(line, position)
        for review in review_game(game, make_player("random"), solve_from=12):
            assert review.loss == 0
            assert review.best == review.move
