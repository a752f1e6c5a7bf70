"""The champion's evaluation: what it adds up, move by move or from scratch, fitting, its file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from evaluations import slow_champion as slow
from outflank import PASS, Game, _core
from outflank.errors import DataError, FileError
from outflank.evaluations import evaluation, fingerprint_of
from outflank.evaluations.champion import champion_facts, load_champion, save_champion
from outflank.othello.boards import Boards
from reference import bits
from reference import random_game as slow_game
from strategies import games

SHAPE = _core.ChampionEvaluation.shape


def random_weights(seed: int) -> NDArray[np.int16]:
    return np.random.default_rng(seed).integers(-200, 200, SHAPE).astype(np.int16)


@pytest.fixture(scope="module")
def weights() -> NDArray[np.int16]:
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
    assert (34, slow.weights_of_stage()) == SHAPE
    assert _core.ChampionEvaluation.shapes() == [slow.squares_of(shape) for shape in slow.SHAPES]
    for empties in range(61):
        assert _core.ChampionEvaluation.stage_of(empties) == slow.stage_of(empties)
    assert SHAPE[0] * SHAPE[1] * 2 <= 20_000_000  # bytes of its file


def test_it_adds_up_what_the_slow_reference_adds_up(weights: NDArray[np.int16]) -> None:
    found = _core.ChampionEvaluation(weights)
    for seed in range(3):
        for board, _ in slow_game(seed):
            assert found.evaluate(*bits(board), False) == slow.value(board, weights)


@settings(max_examples=60, deadline=None)
@given(games())
def test_move_by_move_is_as_from_scratch(game: Game) -> None:
    found = _core.ChampionEvaluation(random_weights(1))
    values = found.evaluate_line(*game.start.bits, [int(move) for move in game.moves])
    scratch = [found.evaluate(*position.bits, False) for position in game.positions()]
    assert values.tolist() == scratch


def test_an_illegal_move_in_a_line_is_refused(weights: NDArray[np.int16]) -> None:
    found, start = _core.ChampionEvaluation(weights), Boards.start(1)
    for wrong in (0, 99, -1):
        with pytest.raises(ValueError, match="move 0 is not legal"):
            found.evaluate_line(int(start.own[0]), int(start.other[0]), [wrong])
    passed = found.evaluate_line(int(start.own[0]), int(start.other[0]), [int(PASS)])
    assert len(passed) == 2


def test_searches_with_it_are_minimax(weights: NDArray[np.int16]) -> None:
    """The search keeps contents move by move; plain minimax evaluates from scratch."""
    for ends in ("score", "discs"):
        searcher = _core.Searcher(_core.ChampionEvaluation(weights), 4, ends)
        boards = boards_of_games(60, seed=3)[::40]
        for own, other in zip(boards.own.tolist(), boards.other.tolist(), strict=True):
            value, _, _ = searcher.minimax(own, other, False, 4)
            assert searcher.search(own, other, False, depth=4).lines[0].value == value


def test_a_wrong_number_of_weights_is_refused() -> None:
    with pytest.raises(ValueError, match="weights"):
        _core.ChampionEvaluation(np.zeros((3, 3), np.int16))


class TestFitting:
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
        fitted = _core.fit_champion(
            boards.own, boards.other, self.score(boards), iterations=15, pull=1.0
        )
        found = _core.ChampionEvaluation(_core.quantise_champion(fitted))
        tests = boards_of_games(300, seed=9)
        values = found.evaluate(tests.own, tests.other, tests.white_to_move) / found.units
        scores = self.score(tests)
        assert np.mean(np.abs(values - scores)) < 0.5 * np.mean(np.abs(scores - scores.mean()))

    def test_mirror_images_have_one_value(self, boards: Boards) -> None:
        random = np.random.default_rng(1).normal(0, 10, len(boards)).astype(np.float32)
        fitted = _core.fit_champion(boards.own, boards.other, random, iterations=3, pull=1.0)
        found = _core.ChampionEvaluation(_core.quantise_champion(fitted))
        some = boards[::20]
        values = found.evaluate(some.own, some.other, some.white_to_move)
        assert len(np.unique(values)) > len(values) // 2
        for symmetry in range(1, 8):
            image = some.transform(symmetry)
            there = found.evaluate(image.own, image.other, image.white_to_move)
            assert np.array_equal(there, values)

    def test_threads_do_not_change_it(self, boards: Boards) -> None:
        scores = self.score(boards)
        one, two = (
            _core.fit_champion(boards.own, boards.other, scores, iterations=2, threads=threads)
            for threads in (1, 2)
        )
        assert np.array_equal(one, two)

    def test_stages_without_positions_take_their_neighbours(self, boards: Boards) -> None:
        late = boards[np.bitwise_count(boards.own | boards.other) == 64 - 12]
        fitted = _core.fit_champion(late.own, late.other, self.score(late), iterations=5, sweeps=1)
        stage = _core.ChampionEvaluation.stage_of
        assert np.any(fitted[stage(12)] != 0)
        assert np.allclose(fitted[stage(14)], fitted[stage(12)], atol=1e-4)
        assert not np.any(fitted[stage(13)])

    def test_it_can_start_from_other_weights(self, boards: Boards) -> None:
        scores = self.score(boards)
        first = _core.fit_champion(boards.own, boards.other, scores, iterations=4, sweeps=1)
        again = _core.fit_champion(
            boards.own, boards.other, scores, start=first, iterations=0, sweeps=1
        )
        assert np.array_equal(first, again)
        with pytest.raises(ValueError, match="shape"):
            _core.fit_champion(boards.own, boards.other, scores, start=np.zeros((2, 2), np.float32))


def test_weights_too_large_to_hold_are_cut_off() -> None:
    weights = np.zeros(SHAPE, np.float32)
    weights[0, :3] = [1e6, -1e6, 1 / 128]
    assert _core.quantise_champion(weights)[0, :3].tolist() == [32767, -32767, 1]


def test_its_file_is_mapped_and_found_by_its_path(
    tmp_path: Path, weights: NDArray[np.int16]
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
    save_champion(path, np.zeros((2, 3), np.int16), {})
    with pytest.raises(DataError, match="weights, not 6"):
        load_champion(path)
    save_champion(path, np.zeros((2, 3), np.int32), {})
    with pytest.raises(DataError, match="I32"):
        load_champion(path)
