"""No page has a serious fault that axe-core finds, light and dark, wide and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from lab.browser.steps import PAGES, PHONE, WIDE, Server, begin, by, new_page, play_on, ply, square
from strategies import random_game

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = pytest.mark.skipif(not AXE.is_file(), reason="npm ci installs axe-core")


def check(page: Page, what: str) -> None:
    """Ask axe-core; the serious and critical faults fail."""
    page.evaluate(AXE.read_text("utf-8"))  # unlike a script of the page, whatever its policy is
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    bad = [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
    assert bad == [], what


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_axe(browser: Browser, server: Server, problems: list[str], scheme: Any, size: Any) -> None:
    with new_page(
        browser, server, problems, color_scheme=scheme, viewport=size, reduced_motion="reduce"
    ) as page:
        for name in PAGES:
            page.goto(f"/#/{name}")
            expect(page.locator(f".page-{name} :is(.card, .hint):visible").first).to_be_visible()
            page.wait_for_timeout(200)
            check(page, name)
        page.goto("/#/studies/coevolution-figure-10")
        expect(by(page, "figure")).to_be_visible()
        check(page, "a study")
        page.goto("/#/explore/f5")
        expect(by(page, "next-moves")).to_be_visible(timeout=60_000)
        check(page, "a position of the explorer")
        begin(page)
        square(page, "f5").click()
        expect(ply(page, 2)).to_be_visible()
        check(page, "a game")
        play_on(page)
        check(page, "a finished game")
        by(page, "review-mistakes").click()
        expect(by(page, "opinions")).to_contain_text("% sure", timeout=60_000)
        check(page, "a review")
        by(page, "help").click()
        expect(by(page, "dialog")).to_be_visible()
        check(page, "a dialog")
        page.goto("/api")
        expect(page.get_by_text("/api/position").first).to_be_visible()
        check(page, "the API")


def test_axe_where_games_are_chosen(page: Page, folder: Path) -> None:
    page.goto("/#/review")
    by(page, "load-file").set_input_files(folder / "wthor" / "WTH_1999.wtb")
    expect(by(page, "load-games")).to_be_visible()
    check(page, "the games of a file")
    page.goto("/#/play?new=1")
    by(page, "opponent-compare").click()
    expect(by(page, "dialog")).to_be_visible()
    check(page, "all opponents")
    page.goto(f"/#/play?moves={random_game(3).transcript}")
    expect(by(page, "result")).to_be_visible()
    check(page, "a game of two people")
