"""The values of edges after Norvig's program."""

from __future__ import annotations

import itertools

import numpy as np

from evaluations.slow_edges import Edge, edge_table, static_value
from outflank import _core


def value(edge: Edge) -> int:
    """The core's value of an edge: ten digits of base 3, 2 for the opponent."""
    index = 0
    for cell in edge:
        index = 3 * index + cell % 3
    return int(_core.edge_table()[index])


def test_the_whole_table_is_what_the_reference_says() -> None:
    slow = [edge_table()[edge] for edge in itertools.product((0, 1, -1), repeat=10)]
    assert _core.edge_table().tolist() == slow


def test_a_full_edge_is_worth_its_discs() -> None:
    """Nothing can be played, so that no expectation changes the static values."""
    assert value((1,) * 10) == 2 * 700 + 2 * 1200 + 4 * 1000
    assert value((-1,) * 10) == -7800
    assert value((1, 1, -1, -1, -1, -1, -1, -1, 1, 1)) == 2 * 700 - 2 * 1200 - 4 * 1000


def test_an_empty_edge_is_worth_nothing() -> None:
    assert value((0,) * 10) == 0


def test_static_values_by_hand() -> None:
    """Semi-stable, unstable and stable discs of a row that is not full."""
    # a lone disc between empty squares, on a B-square: semi-stable
    assert static_value((0, 0, 0, 0, 1, 0, 0, 0, 0, 0)) == 200
    # beside an opponent's disc it is unstable, and so is the opponent's
    assert static_value((0, 0, 0, 0, 1, -1, 0, 0, 0, 0)) == 0
    assert static_value((0, 0, 1, -1, 0, 0, 0, 0, 0, 0)) == -25 - 75
    # with the corner the row from it is stable; an X-square beside an empty corner is unstable
    assert static_value((0, 1, 1, 0, 0, 0, 0, 0, 0, 1)) == 700 + 1200 - 2000


def test_an_edge_is_worth_as_much_as_its_mirror_image() -> None:
    table = _core.edge_table().reshape((3,) * 10)
    assert np.array_equal(table, table.transpose())
