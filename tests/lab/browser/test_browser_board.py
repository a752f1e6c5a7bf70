"""The board under the pointer and the keyboard: calm where nothing is wrong, clear where it is."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from lab.browser.steps import (
    FAINT,
    GREEN,
    PLAIN,
    RED,
    begin,
    by,
    expect_hover,
    moves,
    ply,
    square,
)
from outflank.othello import Game, Position
from strategies import random_game


def fill_of(page: Page, name: str, colour: str) -> None:
    expect(square(page, name).locator(".square")).to_have_css("fill", colour)


def test_the_square_just_played_stays_calm(page: Page) -> None:
    begin(page)
    square(page, "f5").click()  # the pointer rests there
    expect(ply(page, 2)).to_be_visible()
    fill_of(page, "f5", PLAIN)
    page.wait_for_timeout(200)
    fill_of(page, "f5", PLAIN)


def test_red_is_for_wrong_clicks_on_your_turn(page: Page) -> None:
    begin(page)
    expect_hover(page, "a1", FAINT)
    square(page, "a1").click()
    fill_of(page, "a1", RED)
    expect(by(page, "board")).not_to_have_class(re.compile("flashes"))  # after a moment
    fill_of(page, "a1", FAINT)
    square(page, "e4").click()  # a disc: told in words, and not in red
    expect(by(page, "status")).to_have_text("e4 is taken.")
    fill_of(page, "e4", PLAIN)
    over = Game.from_moves([move.name for move in random_game(3).moves])
    page.goto(f"/#/play?moves={over.transcript}")  # finished: nobody's turn
    expect(by(page, "result")).to_be_visible()
    for name in ("a1", "d4", "h8"):
        expect_hover(page, name, PLAIN)


def test_nothing_is_red_while_the_opponent_thinks(page: Page) -> None:
    begin(page, "alphabeta:eval=iago", **{"opponent-depth": "14", "opponent-time": "5"})
    square(page, "f5").click()
    expect(by(page, "seat-white")).to_contain_text("thinking")
    expect_hover(page, "a1", PLAIN)
    by(page, "move-now").click()
    expect(ply(page, 2)).to_be_visible()


def test_a_legal_square_shows_what_it_would_flip(page: Page) -> None:
    """The squares that the page marks are those that the core flips."""
    game = random_game(8, plies=24)
    page.goto(f"/#/play?moves={game.transcript}")
    expect(by(page, "status")).to_contain_text("to move")
    position = game.position
    for move in position.legal_moves:
        expect_hover(page, move.name, GREEN)
        marked = page.locator(".cell.will-flip").evaluate_all(
            "all => all.map((one) => one.dataset.square)"
        )
        assert set(marked) == flipped(position, move.name)
        expect(square(page, move.name).locator(".ghost")).to_be_visible()
    page.mouse.move(0, 0)
    expect(page.locator(".cell.will-flip")).to_have_count(0)


def flipped(position: Position, name: str) -> set[str]:
    """The squares of discs that change their colour."""
    names = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
    before, after = position.to_string(), position.play(name).to_string()
    return {
        square
        for square, old, new in zip(names, before, after, strict=False)
        if old != "-" and old != new
    }


def test_arrow_keys_step_unless_keys_led_to_the_board(page: Page) -> None:
    begin(page)
    expect(page.locator(".cell:focus")).to_have_count(1)  # the board has the focus after Start
    square(page, "f5").click()
    expect(ply(page, 2)).to_be_visible()
    page.keyboard.press("ArrowLeft")  # though a click gave the board the focus
    expect(by(page, "status")).to_contain_text("Move 1 of 2")
    page.keyboard.press("ArrowRight")
    expect(by(page, "status")).to_contain_text("Your turn")
    page.keyboard.press("b")
    before = page.evaluate("document.activeElement.dataset.square")
    page.keyboard.press("ArrowLeft")
    after = page.evaluate("document.activeElement.dataset.square")
    assert after == chr(ord(before[0]) - 1) + before[1]
    expect(by(page, "status")).to_contain_text("Your turn")  # the game did not step


def test_the_cursor_of_the_keyboard_is_no_alarm(page: Page) -> None:
    begin(page)
    page.mouse.move(0, 0)
    page.keyboard.press("b")
    for _ in range(4):
        page.keyboard.press("ArrowUp")
    expect(square(page, "d1")).to_be_focused()
    expect(square(page, "d1").locator(".cursor")).to_be_visible()
    fill_of(page, "d1", PLAIN)
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(square(page, "d3")).to_be_focused()
    fill_of(page, "d3", GREEN)
    expect(square(page, "d4")).to_have_class(re.compile("will-flip"))
    page.keyboard.press("Enter")
    expect(ply(page, 2)).to_be_visible()
    assert moves(page)[0] == "d3"


def test_arrow_keys_step_in_the_explorer(page: Page) -> None:
    page.goto("/#/explore/f5d6")
    expect(by(page, "crumbs").locator("[aria-current]")).to_have_text("d6")
    page.keyboard.press("ArrowLeft")
    expect(by(page, "crumbs").locator("[aria-current]")).to_have_text("f5")
    page.keyboard.press("ArrowRight")
    expect(by(page, "crumbs").locator("[aria-current]")).to_have_text("d6")
