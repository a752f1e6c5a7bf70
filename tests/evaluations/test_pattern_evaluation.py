"""The evaluation by patterns: what it adds up, its symmetry, how it is learned, its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from outflank import _core
from outflank.errors import DataError, FileError, SpecError
from outflank.evaluations import evaluation
from outflank.evaluations.patterns import save_patterns
from outflank.othello.boards import Boards
from reference import Board, bits, image_of_square, legal_moves, swap
from reference import random_game as slow_game

_STAGES, _NUMBERS = 16, 32

# The shapes as they stand at the corner a1, in the order of their digits.
SHAPES = [
    *([8 * row + column for column in range(8)] for row in range(4)),
    *([8 - length + 9 * step for step in range(length)] for length in range(4, 9)),
    [0, 1, 2, 8, 9, 10, 16, 17, 18],
    [9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    [0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
]


def state(board: Board, squares: list[int]) -> int:
    """What stands on squares as a number of base 3: empty 0, own 1, other 2; the first lowest."""
    return sum({0: 0, 1: 1, -1: 2}[board[square]] * 3**i for i, square in enumerate(squares))


def digits(number: int, length: int) -> list[int]:
    return [number // 3**i % 3 for i in range(length)]


def placements(shape: list[int]) -> list[list[list[int]]]:
    """All places of a shape, each with the one or two ways in which symmetries read it."""
    places: dict[frozenset[int], list[list[int]]] = {}
    for symmetry in range(8):
        squares = [image_of_square(square, symmetry) for square in shape]
        readings = places.setdefault(frozenset(squares), [])
        if squares not in readings:
            readings.append(squares)
    return list(places.values())


def rows_of(shape: list[int]) -> list[int]:
    """The row of each state: states that a symmetry exchanges share one, numbered as they come."""
    readings = placements(shape)[0]
    orders = [[readings[0].index(square) for square in reading] for reading in readings]
    rows: dict[int, int] = {}
    for number in range(3 ** len(shape)):
        content = digits(number, len(shape))
        images = [sum(content[d] * 3**i for i, d in enumerate(order)) for order in orders]
        rows[number] = rows[min(images)] if min(images) < number else len(set(rows.values()))
    return [rows[number] for number in range(3 ** len(shape))]


def test_it_adds_up_what_stands_on_each_pattern() -> None:
    shapes = SHAPES[4:7]  # short ones: numbering the rows of long ones slowly takes minutes
    sizes = [len(set(_fast_rows(shape).tolist())) for shape in SHAPES]
    begins = np.cumsum([0, *sizes])
    of_stage = int(begins[-1]) + 2 * _NUMBERS
    weights = np.zeros((_STAGES, of_stage), np.int16)
    random = np.random.default_rng(1)
    for number in (4, 5, 6):
        weights[:, begins[number] : begins[number + 1]] = random.integers(
            -500, 500, (_STAGES, sizes[number])
        )
    weights[:, begins[-1] :] = random.integers(-500, 500, (_STAGES, 2 * _NUMBERS))
    found = _core.PatternEvaluation(weights)
    tables = [rows_of(shape) for shape in shapes]
    for board, _ in [entry for seed in range(4) for entry in slow_game(seed)]:
        stage = min(board.count(0) // 4, _STAGES - 1)
        total = 0
        for number, (shape, rows) in enumerate(zip(shapes, tables, strict=True)):
            for readings in placements(shape):
                row = rows[state(board, readings[0])]
                total += int(weights[stage, begins[4 + number] + row])
        total += int(weights[stage, begins[-1] + len(legal_moves(board))])
        total += int(weights[stage, begins[-1] + _NUMBERS + len(legal_moves(swap(board)))])
        assert found.evaluate(*bits(board), False) == total


def _fast_rows(shape: list[int]) -> NDArray[np.int64]:
    """The least image of each state, for all states at once."""
    readings = placements(shape)[0]
    numbers = np.arange(3 ** len(shape))
    content = [numbers // 3**i % 3 for i in range(len(shape))]
    images = [
        sum(content[readings[0].index(square)] * 3**i for i, square in enumerate(reading))
        for reading in readings
    ]
    least: NDArray[np.int64] = np.minimum.reduce([np.asarray(image) for image in images])
    return least


def random_weights(seed: int) -> NDArray[np.int16]:
    of_stage = sum(len(set(_fast_rows(shape).tolist())) for shape in SHAPES) + 2 * _NUMBERS
    return np.random.default_rng(seed).integers(-500, 500, (_STAGES, of_stage)).astype(np.int16)


def some_boards(count: int, seed: int = 1) -> Boards:
    boards = Boards.start(count)
    kept = []
    for ply in range(50):
        boards = boards[~boards.is_over()]
        boards = boards.play(_core.random_moves(boards.own, boards.other, seed * 100 + ply))
        kept.append(boards[ply % 7 :: 7])
    return Boards(
        np.concatenate([part.own for part in kept]),
        np.concatenate([part.other for part in kept]),
        np.concatenate([part.white_to_move for part in kept]),
    )


def test_mirror_images_have_one_value() -> None:
    found, boards = _core.PatternEvaluation(random_weights(2)), some_boards(200)
    values = found.evaluate(boards.own, boards.other, boards.white_to_move)
    assert len(np.unique(values)) > len(values) // 2
    for symmetry in range(1, 8):
        image = boards.transform(symmetry)
        assert np.array_equal(found.evaluate(image.own, image.other, image.white_to_move), values)


def test_it_learns_scores_that_follow_a_rule() -> None:
    """Own corners less the opponent's: a sum that patterns can express exactly."""
    boards, tests = some_boards(3000), some_boards(300, seed=9)
    corners = np.uint64(0x8100000000000081)

    def score(of: Boards) -> NDArray[np.float32]:
        own, other = (np.bitwise_count(side & corners) for side in (of.own, of.other))
        ahead: NDArray[np.float32] = own.astype(np.float32) - other.astype(np.float32)
        return np.float32(10) * ahead

    errors = []
    for passes in (2, 60):
        weights = _core.fit_patterns(
            boards.own, boards.other, score(boards), passes=passes, rate=2.0
        )
        found = _core.PatternEvaluation(weights)
        values = found.evaluate(tests.own, tests.other, tests.white_to_move) / found.units
        errors.append(float(np.sqrt(((values - score(tests)) ** 2).mean())))
    assert errors[1] < 0.7 * errors[0]
    assert errors[1] < 0.5 * float(score(tests).std())


