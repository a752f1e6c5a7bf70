"""The compiled rules: equal to the reference, to published counts and to themselves."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

import numpy as np
import pytest

import reference
from outflank import _core

START = reference.bits(reference.START)

# Published counts, a pass being a ply.
PERFT = [
    1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800,
]  # fmt: skip


@pytest.mark.parametrize("depth", range(12))
def test_perft_gives_the_published_counts(depth: int) -> None:
    assert _core.perft(*START, depth) == PERFT[depth]


def test_perft_of_the_reference_gives_them_too() -> None:
    assert [reference.perft(reference.START, depth) for depth in range(6)] == PERFT[:6]


# Distinct positions after 1 to 6 plies, and distinct up to symmetry.
DISTINCT = [4, 12, 54, 236, 1288, 7092]
DISTINCT_UP_TO_SYMMETRY = [1, 3, 14, 60, 322, 1773]


def test_the_number_of_distinct_positions_is_the_published_one() -> None:
    boards = {START}
    for distinct, up_to_symmetry in zip(DISTINCT, DISTINCT_UP_TO_SYMMETRY, strict=True):
        boards = {
            _core.play(own, other, square)
            for own, other in boards
            for square in range(64)
            if _core.legal_moves(own, other) >> square & 1
        }
        assert len(boards) == distinct
        assert len({_core.canonical(*board)[:2] for board in boards}) == up_to_symmetry
        assert len({_core.hash(*board) for board in boards}) == distinct


def disagreements(seed: int, games: int) -> tuple[int, list[str]]:
    """Compare every field along random games with the reference, each game under one symmetry."""
    positions = 0
    wrong = []
    for number in range(seed, seed + games):
        symmetry = number % 8
        for original, chosen in reference.random_game(number):
            board = reference.image(original, symmetry)
            own, other = reference.bits(board)
            positions += 1
            moves = reference.legal_moves(board)
            over = not moves and not reference.legal_moves(reference.swap(board))
            fields = {
                "legal moves": (_core.legal_moves(own, other), reference.mask(moves)),
                "end": (_core.is_over(own, other), over),
                "score": (_core.final_score(own, other), reference.final_score(board)),
                "hash": (_core.hash(own, other), reference.hash64(board)),
                "stable discs": (
                    _core.stable_discs(own, other),
                    reference.mask(reference.stable_discs(board)),
                ),
                "frontier": (
                    _core.frontier(own, other),
                    reference.mask(reference.frontier(board)),
                ),
                "potential mobility": (
                    _core.potential_mobility(own, other),
                    reference.mask(reference.potential_mobility(board)),
                ),
                "transform": (
                    tuple(_core.transform(x, symmetry) for x in reference.bits(original)),
                    (own, other),
                ),
            }
            for move in moves:
                fields[f"flips of {move}"] = (
                    _core.flips(own, other, move),
                    reference.mask(reference.flips(board, move)),
                )
            if chosen == 64:
                fields["pass"] = (_core.play(own, other, 64), (other, own))
            elif chosen >= 0:
                move = reference.image_of_square(chosen, symmetry)
                fields["transformed move"] = (_core.transform_move(chosen, symmetry), move)
                fields["play"] = (
                    _core.play(own, other, move),
                    reference.bits(reference.play(board, move)),
                )
            if positions % 8 == 0:
                fields["canonical form"] = (_core.canonical(own, other), reference.canonical(board))
            wrong += [
                f"{name} of {own:#x} {other:#x}: {ours} {theirs}"
                for name, (ours, theirs) in fields.items()
                if ours != theirs
            ]
    return positions, wrong


def test_random_games_agree_with_the_reference_on_every_field() -> None:
    parts = 16
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        results = list(pool.map(disagreements, range(0, parts * 1000, 1000), [105] * parts))
    assert [line for _, wrong in results for line in wrong] == []
    assert sum(positions for positions, _ in results) >= 100_000


@cache
def sample() -> tuple[np.ndarray, np.ndarray]:
    """Boards of random games, over a hundred thousand, as arrays (own, other)."""
    own = np.full(2000, START[0], np.uint64)
    other = np.full(2000, START[1], np.uint64)
    boards = []
    seed = 0
    while len(own):
        boards.append((own, other))
        going = ~_core.is_over(own, other)
        own, other = own[going], other[going]
        own, other = _core.play(own, other, _core.random_moves(own, other, seed))
        seed += 1
    return np.concatenate([b[0] for b in boards]), np.concatenate([b[1] for b in boards])


FIELDS = ["legal_moves", "stable_discs", "frontier", "potential_mobility", "is_over", "final_score"]


@pytest.mark.parametrize("field", [*FIELDS, "hash"])
def test_batches_equal_single_boards_with_any_number_of_threads(field: str) -> None:
    own, other = sample()
    function = getattr(_core, field)
    batch = function(own, other)
    assert len(own) > 100_000
    assert np.array_equal(batch, function(own, other, threads=1))
    assert np.array_equal(batch, function(own, other, threads=5))
    some = slice(None, None, 101)
    single = [
        function(*board) for board in zip(own[some].tolist(), other[some].tolist(), strict=True)
    ]
    assert batch[some].tolist() == single


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("field", FIELDS)
def test_every_field_turns_with_the_board(field: str, symmetry: int) -> None:
    own, other = sample()
    function = getattr(_core, field)
    turned = function(_core.transform(own, symmetry), _core.transform(other, symmetry))
    expected = function(own, other)
    if expected.dtype == np.uint64:
        expected = _core.transform(expected, symmetry)
    assert np.array_equal(turned, expected)


def test_all_eight_images_have_one_canonical_form() -> None:
    own, other = sample()
    form = _core.canonical(own, other)
    assert np.array_equal(_core.transform(own, form[2]), form[0])
    assert np.array_equal(_core.transform(other, form[2]), form[1])
    for symmetry in range(1, 8):
        image = _core.canonical(_core.transform(own, symmetry), _core.transform(other, symmetry))
        assert np.array_equal(image[0], form[0])
        assert np.array_equal(image[1], form[1])


@pytest.mark.parametrize("symmetry", range(8))
def test_each_symmetry_is_undone_by_exactly_one(symmetry: int) -> None:
    moved = [_core.transform_move(square, symmetry) for square in range(65)]
    undone = [[_core.transform_move(move, back) for move in moved] for back in range(8)]
    assert undone.count(list(range(65))) == 1


def test_moves_turn_in_batches_as_they_do_one_by_one() -> None:
    moves = np.repeat(np.arange(65, dtype=np.uint8), 8)
    symmetries = np.tile(np.arange(8, dtype=np.uint8), 65)
    turned = _core.transform_move(moves, symmetries)
    expected = [
        _core.transform_move(m, s) for m, s in zip(moves.tolist(), symmetries.tolist(), strict=True)
    ]
    assert turned.tolist() == expected


def test_a_batch_of_moves_is_played_as_single_moves_are() -> None:
    own, other = sample()
    going = ~_core.is_over(own, other)
    own, other = own[going], other[going]
    moves = _core.random_moves(own, other, 7)
    assert (moves == _core.PASS).any()
    next_own, next_other = _core.play(own, other, moves)
    for index in range(0, len(own), 97):
        single = _core.play(int(own[index]), int(other[index]), int(moves[index]))
        assert single == (next_own[index], next_other[index])


def test_an_illegal_move_in_a_batch_is_named_by_its_index() -> None:
    own = np.full(40_000, START[0], np.uint64)
    other = np.full(40_000, START[1], np.uint64)
    moves = np.full(40_000, 19, np.uint8)
    moves[[30_000, 39_000]] = [0, 64]
    with pytest.raises(ValueError, match="illegal move 0 at index 30000"):
        _core.play(own, other, moves)
    moves[30_000] = 19
    with pytest.raises(ValueError, match="illegal move 64 at index 39000"):
        _core.play(own, other, moves)


@pytest.mark.parametrize("move", [0, 27, 64, 65, -1])
def test_an_illegal_move_is_refused(move: int) -> None:
    with pytest.raises(ValueError, match=r"illegal|no such square"):
        _core.play(*START, move)


def test_batches_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length: 2 and 3"):
        _core.legal_moves(np.zeros(2, np.uint64), np.zeros(3, np.uint64))


def test_planes_show_the_board_row_by_row() -> None:
    own, other = (x[::50] for x in sample())
    names = ["own", "other", "empty", "legal", "ones", "border"]
    planes = _core.planes(own, other, names)
    assert planes.shape == (len(own), 6, 8, 8)
    assert planes.dtype == np.float32
    assert np.array_equal(_core.planes_uint8(own, other, names), planes)
    masks = [own, other, ~(own | other), _core.legal_moves(own, other)]
    for plane, bits in enumerate(masks):
        for square in range(64):
            row, column = divmod(square, 8)
            expected = bits >> np.uint64(square) & np.uint64(1)
            assert np.array_equal(planes[:, plane, row, column], expected.astype(np.float32))
    assert planes[:, 4].all()
    assert planes[0, 5].sum() == 28
    assert not planes[:, 5, 1:7, 1:7].any()
    with pytest.raises(ValueError, match="no such plane: discs"):
        _core.planes(own, other, ["discs"])


def test_playouts_depend_on_the_seed_alone() -> None:
    own, other = (x[:500] for x in sample())
    scores = _core.random_playouts(own, other, 1, games=20)
    assert scores.shape == (500, 20)
    assert np.array_equal(scores, _core.random_playouts(own, other, 1, games=20, threads=1))
    assert np.array_equal(scores, _core.random_playouts(own, other, 1, games=20, threads=3))
    assert not np.array_equal(scores, _core.random_playouts(own, other, 2, games=20))


def test_playouts_are_uniformly_random_games() -> None:
    """The mean score from the start agrees with that of the reference's random games."""
    own, other = (np.full(50_000, bits, np.uint64) for bits in START)
    ours = _core.random_playouts(own, other, 5).ravel()
    theirs = []
    for seed in range(400):
        *_, (board, _) = reference.random_game(seed)
        plies = len(list(reference.random_game(seed))) - 1
        theirs.append(reference.final_score(board) * (-1) ** plies)
    error = np.hypot(ours.std() / len(ours) ** 0.5, np.std(theirs) / len(theirs) ** 0.5)
    assert abs(ours.mean() - np.mean(theirs)) < 4 * error
    assert 15 < ours.std() < 25


def test_a_finished_board_plays_out_to_its_own_score() -> None:
    own, other = sample()
    over = _core.is_over(own, other)
    own, other = own[over], other[over]
    playouts = _core.random_playouts(own, other, 3)[:, 0]
    assert np.array_equal(playouts, _core.final_score(own, other))


def test_random_moves_are_legal_and_evenly_spread() -> None:
    own, other = (np.full(40_000, bits, np.uint64) for bits in START)
    moves, counts = np.unique(_core.random_moves(own, other, 11), return_counts=True)
    assert moves.tolist() == reference.legal_moves(reference.START)
    assert (abs(counts - 10_000) < 500).all()
