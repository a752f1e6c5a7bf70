"""The line network: what it computes, that it turns with the board, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from nets import line_geometry as geometry
from nets.line_networks import (
    SHAPES,
    Shape,
    as_arrays,
    make_network,
    some_boards,
    table_names,
    weights_of,
)
from nets.line_start import first_dense, first_row
from outflank import Position
from outflank._core import LineNetwork
from strategies import any_boards

BOARDS = some_boards()
OWN, OTHER = as_arrays(BOARDS)
NETWORK = make_network()


def test_the_boards_are_of_all_kinds() -> None:
    moves = [len(reference.legal_moves(board)) for board in BOARDS]
    assert max(moves) > 15
    assert sum(reference.is_over(board) for board in BOARDS) > 1
    passing = [not m and not reference.is_over(b) for m, b in zip(moves, BOARDS, strict=True)]
    assert sum(passing) >= 3
    assert any(board.count(0) == 1 for board in BOARDS)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_slow_twin_computes_the_same(shape: Shape) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    from nets.line_twin import LineTwin

    network = make_network(shape)
    logits, values = network.predict(OWN, OTHER, threads=1)
    with torch.no_grad():
        expected, expected_values, moves = LineTwin(network).predict(BOARDS)
    np.testing.assert_allclose(values, expected_values.numpy(), rtol=1e-4, atol=1e-5)
    for i, legal in enumerate(moves):
        np.testing.assert_allclose(logits[i, legal], expected[i].numpy(), rtol=1e-4, atol=1e-4)
        assert np.isneginf(np.delete(logits[i], legal)).all()


def test_tables_have_a_row_for_each_different_thing() -> None:
    weights = make_network().parameters()
    for kind in range(12):
        rows = len(np.unique(geometry.line_rows(geometry.line_length(kind))))
        assert weights[f"line{kind}"].shape == (rows, 16)
        assert weights[f"pattern{kind}"].shape == (len(np.unique(geometry.pattern_rows(kind))), 16)
    assert weights["facts"].shape == (sum(geometry.FACTS.values()) * geometry.STAGES, 16)
    assert weights["pairs"].shape == (3 * 528, 16)
    assert weights["line0"].shape[0] == 3240 * 8 + 81 * 4  # lines and reversals; palindromes
    assert (len(set(geometry.CLASS)), geometry.PAIR.max() + 1) == (10, 528)
    assert (len(geometry.LINES), len(geometry.PATTERNS)) == (46, 50)
    assert "pairs" not in make_network(Shape(afterstates=False)).parameters()


@pytest.mark.parametrize("symmetry", range(8))
@pytest.mark.parametrize("shape", [SHAPES[0], SHAPES[5]], ids=str)
def test_it_turns_with_the_board(shape: Shape, symmetry: int) -> None:
    network = make_network(shape)
    logits, values = network.predict(OWN, OTHER, threads=1)
    turned = as_arrays([reference.image(board, symmetry) for board in BOARDS])
    turned_logits, turned_values = network.predict(*turned, threads=1)
    squares = [reference.image_of_square(square, symmetry) for square in range(64)]
    np.testing.assert_allclose(turned_logits[:, squares], logits, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(turned_values, values, rtol=1e-4, atol=1e-5)


def test_threads_and_batches_change_nothing() -> None:
    own, other = np.tile(OWN, 3), np.tile(OTHER, 3)
    logits, values = NETWORK.predict(own, other, threads=1)
    for threads in (0, 2, 3):
        found = NETWORK.predict(own, other, threads=threads)
        np.testing.assert_array_equal(found[0], logits)
        np.testing.assert_array_equal(found[1], values)
    for begin in range(0, len(OWN), 3):
        some = slice(begin, min(begin + 3, len(OWN)))
        found = NETWORK.predict(OWN[some], OTHER[some])
        np.testing.assert_array_equal(found[0], logits[some])
        np.testing.assert_array_equal(found[1], values[some])


@given(any_boards(), st.sampled_from([0.0, 0.1, 30.0]))
def test_any_board_gets_logits_of_its_legal_moves_and_a_value(
    position: Position, noise: float
) -> None:
    network = _NOISY[noise]
    own, other = (np.array([side], np.uint64) for side in position.bits)
    logits, values = network.predict(own, other, threads=1)
    legal = np.zeros(64, np.bool_)
    legal[[int(move) for move in position.legal_moves if int(move) < 64]] = True
    np.testing.assert_array_equal(np.isfinite(logits[0]), legal)
    assert np.isneginf(logits[0, ~legal]).all()
    assert -1 <= values[0] <= 1


_NOISY = {noise: make_network(noise=noise) for noise in (0.0, 0.1, 30.0)}


def test_full_and_empty_boards() -> None:
    everything = np.uint64(2**64 - 1)
    own = np.array([0, 0, everything, 0], np.uint64)
    other = np.array([0, everything, 0, 1], np.uint64)
    logits, values = NETWORK.predict(own, other)
    assert np.isneginf(logits).all()
    assert np.isfinite(values).all()
    logits, values = NETWORK.predict(own[:0], other[:0])
    assert (logits.shape, values.shape) == ((0, 64), (0,))


def test_a_board_with_very_many_moves() -> None:
    # The mover's discs in the middle, the opponent's around them: every edge square is legal.
    ring = [min(row, column, 7 - row, 7 - column) for row in range(8) for column in range(8)]
    board = tuple([0, -1, 1, 1][distance] for distance in ring)
    logits, _ = NETWORK.predict(*as_arrays([board] * 5))
    edges = [square for square in range(64) if ring[square] == 0]
    assert [np.flatnonzero(np.isfinite(row)).tolist() for row in logits] == [edges] * 5


def test_the_seed_decides_the_first_weights() -> None:
    one, same, other = (weights_of(LineNetwork(channels=16, seed=seed)) for seed in (1, 1, 2))
    for name, array in one.items():
        np.testing.assert_array_equal(array, same[name])
        assert array.any() == (array != other[name]).any()
    for name in ("facts", "pairs", *(f"pattern{kind}" for kind in range(12))):
        assert not one[name].any()
    assert np.std(one["line0"]) == pytest.approx(0.5, abs=0.06)
    assert np.std(one["pool"]) == pytest.approx(0.5, abs=0.1)
    assert np.std(one["block0.squares"]) == pytest.approx(0.05, abs=0.005)
    assert np.std(one["layer1.in"]) == pytest.approx(1.4 / 4, abs=0.02)
    none = LineNetwork(channels=16, seed=None).parameters()
    assert not any(array.any() for array in none.values())


def test_first_weights_are_those_of_the_page() -> None:
    weights = weights_of(LineNetwork(channels=16, layers=1, hidden=32, seed=5))
    dense = first_dense(5, channels=16, hidden=32)
    for name, array in weights.items():
        if name in dense:
            np.testing.assert_allclose(array, dense[name], rtol=1e-5, atol=1e-6)
        else:
            assert array.any() == name.startswith("line")
    random = np.random.default_rng(1)
    for kind in range(12):
        length = geometry.line_length(kind)
        for state in random.integers(3**length, size=10).tolist():
            for place, row in enumerate(geometry.line_rows(length)[state]):
                expected = first_row(5, 16, length, state, place)
                np.testing.assert_allclose(weights[f"line{kind}"][row], expected, atol=1e-5)


def test_written_weights_are_used_after_refresh() -> None:
    network = make_network(Shape(blocks=1, layers=0))
    before, _ = network.predict(OWN, OTHER)
    assert set(table_names(network)) < set(network.parameters())
    for array in network.parameters().values():
        array[...] = 0
    network.parameters()["logit_bias"][...] = np.arange(10)
    network.refresh()
    after, values = network.predict(OWN, OTHER)
    classes = np.array(geometry.CLASS, np.float32)
    np.testing.assert_array_equal(after, np.where(np.isfinite(before), classes, -np.inf))
    assert not values.any()


@pytest.mark.parametrize(
    ("sizes", "problem"),
    [
        ({"channels": 8}, "channels must be a multiple of 16 from 16 to 256"),
        ({"channels": 24}, "channels must be a multiple of 16"),
        ({"channels": 272}, "channels must be a multiple of 16"),
        ({"hidden": 0}, "hidden must be a multiple of 16 from 16 to 1024"),
        ({"blocks": -1}, "blocks must be from 0 to 32"),
        ({"layers": 17}, "layers must be from 0 to 16"),
    ],
)
def test_sizes_that_no_network_has(sizes: dict[str, int], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        LineNetwork(**sizes)  # type: ignore[arg-type]


def test_boards_that_are_none() -> None:
    with pytest.raises(ValueError, match="differ in length: 2 and 1"):
        NETWORK.predict(OWN[:2], OTHER[:1])
    with pytest.raises(ValueError, match="board 1 has discs of both sides on one square"):
        NETWORK.predict(np.array([1, 3], np.uint64), np.array([2, 2], np.uint64))
