"""Playing in a real Chromium: games, mistakes, history, saving and sharing."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect

from lab.browser.steps import (
    FAINT,
    GREEN,
    PLAIN,
    Server,
    begin,
    by,
    expect_hover,
    moves,
    play_first_legal,
    play_on,
    ply,
    square,
)
from outflank import records
from outflank.othello import Game
from strategies import random_game


def test_a_whole_game(page: Page) -> None:
    begin(page)
    play_on(page)
    played = Game.from_moves([move for move in moves(page) if move != "pass"])
    assert played.is_over
    expect(by(page, "status")).to_have_text(re.compile(r"^(You (won|lost)|A draw,) \d+–\d+\.$"))


def test_a_wrong_click_is_explained(page: Page) -> None:
    begin(page)
    square(page, "a1").click()
    expect(by(page, "message")).to_contain_text("a1")
    square(page, "d4").click()
    expect(by(page, "message")).to_contain_text("taken")
    expect(by(page, "board")).to_have_class(re.compile("flashes"))  # all legal squares light up
    expect(square(page, "f5").locator(".target")).to_be_visible()
    expect(by(page, "board")).not_to_have_class(re.compile("flashes"))
    assert moves(page) == []


def test_hovering_tells_the_square(page: Page) -> None:
    page.goto("/#/play?new=1")
    expect(square(page, "f5")).to_have_attribute("aria-label", "f5, empty, legal")
    expect_hover(page, "f5", PLAIN)  # there is no game yet
    begin(page)
    expect(square(page, "f5")).to_have_attribute("aria-label", "f5, empty, legal")
    expect(square(page, "d4")).to_have_attribute("aria-label", re.compile("d4, white"))
    expect_hover(page, "f5", GREEN)
    expect(square(page, "f5")).to_contain_text("f5")
    expect_hover(page, "a1", FAINT)
    expect_hover(page, "d4", PLAIN)  # a disc is no mistake


def test_undo_redo_and_history(page: Page) -> None:
    begin(page)
    square(page, "f5").click()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    first = moves(page)
    assert first[0] == "f5"
    by(page, "undo").click()
    expect(square(page, "f5")).to_have_class(re.compile("is-legal"))
    by(page, "redo").click()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    assert moves(page)[:2] == first
    play_first_legal(page)
    expect(by(page, "history").locator('[data-ply="4"]')).to_be_visible()
    # Back to the first moment, and on from there by another way.
    by(page, "history").locator('[data-ply="0"]').click()
    expect(square(page, "f5")).to_have_attribute("aria-label", re.compile("empty"))
    square(page, "d3").click()
    expect(by(page, "history").locator('[data-ply="1"]')).to_contain_text("d3")
    expect(by(page, "history").locator('[data-ply="4"]')).to_have_count(0)


def test_a_game_survives_reload_and_restart(page: Page, server: Server) -> None:
    begin(page)
    square(page, "f5").click()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    before = moves(page)
    page.reload()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    assert moves(page) == before
    address = page.url
    page.goto("about:blank")  # a lost connection would be a line in the console
    server.stop()
    server.start()
    page.goto(address)
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    assert moves(page) == before


def test_save_and_load(page: Page, tmp_path: Path) -> None:
    begin(page)
    square(page, "f5").click()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    before = moves(page)
    by(page, "format").select_option("ggf")
    with page.expect_download() as download:
        by(page, "save").click()
    file = tmp_path / "game.ggf"
    download.value.save_as(file)
    (saved,) = records.read(file)
    assert [move.name for move in saved.moves] == before
    by(page, "load").click()
    by(page, "load-text").fill("f5d6c3d3c4")
    by(page, "load-open").click()
    expect(by(page, "history").locator('[data-ply="5"]')).to_be_visible()
    assert moves(page) == ["f5", "d6", "c3", "d3", "c4"]
    expect(page.get_by_text("Tiger").first).to_be_visible()


def test_what_cannot_be_saved_is_told(page: Page, problems: list[str]) -> None:
    start = Game.from_moves(["f5", "d6"]).position.to_string()
    page.goto(f"/#/play?start={quote(start)}")
    expect(by(page, "seat-white")).to_be_visible()
    by(page, "format").select_option("wthor")
    by(page, "save").click()
    expect(by(page, "toast")).to_contain_text("start")
    assert len(problems) == 1  # the console tells of every answer that is an error
    problems.clear()


def test_a_shared_link(page: Page) -> None:
    begin(page)
    square(page, "f5").click()
    expect(ply(page, 2)).to_be_visible()
    before = moves(page)
    by(page, "share").click()
    expect(by(page, "toast")).to_contain_text("copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    expect(ply(page, 2)).to_be_visible()
    assert moves(page) == before


def test_swapping_sides(page: Page) -> None:
    begin(page, minutes="5")
    expect(by(page, "seat-black")).to_contain_text("You")
    expect(by(page, "seat-black")).to_contain_text(re.compile("[45]:[05][0-9]"))  # the clock
    expect(by(page, "undo")).to_be_disabled()
    by(page, "swap").click()
    expect(by(page, "seat-black")).to_contain_text("greedy")
    expect(ply(page, 1)).to_be_visible()  # it is black now, and to move
    expect(by(page, "undo")).to_be_disabled()  # the first move is the player's


def test_seconds_do_not_replace_the_depth(page: Page) -> None:
    begin(page, "alphabeta:eval=patterns", **{"opponent-time": "5"})
    expect(by(page, "seat-white")).to_contain_text("patterns (depth 6, time 5)")


def test_a_damaged_list_of_engines_is_told(page: Page, folder: Path) -> None:
    (folder / "engines.json").write_text("{")
    page.goto("/#/play?new=1")
    expect(by(page, "opponent-notice")).to_contain_text("engines.json")
    (folder / "engines.json").unlink()


def test_a_pass_is_announced(page: Page) -> None:
    played = [move.name for move in random_game(2).moves]
    before = played.index("pass") - 1
    page.goto(f"/#/play?moves={''.join(played[:before])}")
    expect(ply(page, before)).to_be_attached()
    square(page, played[before]).click()
    expect(by(page, "banner")).to_contain_text("no move and passes")
    assert moves(page) == played[: before + 2]


def test_a_deleted_game_leaves_the_page(page: Page) -> None:
    begin(page)
    key = page.url.rsplit("/", 1)[-1]
    page.evaluate("key => fetch(`/api/games/${key}`, {method: 'DELETE'})", key)
    expect(by(page, "toast")).to_contain_text("deleted")
    expect(by(page, "start-game")).to_be_visible()
    page.goto("/#/play")  # and it is not tried again
    expect(by(page, "start-game")).to_be_visible()


def test_a_damaged_game_is_told(page: Page, folder: Path) -> None:
    damaged = folder / "lab" / "games" / "aaaaaaaaaaaa.json"
    damaged.write_text("{")
    page.goto("/#/review")
    row = by(page, "games").locator("li", has_text="A damaged game")
    expect(row).to_contain_text("not a game of the lab")
    expect(row).not_to_contain_text(str(folder))
    expect(row.locator("a")).to_have_count(0)
    row.locator("button").click()
    row.get_by_role("button", name="Delete?").click()
    expect(row).to_have_count(0)
    assert not damaged.exists()
