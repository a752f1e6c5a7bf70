"""What the environments show."""

from __future__ import annotations

import numpy as np
import pytest

from outflank import WHITE, Move, Position
from outflank.envs import OthelloEnv, aec, rendering
from outflank.players import Player


def color_near(picture: rendering.Picture, square: str, offset: int = 0) -> tuple[int, ...]:
    """The colour in the middle of a square, or some pixels to the right of it."""
    move = Move(square)
    return tuple(picture[32 * move.row + 16, 32 * move.column + 16 + offset].tolist())


def test_the_picture_shows_discs_where_they_are() -> None:
    position = Position.start().play("f5")
    picture = rendering.draw(position, Move("f5"))
    assert picture.shape == (256, 256, 3)
    assert picture.dtype == np.uint8
    for square in ("d5", "e4", "e5"):
        assert sum(color_near(picture, square)) < 60
    assert sum(color_near(picture, "d4")) > 700
    for square in ("a1", "h8", "f4", "e6"):
        red, green, blue = color_near(picture, square)
        assert green > 100 > max(red, blue)
    red, green, blue = color_near(picture, "f5")  # the last move has a red dot on its disc
    assert red > 200 > 100 > max(green, blue)
    assert sum(color_near(picture, "f5", offset=6)) < 60


def test_the_picture_does_not_depend_on_the_side_to_move() -> None:
    position = Position.start()
    other = Position(position.black, position.white, WHITE)
    assert np.array_equal(rendering.draw(position), rendering.draw(other))


def test_text_is_the_positions_own(steady: Player) -> None:
    env = OthelloEnv(steady, render_mode="ansi")
    env.reset()
    assert env.render() == Position.start().text(unicode=True)
    env.step(Move("f5"))
    assert env.render() == env.game.position.text(unicode=True)
    assert OthelloEnv(steady).render() is None


def test_for_humans_every_position_is_printed(
    steady: Player, capsys: pytest.CaptureFixture[str]
) -> None:
    env = OthelloEnv(steady, render_mode="human")
    env.reset()
    env.step(Move("f5"))
    after = env.game.position
    assert capsys.readouterr().out == (
        f"{Position.start().text(unicode=True)}\n{after.text(unicode=True)}\n"
    )
    two = aec.env(render_mode="human")
    two.reset()
    assert capsys.readouterr().out == f"{Position.start().text(unicode=True)}\n"