def test_the_number_of_threads_changes_nothing() -> None:
    boards = some_boards(300)
    scores = boards.score().astype(np.float32)
    one, two = (
        _core.fit_patterns(boards.own, boards.other, scores, passes=3, threads=threads)
        for threads in (1, 2)
    )
    assert np.array_equal(one, two)


def test_a_step_of_learning_goes_by_mean_errors() -> None:
    """One board has a weight's whole mean to itself; the others' weights stay."""
    before = random_weights(5)
    boards = some_boards(1)[:1]
    learner = _core.PatternLearner(before)
    evaluation_before = _core.PatternEvaluation(before)
    value = evaluation_before.evaluate(boards.own, boards.other, boards.white_to_move) / 128
    wanted = (value + 10).astype(np.float32)
    assert learner.step(boards.own, boards.other, wanted, prior=0.0) == pytest.approx(100, rel=1e-4)
    moved = learner.weights().astype(np.int64) - before
    stage = min(int(64 - np.bitwise_count(boards.own | boards.other)[0]) // 4, 15)
    assert not np.delete(moved, stage, axis=0).any()
    # Rows used twice (by two images of a shape) have the same mean error, so move alike.
    assert set(np.unique(moved)) == {0, round(10 / 52 * 128)}


def test_learning_step_by_step_finds_scores_whatever_the_threads() -> None:
    boards = some_boards(400)
    scores = boards.score().astype(np.float32)
    found = []
    for threads in (1, 2):
        learner = _core.PatternLearner(random_weights(0) * np.int16(0))
        errors = [
            learner.step(boards.own, boards.other, scores, threads=threads) for _ in range(40)
        ]
        assert errors[-1] < 0.5 * errors[0]
        found.append(learner.weights())
    assert np.array_equal(found[0], found[1])
    with pytest.raises(ValueError, match="weights"):
        _core.PatternLearner(np.zeros((1, 3), np.int16))


def test_a_file_is_an_evaluation(tmp_path: Path) -> None:
    weights, path = random_weights(3), tmp_path / "mine.safetensors"
    save_patterns(path, weights, {"years": [2000]})
    board = next(iter(some_boards(7)))
    loaded = evaluation(str(path))
    assert loaded.evaluate(*board.bits, False) == _core.PatternEvaluation(weights).evaluate(
        *board.bits, False
    )


def test_what_is_no_such_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"none\.safetensors"):
        evaluation(str(tmp_path / "none.safetensors"))
    short = tmp_path / "short.safetensors"
    save_patterns(short, np.zeros((2, 3), np.int16), {})
    with pytest.raises(DataError, match=r"short.*has [0-9]+ weights, not 6"):
        evaluation(str(short))
    short.write_bytes(b"nothing")
    with pytest.raises(DataError, match="not a whole"):
        evaluation(str(short))
    with pytest.raises(SpecError):
        evaluation("pattern")
