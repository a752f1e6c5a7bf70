"""Alpha-beta: the minimax value, whatever the table, the threads and the windows do."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from numpy.typing import NDArray

from outflank import Position, _core
from outflank.evaluations import evaluation
from strategies import MANY_MOVES, MUST_PASS, random_game

# Those that need no file.
NAMES = [listed[0] for listed in _core.named_evaluations()]


def middlegames(count: int, seed: int = 0) -> list[Position]:
    """Positions from all stages of random games that are not over."""
    found = [MUST_PASS]
    while len(found) < count:
        game = random_game(seed, plies=1 + seed * 7 % 60)
        if not game.is_over:
            found.append(game.position)
        seed += 1
    return found


def minimax(searcher: _core.Searcher, position: Position, depth: int) -> int:
    return searcher.minimax(*position.bits, position.turn == "white", depth)[0]


def search(searcher: _core.Searcher, position: Position, **options: object) -> _core.SearchReport:
    return searcher.search(*position.bits, position.turn == "white", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("ends", ["score", "evaluate"])
@pytest.mark.parametrize("name", NAMES)
def test_the_value_is_the_minimax_value(name: str, ends: str) -> None:
    searcher = _core.Searcher(evaluation(name), 4, ends)
    for position in middlegames(25):
        for depth in range(2, 5):
            expected = minimax(searcher, position, depth)
            assert search(searcher, position, depth=depth).lines[0].value == expected


def test_a_board_with_more_moves_than_any_game_has_is_searched() -> None:
    searcher = _core.Searcher(evaluation("mobility"), 1)
    found = search(searcher, MANY_MOVES, depth=2, lines=64)
    assert len(found.lines) == 35
    assert {line.moves[0] for line in found.lines} == set(MANY_MOVES.legal_moves)
    assert found.lines[0].value == minimax(searcher, MANY_MOVES, 2)


@pytest.mark.parametrize("threads", [1, 3])
def test_deeper_searches_too_with_any_number_of_threads(threads: int) -> None:
    searcher = _core.Searcher(evaluation("course"), 4)
    for position in middlegames(6, seed=100):
        expected = minimax(searcher, position, 6)
        found = search(searcher, position, depth=6, threads=threads)
        assert found.lines[0].value == expected


def test_the_move_does_not_depend_on_threads_or_table() -> None:
    used = _core.Searcher(evaluation("iago"), 4)
    for position in middlegames(12, seed=200):
        alone = search(_core.Searcher(evaluation("iago"), 4), position, depth=8)
        for found in (
            search(_core.Searcher(evaluation("iago"), 4), position, depth=8, threads=4),
            search(used, position, depth=8, threads=2),
            search(used, position, depth=8),
        ):
            assert found.lines[0].value == alone.lines[0].value
            assert found.lines[0].moves[0] == alone.lines[0].moves[0]


def test_several_lines_are_the_best_moves_in_their_order() -> None:
    for position in middlegames(12, seed=300)[1:]:
        searcher = _core.Searcher(evaluation("swh"), 4)
        lines = search(searcher, position, depth=4, lines=3).lines
        values = sorted(
            (-minimax(searcher, position.play(move), 3) for move in position.legal_moves),
            reverse=True,
        )
        assert [line.value for line in lines] == values[:3]
        assert len({line.moves[0] for line in lines}) == len(lines)


def test_the_expected_line_is_legal_and_begins_with_the_move() -> None:
    for position in middlegames(20, seed=400):
        (line,) = search(_core.Searcher(evaluation("iago"), 4), position, depth=6).lines
        for move in line.moves:
            position = position.play(move)


def test_many_boards_are_searched_as_one_by_one() -> None:
    searcher = _core.Searcher(evaluation("lr06"), 4)
    positions = middlegames(40, seed=500)
    own, other = (
        np.array(bits, np.uint64) for bits in zip(*(p.bits for p in positions), strict=True)
    )
    white = np.array([position.turn == "white" for position in positions])
    for limit in ({"depth": 3}, {"nodes": 2000}):
        moves = searcher.search_many(own, other, white, **limit)
        assert np.array_equal(moves, searcher.search_many(own, other, white, threads=1, **limit))
        expected = [search(searcher, position, **limit).lines[0].moves[0] for position in positions]
        assert moves.tolist() == expected


def test_limits_of_nodes_and_time_are_kept() -> None:
    searcher = _core.Searcher(evaluation("iago"), 16)
    few = search(searcher, Position.start(), nodes=20_000)
    assert 5_000 < few.nodes < 25_000
    began = time.perf_counter()
    timed = search(searcher, Position.start(), seconds=0.2)
    assert 0.15 < time.perf_counter() - began < 1
    assert timed.depth >= 5
    assert len(search(searcher, Position.start(), seconds=1e-9).lines) == 1


def test_a_search_stops_at_once_and_tells_what_it_has() -> None:
    stop = _core.Stop()
    threading.Timer(0.2, stop.set).start()
    began = time.perf_counter()
    report = search(_core.Searcher(evaluation("iago"), 16), Position.start(), stop=stop, threads=2)
    assert time.perf_counter() - began < 1
    assert stop.is_set
    assert Position.start().is_legal(report.lines[0].moves[0])


def test_every_depth_is_told() -> None:
    heard: list[tuple[int, int]] = []
    search(
        _core.Searcher(evaluation("discs"), 4),
        Position.start(),
        depth=6,
        on_depth=lambda report: heard.append((report.depth, report.nodes)),
    )
    assert [depth for depth, _ in heard] == [1, 2, 3, 4, 5, 6]
    assert [nodes for _, nodes in heard] == sorted(nodes for _, nodes in heard)


def test_an_error_in_the_listener_reaches_the_caller() -> None:
    def fail(report: _core.SearchReport) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        search(_core.Searcher(evaluation("discs"), 4), Position.start(), depth=3, on_depth=fail)


def test_near_the_end_the_search_finds_the_score() -> None:
    searcher = _core.Searcher(evaluation("mobility"), 16)
    for seed in range(6):
        position = next(p for p in random_game(seed).positions() if p.empties == 9)
        if position.is_over:
            continue
        score = _core.Solver(8).solve(*position.bits).score
        value = search(searcher, position).lines[0].value
        expected = abs(score) * _core.DISC_VALUE + _core.GAME_VALUE if score else 0
        assert value == (expected if score >= 0 else -expected)


def test_the_number_of_nodes_is_pinned() -> None:
    """A change of the search, wanted or not, is seen here."""
    nodes = [
        search(_core.Searcher(evaluation(name), 4), position, depth=6).nodes
        for name in ("discs", "swh", "course")
        for position in middlegames(4, seed=600)[2:]
    ]
    assert nodes == SIGNATURE


SIGNATURE = [3146, 8033, 2971, 7248, 3495, 8727]


class TestPythonEvaluators:
    """A leaf evaluator written in Python, called in batches."""

    @staticmethod
    def discs(
        own: NDArray[np.uint64], other: NDArray[np.uint64], white: bool
    ) -> NDArray[np.float64]:
        return np.bitwise_count(own).astype(np.float64) - np.bitwise_count(other)

    @pytest.mark.parametrize("horizon", [1, 2, 9])
    @pytest.mark.parametrize("ends", ["score", "evaluate"])
    def test_gives_the_minimax_value_and_move(self, horizon: int, ends: str) -> None:
        searcher = _core.Searcher(evaluation("discs"), 4, ends)
        for position in middlegames(20, seed=700):
            white = position.turn == "white"
            for depth in (1, 2, 4):
                value, move, nodes, evaluated, batches = _core.search_python(
                    *position.bits, white, depth, self.discs, horizon, ends
                )
                expected, first, _ = searcher.minimax(*position.bits, white, depth)
                assert (value, move) == (expected, first)
                assert batches <= max(1, evaluated)
                assert nodes > 0

    def test_prunes_and_batches(self) -> None:
        position = middlegames(2, seed=801)[1]
        white = position.turn == "white"
        pruned = _core.search_python(*position.bits, white, 5, self.discs, 2)
        whole = _core.search_python(*position.bits, white, 5, self.discs, 5)
        assert pruned[:2] == whole[:2]
        assert pruned[3] < whole[3] / 2
        assert whole[4] <= 2

    def test_a_wrong_answer_is_refused(self) -> None:
        with pytest.raises(ValueError, match="differ in length"):
            _core.search_python(
                *Position.start().bits, False, 2, lambda own, other, white: np.zeros(1)
            )
