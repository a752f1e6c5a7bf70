"""The solver: right by brute force, by published positions, and whatever the threads do."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference
from outflank import PASS, Game, Move, Position, _core, records
from outflank.evaluations import evaluation
from outflank.records.obf import scores_of
from strategies import random_game


def endgames(empties: int, count: int, seed: int = 0) -> Iterator[Position]:
    """Positions with so many empty squares from random games."""
    found = 0
    while found < count:
        for position in random_game(seed).positions():
            if position.empties == empties and not position.is_over:
                found += 1
                yield position
                break
        seed += 1


@cache
def by_brute_force(board: reference.Board) -> int:
    moves = reference.legal_moves(board)
    if moves:
        return max(-by_brute_force(reference.play(board, move)) for move in moves)
    if reference.is_over(board):
        return reference.final_score(board)
    return -by_brute_force(reference.swap(board))


def to_reference(position: Position) -> reference.Board:
    own, other = position.bits
    return tuple((own >> square & 1) - (other >> square & 1) for square in range(64))


def solve(position: Position, **options: object) -> _core.Solution:
    return _core.Solver(8).solve(*position.bits, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("empties", range(1, 7))
def test_the_score_is_that_of_brute_force(empties: int) -> None:
    for position in endgames(empties, 40 if empties < 6 else 12):
        assert solve(position).score == by_brute_force(to_reference(position))


@pytest.mark.parametrize("empties", [7, 8, 9, 10])
def test_the_score_is_that_of_plain_minimax(empties: int) -> None:
    """Minimax to the end of the game knows nothing of the solver's methods."""
    plain = _core.Searcher(evaluation("discs"), 1)
    for position in endgames(empties, 12 if empties < 10 else 4, seed=77):
        value, _, _ = plain.minimax(*position.bits, False, 2 * empties)
        score = solve(position).score
        expected = 0 if score == 0 else (abs(score) * _core.DISC_VALUE + _core.GAME_VALUE)
        assert value == (expected if score > 0 else -expected)


@pytest.mark.parametrize("empties", [5, 9, 12, 14])
def test_the_line_leads_to_the_score(empties: int) -> None:
    for position in endgames(empties, 10, seed=5):
        solution = solve(position)
        end = Game(position)
        for move in solution.line:
            end = end.play(move)
        assert end.is_over
        assert end.position.score_of(position.turn) == solution.score
        assert solution.best == (solution.line[0] if position.legal_squares else PASS)


@pytest.mark.parametrize("empties", [6, 10, 13])
def test_every_move_is_scored_as_the_position_after_it(empties: int) -> None:
    for position in endgames(empties, 6, seed=11):
        scored, _ = _core.Solver(8).solve_moves(*position.bits)
        assert {Move(move) for move, _ in scored} == set(position.legal_moves)
        assert [score for _, score in scored] == sorted((s for _, s in scored), reverse=True)
        for move, score in scored:
            assert -solve(position.play(move)).score == score


@pytest.mark.parametrize("empties", [4, 8, 12, 15])
def test_who_wins_is_the_sign_of_the_score(empties: int) -> None:
    for position in endgames(empties, 10, seed=3):
        score = solve(position).score
        assert solve(position, win_draw_loss=True).score == (score > 0) - (score < 0)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 7))
def test_a_position_and_its_images_have_one_score(seed: int, symmetry: int) -> None:
    position = next(endgames(9, 1, seed))
    assert solve(position).score == solve(position.transform(symmetry)).score


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_and_what_the_table_holds_change_nothing(threads: int) -> None:
    used = _core.Solver(8)
    for position in endgames(17, 6, seed=42):
        alone = solve(position)
        together = solve(position, threads=threads)
        again = used.solve(*position.bits, threads=threads)
        for other in (together, again):
            assert (other.score, other.best, other.line) == (alone.score, alone.best, alone.line)


def test_the_number_of_nodes_is_pinned() -> None:
    """A change of the search, wanted or not, is seen here."""
    nodes = [solve(position).nodes for position in endgames(16, 3, seed=9)]
    assert nodes == [solve(position).nodes for position in endgames(16, 3, seed=9)]
    assert nodes == SIGNATURE


SIGNATURE = [1757564, 577182, 210717]


def test_finished_and_passing_positions_are_solved() -> None:
    over = Position.from_string("X" * 40 + "-" * 24 + "X")
    assert (solve(over).score, solve(over).best, solve(over).line) == (64, PASS, [])
    position = next(p for p in endgames(8, 500) if p.must_pass)
    solution = solve(position)
    assert (solution.best, solution.line[0]) == (PASS, PASS)
    assert solution.score == -solve(position.play(PASS)).score


def test_a_search_stops_when_its_time_is_up() -> None:
    position = Position.start()
    began = time.perf_counter()
    solution = solve(position, seconds=0.1, threads=2)
    assert time.perf_counter() - began < 5
    assert not solution.complete


def test_a_search_stops_at_once() -> None:
    position = Position.start()
    stop = _core.Stop()
    threading.Timer(0.2, stop.set).start()
    began = time.perf_counter()
    solution = solve(position, stop=stop, threads=2)
    assert not solution.complete
    assert time.perf_counter() - began < 2


# The first endgame position of the French federation's Forum, with its published scores.
FFO_1 = Position.from_string("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")
FFO_1_SCORES = {"g8": 18, "h1": 12, "h7": 6, "a2": 6, "a3": 4, "b1": -4, "a4": -22, "g2": -24}


def test_a_published_position() -> None:
    assert (solve(FFO_1).score, Move(solve(FFO_1).best).name) == (18, "g8")
    scored, _ = _core.Solver(8).solve_moves(*FFO_1.bits)
    assert {Move(move).name: score for move, score in scored} == FFO_1_SCORES


def test_the_published_endgames_1_to_39(endgames_data: list[Path]) -> None:
    """Value and best move; those from 40 on are in benchmarks/endgame.py."""
    games = [game for path in endgames_data[:2] for game in records.read(path)]
    assert len(games) == 39
    for number, game in enumerate(games, start=1):
        published = scores_of(game)
        solution = solve(game.start, threads=2)
        assert solution.score == max(published.values()), number
        assert published[Move(solution.best)] == solution.score, number
