"""Openings have the names that players use, from whichever side the board is seen."""

from __future__ import annotations

import pytest

from outflank.othello import Game, Position
from outflank.othello.openings import named_openings, opening_name


def test_every_line_is_legal_and_has_its_own_name() -> None:
    openings = named_openings()
    assert len(openings) == len(set(openings.values())) == 71
    assert len({Game.from_transcript(moves).position.canonical()[0] for moves in openings}) == 71
    for moves, name in openings.items():
        assert opening_name(Game.from_transcript(moves)) == name


@pytest.mark.parametrize(
    ("transcript", "name"),
    [
        ("", None),
        ("f5", None),
        ("f5d6c3d3c4", "Tiger"),
        ("c4e3f6e6f5", "Tiger"),  # the same from the other side
        ("d3c5f6f5e6", "Tiger"),
        ("c4c3d3c5b2", "X-square"),
        ("f5d6c3d3c4f4c5b3c2d2", "Rose-Bill"),  # beyond the named line
        ("f5f4", "Parallel"),
    ],
)
def test_names(transcript: str, name: str | None) -> None:
    assert opening_name(Game.from_transcript(transcript)) == name


def test_a_game_from_elsewhere_has_none() -> None:
    start = Position.start().play("f5")
    assert opening_name(Game.from_moves(["d6"], start)) is None
