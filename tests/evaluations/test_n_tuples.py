"""N-tuple networks: values, their whole numbers, and the moves that they choose."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import reference
from evaluations.player_texts import random_tuples, slow_value, text_of
from outflank import _core
from outflank.data.league import league_path
from outflank.data.player_file import PlayerFile
from outflank.evaluations import evaluation, league_network
from outflank.othello.boards import Boards


@cache
def some_boards() -> tuple[tuple[reference.Board, bool], ...]:
    """Boards of random games from their movers' views, and whether white is to move."""
    return tuple(
        (board, ply % 2 == 1)
        for seed in range(6)
        for ply, (board, move) in enumerate(reference.random_game(seed))
        if move != -1
    )


@cache
def batch() -> Boards:
    bits = np.array([reference.bits(board) for board, _ in some_boards()], np.uint64)
    white = np.array([white for _, white in some_boards()])
    return Boards(bits[:, 0].copy(), bits[:, 1].copy(), white)


def network(seed: int, inverts: bool) -> _core.NTupleNetwork:
    file = PlayerFile.parse(text_of(random_tuples(seed)).encode())
    return _core.NTupleNetwork(file.lengths, file.squares, file.offsets, file.weights, inverts)


def values(one: _core.NTupleNetwork, boards: Boards) -> NDArray[np.float64]:
    return one.values(boards.own, boards.other, boards.white_to_move)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("inverts", [False, True])
class TestEveryNetwork:
    def test_is_what_the_reference_says(self, seed: int, inverts: bool) -> None:
        tuples = random_tuples(seed)
        slow = [slow_value(tuples, board, white, inverts) for board, white in some_boards()]
        assert values(network(seed, inverts), batch()) == pytest.approx(slow, abs=1e-9)

    def test_in_whole_numbers_is_as_near_as_they_allow(self, seed: int, inverts: bool) -> None:
        one, boards = network(seed, inverts), batch()
        whole = one.evaluate(boards.own, boards.other, boards.white_to_move)
        assert np.abs(whole / one.units - values(one, boards)).max() < 0.51 / one.units
        assert one.units >= 2**16

    def test_takes_the_move_after_which_it_values_the_board_most(
        self, seed: int, inverts: bool
    ) -> None:
        """The rule as published: black takes the most; white the least, or swaps the colours."""
        tuples, boards = random_tuples(seed), batch()
        keys = np.zeros(len(boards), np.uint64)
        chosen = network(seed, inverts).choose(boards.own, boards.other, boards.white_to_move, keys)
        for (board, white), move in zip(some_boards(), chosen.tolist(), strict=True):
            moves = reference.legal_moves(board)
            if not moves:
                assert move == _core.PASS
                continue
            worth = {}
            for square in moves:
                after = reference.swap(reference.play(board, square))  # the mover's view
                black_view = reference.swap(after) if white and not inverts else after
                value = sum(one.value(black_view) for one in tuples)
                worth[square] = -value if white and not inverts else value
            assert worth[move] > max(worth.values()) - 1e-6

    def test_prefers_what_a_search_of_one_ply_prefers(self, seed: int, inverts: bool) -> None:
        one, boards = network(seed, inverts), batch()
        boards = boards[boards.legal_moves() != 0]
        keys = np.zeros(len(boards), np.uint64)
        after = boards.play(one.choose(boards.own, boards.other, boards.white_to_move, keys))
        found = -one.evaluate(after.own, after.other, after.white_to_move)
        index, square = np.nonzero(boards.legal_mask()[:, :64])
        all_after = boards[index].play(square)
        worth = -one.evaluate(all_after.own, all_after.other, all_after.white_to_move)
        best = np.full(len(boards), -(2**31), np.int64)
        np.maximum.at(best, index, worth)
        assert (found >= best - 1 - 1e-6 * one.units).all()


def test_networks_do_not_depend_on_the_number_of_threads() -> None:
    one, boards = network(1, False), Boards.concatenate([batch()] * 10)
    keys = np.arange(len(boards), dtype=np.uint64)
    sides = boards.own, boards.other, boards.white_to_move
    for function in (one.evaluate, one.values):
        assert np.array_equal(function(*sides, threads=1), function(*sides, threads=3))
    assert np.array_equal(one.choose(*sides, keys, threads=1), one.choose(*sides, keys, threads=3))


def test_equal_moves_are_chosen_equally_often() -> None:
    boards = Boards.start(8000)
    keys = np.arange(8000, dtype=np.uint64)
    chosen = league_network("swh").choose(boards.own, boards.other, boards.white_to_move, keys)
    counts = Counter(chosen.tolist())
    assert set(counts) == {19, 26, 37, 44}  # d3, c4, f5, e6
    assert all(abs(count - 2000) < 160 for count in counts.values())  # four standard deviations


