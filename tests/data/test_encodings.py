"""Planes for networks, and the sixty classes of moves."""

from __future__ import annotations

import numpy as np
import pytest

from outflank import Position
from outflank.data import CLASS_OF_SQUARE, CLASSES, ENCODINGS, SQUARE_OF_CLASS, find_encoding
from outflank.errors import DataError
from outflank.othello import SQUARES
from outflank.othello.boards import Boards


def test_sixty_classes_leave_out_the_centre() -> None:
    centre = [square.name for square in SQUARES if CLASS_OF_SQUARE[square] == -1]
    assert centre == ["d4", "e4", "d5", "e5"]
    assert len(SQUARE_OF_CLASS) == CLASSES == 60
    assert CLASS_OF_SQUARE[SQUARE_OF_CLASS].tolist() == list(range(60))
    assert (np.diff(SQUARE_OF_CLASS.astype(int)) > 0).all()
    assert (CLASS_OF_SQUARE.dtype.name, SQUARE_OF_CLASS.dtype.name) == ("int8", "uint8")
    with pytest.raises(ValueError, match="read-only"):
        CLASS_OF_SQUARE[0] = 1


@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_encodings_of_the_start(dtype: type[np.float32] | type[np.uint8]) -> None:
    boards = Boards.start(2)
    start = Position.start()
    third = {"pieces": None, "ones": 2**64 - 1, "vmoves": start.legal_squares}
    assert set(third) == set(ENCODINGS)
    for name, bits in third.items():
        planes = ENCODINGS[name].encode(boards, dtype)
        assert planes.dtype == dtype
        expected = [start.own, start.other, *([] if bits is None else [bits])]
        assert planes.shape == (2, len(expected), 8, 8)
        for plane, squares in zip(planes[1], expected, strict=True):
            assert plane.ravel().tolist() == [squares >> square & 1 for square in range(64)]


def test_an_unknown_encoding_is_named() -> None:
    assert find_encoding("ones").planes == ("own", "other", "ones")
    with pytest.raises(DataError, match="no such encoding: 'two'; encodings are pieces, ones, vmo"):
        find_encoding("two")
