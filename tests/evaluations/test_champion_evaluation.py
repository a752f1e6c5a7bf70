"""The champion's evaluation: its values, move by move or from scratch, training, its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from evaluations import slow_champion as slow
from evaluations.champions import no_weights, random_weights
from outflank import PASS, Game, _core
from outflank.errors import DataError, FileError
from outflank.evaluations import evaluation, fingerprint_of
from outflank.evaluations.champion import champion_facts, load_champion, save_champion
from outflank.nets.files import save_tensors
from outflank.othello.boards import Boards
from reference import bits
from reference import random_game as slow_game
from strategies import games


@pytest.fixture(scope="module")
def weights() -> NDArray[np.int8]:
    return random_weights(1)


def boards_of_games(count: int, seed: int = 1) -> Boards:
    boards = Boards.start(count)
    kept = []
    for ply in range(56):
        boards = boards[~boards.is_over()]
        boards = boards.play(_core.random_moves(boards.own, boards.other, seed * 100 + ply))
        kept.append(boards[ply % 5 :: 5])
    kept_boards = Boards.concatenate(kept)
    return kept_boards[~kept_boards.is_over()]


def test_its_form_is_the_one_the_reference_describes() -> None:
    assert _core.ChampionEvaluation.shapes() == [slow.squares_of(shape) for shape in slow.SHAPES]
    for empties in range(61):
        assert _core.ChampionEvaluation.stage_of(empties) == slow.stage_of(empties)
    assert _core.ChampionEvaluation.bytes <= 20_000_000  # of its file


def test_its_values_are_those_of_the_slow_reference(weights: NDArray[np.int8]) -> None:
    found, parts = _core.ChampionEvaluation(weights), slow.Parts(weights)
    values = set()
    for seed in range(3):
        for board, _ in slow_game(seed):
            wanted = slow.value(board, parts)
            assert found.evaluate(*bits(board), False) == wanted
            values.add(wanted)
    assert len(values) > 100


@settings(max_examples=60, deadline=None)
@given(games())
def test_move_by_move_is_as_from_scratch(game: Game) -> None:
    found = _core.ChampionEvaluation(random_weights(1))
    values = found.evaluate_line(*game.start.bits, [int(move) for move in game.moves])
    scratch = [found.evaluate(*position.bits, False) for position in game.positions()]
    assert values.tolist() == scratch


def test_an_illegal_move_in_a_line_is_refused(weights: NDArray[np.int8]) -> None:
    found, start = _core.ChampionEvaluation(weights), Boards.start(1)
    for wrong in (0, 99, -1):
        with pytest.raises(ValueError, match="move 0 is not legal"):
            found.evaluate_line(int(start.own[0]), int(start.other[0]), [wrong])
    passed = found.evaluate_line(int(start.own[0]), int(start.other[0]), [int(PASS)])
    assert len(passed) == 2


def test_searches_with_it_are_minimax(weights: NDArray[np.int8]) -> None:
    """The search keeps contents move by move; plain minimax evaluates from scratch."""
    for ends in ("score", "discs"):
        searcher = _core.Searcher(_core.ChampionEvaluation(weights), 4, ends)
        boards = boards_of_games(60, seed=3)[::40]
        for own, other in zip(boards.own.tolist(), boards.other.tolist(), strict=True):
            value, _, _ = searcher.minimax(own, other, False, 4)
            assert searcher.search(own, other, False, depth=4).lines[0].value == value


def test_a_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="bytes of weights, not 3"):
        _core.ChampionEvaluation(np.zeros(3, np.int8))


class TestTraining:
    """Weights that follow scores."""

    @pytest.fixture(scope="class")
    @staticmethod
    def boards() -> Boards:
        return boards_of_games(3000)

    @staticmethod
    def score(of: Boards) -> NDArray[np.float32]:
        """A rule that shapes can express: corners, and the moves of both sides."""
        corners = np.uint64(0x8100000000000081)
        ahead = [np.bitwise_count(side & corners).astype(np.float32) for side in (of.own, of.other)]
        moves = np.bitwise_count(of.legal_moves()).astype(np.float32)
        score: NDArray[np.float32] = np.float32(8) * (ahead[0] - ahead[1]) + moves
        return score

    def test_it_learns_a_rule(self, boards: Boards) -> None:
        trained = _core.fit_champion(
            boards.own, boards.other, self.score(boards), passes=3, batch=128
        )
        found = _core.ChampionEvaluation(_core.quantise_champion(trained))
        tests = boards_of_games(300, seed=9)
        values = found.evaluate(tests.own, tests.other, tests.white_to_move) / found.units
        scores = self.score(tests)
        assert np.mean(np.abs(values - scores)) < 0.4 * np.mean(np.abs(scores - scores.mean()))

    def test_it_goes_down_the_gradient(self) -> None:
        """One step of Adam changes a weight by the rate, against the sign of its derivative."""
        board = list(slow_game(5))[30][0]
        own, other = (np.array([side], np.uint64) for side in bits(board))
        score, rate = np.array([40], np.float32), 1e-3

        def trained(start: NDArray[np.float32], passes: int) -> NDArray[np.float32]:
            return _core.fit_champion(
                own, other, score, start=start, passes=passes, batch=1, rate=rate
            )

        size = len(_core.champion_numbers(no_weights()))
        random = np.random.default_rng(3).normal(0, 0.1, size).astype(np.float32)
        before = trained(random, passes=0)  # symmetric
        change = trained(before, passes=1) - before
        moved = np.flatnonzero(np.abs(change) > rate / 2)
        assert np.allclose(np.abs(change[moved]), rate, rtol=0.02)
        assert not change[np.setdiff1d(np.arange(len(change)), moved)].any()

        def loss(numbers: NDArray[np.float64]) -> float:
            return float((slow.float_value(board, numbers) - score[0] / 16) ** 2)

        numbers = before.astype(np.float64)
        used = {32 * row + channel for row in slow.rows_of(board) for channel in range(32)}
        dense = set(range(32 * slow.row_count(), len(numbers)))
        checked = 0
        for index in moved[:: max(1, len(moved) // 150)].tolist():
            if index not in used | dense:
                continue  # the mirror image of one that is
            ends = []
            for step in (1e-4, -1e-4):
                other_numbers = numbers.copy()
                other_numbers[index] += step
                ends.append(loss(other_numbers))
            derivative = (ends[0] - ends[1]) / 2e-4
            if abs(derivative) > 1e-6:
                assert np.sign(change[index]) == -np.sign(derivative)
                checked += 1
        assert checked > 50

    def test_mirror_images_have_one_value(self, boards: Boards) -> None:
        random = np.random.default_rng(1).normal(0, 10, len(boards)).astype(np.float32)
        trained = _core.fit_champion(boards.own, boards.other, random, passes=1, batch=512)
        found = _core.ChampionEvaluation(_core.quantise_champion(trained))
        some = boards[::20]
        values = found.evaluate(some.own, some.other, some.white_to_move)
        assert len(np.unique(values)) > 100
        for symmetry in range(1, 8):
            image = some.transform(symmetry)
            there = found.evaluate(image.own, image.other, image.white_to_move)
            assert np.array_equal(there, values)

    def test_threads_do_not_change_it(self, boards: Boards) -> None:
        some = boards[::10]
        one, two = (
            _core.fit_champion(some.own, some.other, self.score(some), batch=200, threads=threads)
            for threads in (1, 2)
        )
        assert np.array_equal(one, two)

    def test_fewer_positions_than_a_batch_are_learned_from(self, boards: Boards) -> None:
        few = boards[5000:5003]
        scores = np.array([20, -10, 5], np.float32)
        trained = _core.fit_champion(few.own, few.other, scores, passes=300, batch=2048)
        found = _core.ChampionEvaluation(_core.quantise_champion(trained))
        values = found.evaluate(few.own, few.other, few.white_to_move) / found.units
        assert np.allclose(values, scores, atol=1)

    def test_the_seed_decides_the_first_weights(self) -> None:
        nothing = np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0, np.float32)
        one, again, other = (_core.fit_champion(*nothing, seed=seed) for seed in (1, 1, 2))
        assert np.array_equal(one, again)
        assert not np.array_equal(one, other)

    def test_it_can_start_from_other_weights(self, boards: Boards) -> None:
        first = _core.champion_numbers(random_weights(4))
        scores = self.score(boards)
        again = _core.fit_champion(boards.own, boards.other, scores, start=first, passes=0)
        dense = slice(32 * slow.row_count(), None)
        assert np.array_equal(first[dense], again[dense])
        with pytest.raises(ValueError, match="size"):
            _core.fit_champion(boards.own, boards.other, scores, start=np.zeros(3, np.float32))


def test_whole_numbers_are_read_back(weights: NDArray[np.int8]) -> None:
    numbers = _core.champion_numbers(weights)
    assert np.array_equal(_core.quantise_champion(numbers), weights)
    with pytest.raises(ValueError, match="not the champion's weights"):
        _core.champion_numbers(weights[1:])


def test_biases_beyond_all_sums_are_cut_off() -> None:
    """A file may hold any bytes; no sum of 32 bits may overflow."""
    start = Boards.start(1)
    for byte in (0x7F, -0x80):
        weights = np.full(_core.ChampionEvaluation.bytes, byte, np.int8)
        found = _core.ChampionEvaluation(weights)
        value = found.evaluate(start.own, start.other, start.white_to_move)[0]
        assert value == (slow.LIMIT if byte > 0 else -slow.LIMIT)


def test_weights_too_large_to_hold_are_cut_off(weights: NDArray[np.int8]) -> None:
    numbers = _core.champion_numbers(weights)
    numbers[:3] = [1e6, -1e6, 1 / 64]
    assert _core.quantise_champion(numbers)[:3].tolist() == [127, -127, 1]


def test_its_file_is_mapped_and_found_by_its_path(
    tmp_path: Path, weights: NDArray[np.int8]
) -> None:
    path = tmp_path / "mine.safetensors"
    save_champion(path, weights, {"rounds": 3})
    assert champion_facts(path) == {"rounds": 3}
    mapped, direct = load_champion(path), _core.ChampionEvaluation(weights)
    boards = boards_of_games(50)
    wanted = direct.evaluate(boards.own, boards.other, boards.white_to_move)
    for found in (mapped, evaluation(str(path))):
        there = found.evaluate(boards.own, boards.other, boards.white_to_move)
        assert np.array_equal(there, wanted)
    assert fingerprint_of(str(path))


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    with pytest.raises(FileError, match="no such file"):
        load_champion(path)
    path.write_bytes(b"nothing")
    with pytest.raises(DataError, match="not a whole"):
        load_champion(path)
    save_champion(path, np.zeros(6, np.int8), {})
    with pytest.raises(DataError, match="weights, not 6"):
        load_champion(path)
    # A file of the form before this one.
    save_tensors(path, {"weights": np.zeros((2, 3), np.int16)}, kind="champion", facts={})
    with pytest.raises(DataError, match="train it anew"):
        load_champion(path)
    save_tensors(path, {"weights": np.zeros(6, np.int32)}, kind="champion", facts={})
    with pytest.raises(DataError, match="I32"):
        load_champion(path)