def test_values_closer_than_a_millionth_are_equal() -> None:
    """Among d3, c4, f5 and e6, a weight makes d3 better by a little, and then by enough."""
    boards = Boards.start(200)
    keys = np.arange(200, dtype=np.uint64)
    for gain, chosen in [(0.9e-6, {19, 26, 37, 44}), (1.1e-6, {19})]:
        weights = np.zeros(64)
        weights[19] = gain
        file = PlayerFile.of_squares(weights)
        one = _core.NTupleNetwork(file.lengths, file.squares, file.offsets, file.weights, False)
        moves = one.choose(boards.own, boards.other, boards.white_to_move, keys)
        assert set(moves.tolist()) == chosen


def test_the_weights_of_squares_are_a_network_too() -> None:
    boards = batch()
    for name in ("swh", "lr06", "sjk09", "sjk11"):
        squares = evaluation(name)
        whole = squares.evaluate(boards.own, boards.other, boards.white_to_move)
        found = values(league_network(name), boards)
        assert found == pytest.approx(whole / squares.units, abs=1e-9)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"lengths": np.array([], np.uint8), "squares": np.array([], np.uint8),
          "offsets": np.array([], np.uint32)}, "at least one tuple"),
        ({"lengths": np.array([0], np.uint8), "squares": np.array([], np.uint8)}, "1 to 10"),
        ({"lengths": np.array([11], np.uint8), "squares": np.zeros(11, np.uint8)}, "1 to 10"),
        ({"lengths": np.array([3], np.uint8)}, "too few squares"),
        ({"lengths": np.array([1], np.uint8)}, "too many squares"),
        ({"squares": np.array([0, 64], np.uint8)}, "numbered 0 to 63"),
        ({"offsets": np.array([1], np.uint32)}, "beyond the end"),
        ({"offsets": np.array([2**32 - 1], np.uint32)}, "beyond the end"),
        ({"offsets": np.array([0, 0], np.uint32)}, "differ in length"),
        ({"weights": np.zeros(8)}, "beyond the end"),
        ({"weights": np.full(9, np.nan)}, "finite"),
        ({"weights": np.full(9, np.inf)}, "finite"),
        ({"lengths": np.ones(4097, np.uint8), "squares": np.zeros(4097, np.uint8),
          "offsets": np.zeros(4097, np.uint32)}, "at most 4096"),
    ],
)  # fmt: skip
def test_networks_that_make_no_sense_are_refused(
    change: dict[str, NDArray[Any]], problem: str
) -> None:
    parts: dict[str, NDArray[Any]] = {
        "lengths": np.array([2], np.uint8),
        "squares": np.array([0, 1], np.uint8),
        "offsets": np.array([0], np.uint32),
        "weights": np.zeros(9),
    }
    _core.NTupleNetwork(**parts, inverts=False)
    with pytest.raises(ValueError, match=problem):
        _core.NTupleNetwork(**(parts | change), inverts=False)


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1.0, 1e30, 1e100])
def test_weights_of_any_size_fit_into_whole_numbers(scale: float) -> None:
    file = PlayerFile.of_squares(np.linspace(-scale, scale, 64))
    one = _core.NTupleNetwork(file.lengths, file.squares, file.offsets, file.weights, False)
    boards = batch()
    whole = one.evaluate(boards.own, boards.other, boards.white_to_move)
    assert np.abs(whole.astype(np.int64)).max() <= 10**9
    if scale >= 1e-30:
        assert whole / one.units == pytest.approx(values(one, boards), abs=1e-7 * max(scale, 1))


# Tuples with and without their images, and weights, of each published file.
FACTS = {
    "sjk13-ctdl": (96, 4698),
    "sjk13-etdl": (96, 3240),
    "pb11-etdl": (120, 6561),
    "em10-nash70": (96, 8748),
    "em10-tciag2": (96, 8748),
    "em10-tciag1": (96, 8748),
    "em10-gecco": (96, 8748),
    "rl14-ipref1": (64, 192),
    "rl14-iprefn": (120, 6561),
    "cocmaes-4+2x2": (236, 2511),
    "wj14-all2": (210, 288),
    "wj14-all123": (442, 966),
}


# One has no images of its tuples, two list the squares of some images in another order.
LOPSIDED = {"rl14-ipref1", "wj14-all2", "wj14-all123"}


@pytest.mark.parametrize("name", FACTS)
def test_a_published_network(name: str, league_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTFLANK_LEAGUE", str(league_data))
    file = PlayerFile.parse(league_path(name).read_bytes())
    assert (len(file.lengths), len(file.weights)) == FACTS[name]
    one, boards = league_network(name), batch()
    whole = one.evaluate(boards.own, boards.other, boards.white_to_move)
    assert np.abs(whole / one.units - values(one, boards)).max() < 2e-5
    for symmetry in range(1, 8):
        image = boards.transform(symmetry)
        turned = one.evaluate(image.own, image.other, image.white_to_move)
        assert np.array_equal(whole, turned) == (name not in LOPSIDED)
