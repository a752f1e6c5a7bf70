"""Boards as pictures: plain text, terminal, SVG."""

from __future__ import annotations

import io
from xml.etree import ElementTree

from rich.console import Console

from outflank import Game, Move, Position
from outflank.othello.draw.terminal import BoardPicture
from strategies import MUST_PASS

OPENING = """\
  a b c d e f g h
1 . . . . . . . .
2 . . . . . . . .
3 . . . . . . . .
4 . . . O X + . .
5 . . . X X X . .
6 . . . + . + . .
7 . . . . . . . .
8 . . . . . . . .
white to move, 4-1"""


def printed(thing: object, **options: object) -> str:
    stream = io.StringIO()
    Console(file=stream, width=80, **options).print(thing)  # type: ignore[arg-type]
    return stream.getvalue()


def test_plain_text_shows_discs_coordinates_and_legal_moves() -> None:
    position = Position.start().play("f5")
    assert position.text(legal=True) == OPENING
    assert str(position) == OPENING.replace("+", ".")
    unicode = position.text(unicode=True)
    assert (unicode.count("●"), unicode.count("○")) == (4, 1)


def test_the_state_of_a_game_is_said_in_words() -> None:
    assert "black wins by 64, 13-0" in str(Game.from_transcript("f5d6c5f4e3f6g5e6e7").position)
    assert "draw, 32-32" in str(Position.from_string("X" * 32 + "O" * 32))
    assert "black to move and must pass" in str(MUST_PASS)


def test_without_colour_the_discs_differ_by_shape() -> None:
    text = printed(Position.start().play("f5"), color_system=None)
    assert (text.count("●"), text.count("○")) == (4, 1)


def test_with_colour_the_board_is_green() -> None:
    text = printed(Position.start(), color_system="truecolor", force_terminal=True)
    assert "48;2;29;122;79" in text
    sixteen = printed(Position.start(), color_system="standard", force_terminal=True)
    assert "\x1b[30;42m ● " in sixteen


def test_labels_stand_on_their_squares_and_the_last_move_is_lighter() -> None:
    picture = BoardPicture(Position.start().play("f5"), Move("f5"), labels={Move("f4"): "51%"})
    text = printed(picture, color_system="truecolor", force_terminal=True)
    assert "51%" in text.splitlines()[4]
    assert "48;2;52;168;115" in text.splitlines()[5]
    assert text.count("48;2;52;168;115") == 1


def test_svg_is_well_formed_and_shows_every_disc() -> None:
    position = Position.start().play("f5")
    root = ElementTree.fromstring(position.svg(last=Move("f5"), size=200))
    assert root.get("width") == "200"
    assert "white to move" in (root.get("aria-label") or "")
    circles = [e for e in root.iter() if e.tag.endswith("circle")]
    by_fill = [circle.get("fill") for circle in circles]
    assert by_fill.count("#111111") == 4
    assert by_fill.count("#fafafa") == 1
    assert position._repr_svg_().startswith("<svg")
