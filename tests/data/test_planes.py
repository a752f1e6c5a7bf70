"""Planes of features, against what one sees on the board."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
from outflank import Position, _core
from outflank.data.encodings import FEATURES, find_encoding
from outflank.data.planes import PLANES, board_planes, spread
from outflank.errors import DataError
from outflank.othello.boards import Boards
from strategies import random_game

FIGURE_10 = """
 4 -1  1  1  1  1 -1  4
-1 -1  0  0  0  0 -1 -1
 1  0  0  0  0  0  0  1
 1  0  0  0  0  0  0  1
 1  0  0  0  0  0  0  1
 1  0  0  0  0  0  0  1
-1 -1  0  0  0  0 -1 -1
 4 -1  1  1  1  1 -1  4
"""


def planes_of(position: Position, names: list[str]) -> NDArray[np.float32]:
    boards = Boards.from_positions([position])
    planes: NDArray[np.float32] = board_planes(boards.own, boards.other, names)[0]
    return planes


def test_corners_are_those_of_figure_10() -> None:
    wanted = np.array(FIGURE_10.split(), np.float32).reshape(8, 8)
    (corner,) = planes_of(Position.start(), ["corner"])
    np.testing.assert_array_equal(corner, wanted)
    (ten,) = planes_of(Position.start(), ["corner-10"])
    np.testing.assert_array_equal(ten, np.where(wanted == 4, 10, wanted))


@given(st.integers(0, 10_000), st.integers(0, 60))
def test_marks_are_what_the_rules_say(seed: int, plies: int) -> None:
    position = random_game(seed, plies).position
    names = ["replies", "own-stable", "other-stable", "own-frontier", "other-frontier", "legal"]
    replies, own_stable, other_stable, own_front, other_front, legal = planes_of(position, names)
    own, other = (spread(np.array([bits], np.uint64))[0] for bits in position.bits)
    discs = own + other
    for square in range(64):
        row, column = divmod(square, 8)
        near = discs[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        frontier = discs[row, column] == 1 and (near == 0).any()
        assert own_front[row, column] == (frontier and own[row, column])
        assert other_front[row, column] == (frontier and other[row, column])
    assert ((own_stable <= own) & (other_stable <= other)).all()
    stable = _core.stable_discs(*position.bits)
    assert (own_stable + other_stable).sum() == stable.bit_count()
    swapped = position.bits[::-1]
    assert replies.sum() == _core.legal_moves(*swapped).bit_count()
    assert legal.sum() == position.legal_squares.bit_count()


def slow_gaps(discs: list[list[int]], length: int) -> set[tuple[int, int]]:
    """Edges as rows of eight: runs of empty squares of a length, with discs on both sides."""
    edges = [[(0, i) for i in range(8)], [(7, i) for i in range(8)]]
    edges += [[(i, 0) for i in range(8)], [(i, 7) for i in range(8)]]
    found = set()
    for edge in edges:
        text = "".join("x" if discs[row][column] else "." for row, column in edge)
        for start in range(8):
            if text[start : start + length + 2] == "x" + "." * length + "x":
                found |= {edge[start + 1 + i] for i in range(length)}
    return found


@given(st.integers(0, 10_000), st.integers(20, 60))
def test_gaps_on_edges(seed: int, plies: int) -> None:
    position = random_game(seed, plies).position
    ones, twos = planes_of(position, ["gaps-1", "gaps-2"])
    discs = (spread(np.array([position.own | position.other], np.uint64))[0]).tolist()
    for plane, length in ((ones, 1), (twos, 2)):
        marked = {(int(row), int(column)) for row, column in np.argwhere(plane)}
        assert marked == slow_gaps(discs, length)


def test_gaps_exist_in_the_games_above() -> None:
    boards = Boards.from_positions(random_game(seed, 45).position for seed in range(40))
    planes = board_planes(boards.own, boards.other, ["gaps-1", "gaps-2"])
    assert (planes.sum(axis=(0, 2, 3)) > 0).all()


def test_a_network_is_shown_what_its_features_say() -> None:
    encoding = find_encoding("raw+corner+freemove")
    assert encoding.planes == ("empty", "other", "own", "corner", "legal")
    position = random_game(5, 20).position
    shown = encoding.encode(Boards.from_positions([position]))
    np.testing.assert_array_equal(shown[0], planes_of(position, list(encoding.planes)))
    everything = find_encoding("+".join(FEATURES))
    assert set(everything.planes) <= set(PLANES)
    assert everything.encode(Boards.start(3)).shape == (3, len(everything.planes), 8, 8)
    with pytest.raises(ValueError, match="float32 only"):
        encoding.encode(Boards.start(1), np.uint8)


@pytest.mark.parametrize(
    ("name", "problem"),
    [("raw+colour", "no such encoding: 'raw"), ("raw+raw", "names a feature twice"), ("", "no su")],
)
def test_wrong_features_are_named(name: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        find_encoding(name)


def test_mirrored_boards_have_mirrored_planes() -> None:
    names = [name for name in PLANES if name not in ("ones", "border")]
    position = random_game(11, 40).position
    boards = Boards.from_positions([position])
    mirrored = boards.transform(4)
    shown, image = (board_planes(b.own, b.other, names)[0] for b in (boards, mirrored))
    for square in range(64):
        moved = reference.image_of_square(square, 4)
        np.testing.assert_array_equal(
            shown[:, square // 8, square % 8], image[:, moved // 8, moved % 8]
        )
