"""What is asked for comes into view and stays there: on a phone, and beside a long panel."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from lab.browser.steps import (
    PAGES,
    WIDE,
    Server,
    begin,
    by,
    in_view,
    new_page,
    play_on,
    ply,
    square,
)
from strategies import random_game

PHONE = ViewportSize(width=390, height=844)


@pytest.fixture
def phone(browser: Browser, server: Server, problems: list[str]) -> Iterator[Page]:
    with new_page(
        browser, server, problems, viewport=PHONE, has_touch=True, reduced_motion="reduce"
    ) as page:
        yield page


@pytest.fixture
def wide(browser: Browser, server: Server, problems: list[str]) -> Iterator[Page]:
    with new_page(browser, server, problems, viewport=WIDE, reduced_motion="reduce") as page:
        yield page


def test_start_brings_the_board_into_view(phone: Page) -> None:
    phone.goto("/#/play?new=1")
    by(phone, "opponent").select_option("greedy")
    by(phone, "opponent-advanced").evaluate("node => { node.open = true; }")
    phone.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    by(phone, "start-game").tap()
    expect(by(phone, "seat-white")).to_be_visible()
    assert in_view(phone, "board")
    expect(phone.locator(".cell:focus")).to_have_count(1)
    phone.goto("/#/watch")
    by(phone, "black").select_option("greedy")
    by(phone, "white").select_option("random")
    by(phone, "start-game").tap()
    expect(by(phone, "seat-white")).to_be_visible()
    assert in_view(phone, "board")


def test_board_and_arrows_are_seen_together(phone: Page) -> None:
    phone.goto(f"/#/play?moves={random_game(4).transcript}")
    by(phone, "review-mistakes").click()
    expect(by(phone, "review-graph")).to_be_visible()
    for name in ("board", "first", "previous", "next", "last"):
        assert in_view(phone, name), name
    by(phone, "next").tap()
    expect(by(phone, "status")).to_contain_text("Move 1 of")


def test_all_pages_are_in_reach_of_a_thumb(phone: Page) -> None:
    phone.goto("/#/play")
    for name in PAGES:
        box = by(phone, f"page-{name}").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"]
        assert box["height"] >= 44
    by(phone, "page-studies").tap()
    expect(by(phone, "studies")).to_be_visible()


def test_the_board_stays_while_the_panel_scrolls(wide: Page) -> None:
    begin(wide)
    square(wide, "f5").click()
    expect(ply(wide, 2)).to_be_visible()
    wide.set_viewport_size({"width": 1440, "height": 700})
    wide.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert wide.evaluate("window.scrollY") > 50
    box = by(wide, "board").bounding_box()
    assert box is not None
    assert box["y"] >= 40


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_study_appears_where_one_looks(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    page.goto("/#/studies")
    entries = by(page, "studies").locator("a")
    expect(entries.last).to_be_attached()
    entry = by(page, "studies").locator("a[href*='coevolution-section-4a']")
    entry.scroll_into_view_if_needed()
    entry.click()
    head = page.locator(".detail h2")
    expect(head).to_contain_text("Section IV-A")
    box = head.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < size["height"] / 2


def test_nothing_jumps_when_one_looks_back(wide: Page) -> None:
    begin(wide)
    square(wide, "f5").click()
    expect(ply(wide, 2)).to_be_visible()
    expect(by(wide, "status")).to_contain_text("Your turn")
    names = ("undo", "resign", "history", "new-game", "board", "next")
    before = {name: by(wide, name).bounding_box() for name in names}
    wide.keyboard.press("ArrowLeft")
    expect(by(wide, "continue")).to_be_visible()
    assert {name: by(wide, name).bounding_box() for name in names} == before
    by(wide, "now").click()
    expect(by(wide, "continue")).to_be_hidden()


def test_the_graph_stands_under_the_board(wide: Page) -> None:
    wide.goto(f"/#/play?moves={random_game(4).transcript}")
    by(wide, "review-mistakes").click()
    expect(by(wide, "review-graph")).to_be_visible()
    board, graph = by(wide, "board").bounding_box(), by(wide, "review-graph").bounding_box()
    assert board is not None
    assert graph is not None
    assert graph["y"] >= board["y"] + board["height"]
    assert abs(graph["x"] - board["x"]) < 5
    assert in_view(wide, "review-graph")


def test_one_primary_action_at_a_time(page: Page) -> None:
    def primary() -> list[str]:
        return page.locator(".primary:visible").all_inner_texts()

    page.goto("/#/play?new=1")
    expect(by(page, "start-game")).to_be_visible()
    assert primary() == ["Start game"]
    begin(page)
    assert primary() == []
    play_on(page)
    assert primary() == ["Review your mistakes"]
    by(page, "previous").click()
    expect(by(page, "continue")).to_be_visible()
    for name in ("review", "watch", "train", "arena"):
        page.goto(f"/#/{name}")
        expect(page.locator(f".page-{name} .card:visible").first).to_be_visible()
        assert len(primary()) <= 1, name


def test_icons_are_drawn(page: Page) -> None:
    """No letter of a font stands for an icon."""
    signs = re.compile("[▢▣☀☾«»‹›×▶‖■✓✕]")
    for name in PAGES:
        page.goto(f"/#/{name}")
        expect(page.locator(f".page-{name} :is(.card, .hint):visible").first).to_be_visible()
        for text in page.locator("button, .button, nav a, .badge").all_inner_texts():
            assert not signs.search(text), f"{name}: {text}"
