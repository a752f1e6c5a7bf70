"""What all pages promise, in a real Chromium: keys, phones, contrast, quick answers."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from lab.browser.steps import (
    PAGES,
    PHONE,
    Server,
    begin,
    by,
    expect_to_fit_a_phone,
    moves,
    new_page,
    square,
)
from outflank.lab.messages import MESSAGES


def test_keyboard_only(page: Page) -> None:
    begin(page)
    page.keyboard.press("b")
    expect(square(page, "d4")).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(square(page, "f5")).to_be_focused()
    page.keyboard.press("Enter")
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    assert moves(page)[0] == "f5"
    page.keyboard.press("u")
    expect(square(page, "f5")).to_have_class(re.compile("is-legal"))


def test_a_phone(browser: Browser, server: Server, problems: list[str]) -> None:
    with new_page(browser, server, problems, viewport=PHONE, has_touch=True) as page:
        for name in PAGES:
            page.goto(f"/#/{name}")
            page.wait_for_timeout(200)
            expect_to_fit_a_phone(page)
        begin(page)
        square(page, "f5").tap()
        expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()


def test_colours_have_enough_contrast(
    browser: Browser, server: Server, problems: list[str]
) -> None:
    """WCAG AA: 4.5 to 1 for words on plain grounds, in light and dark."""
    for scheme in ("light", "dark"):
        with new_page(browser, server, problems, color_scheme=scheme) as page:
            for name in PAGES:
                page.goto(f"/#/{name}")
                expect(
                    page.locator(f".page-{name} :is(.card, .hint):visible").first
                ).to_be_visible()
                page.wait_for_timeout(100)
                low = page.evaluate(_CONTRAST)
                assert low == [], f"{scheme} {name}"


# Every visible text whose own ground and all grounds behind it are plain colours.
_CONTRAST = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (c) => {
    const f = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]);
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const c = parse(getComputedStyle(at).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
      if (c[3] > 0) return null;
    }
    return [255, 255, 255];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !node.getClientRects().length) continue;
    if (node.closest('svg, option, [disabled], [data-test=board], .visually-hidden')) continue;
    const behind = ground(node);
    if (!behind) continue;
    const words = light(parse(getComputedStyle(node).color));
    const [a, b] = [words, light(behind)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const text = walker.currentNode.textContent.trim().slice(0, 30);
    if (ratio < 4.5) low.push(`${text}: ${ratio.toFixed(2)}`);
  }
  return low;
}"""


def test_the_page_of_the_api(page: Page) -> None:
    page.goto("/api")
    expect(page.get_by_text("/api/position").first).to_be_visible()
    by(page, "socket").locator("summary").click()
    listed = by(page, "socket").locator("table").first.locator("th").all_inner_texts()
    assert set(listed) == set(MESSAGES.json_schema()["discriminator"]["mapping"])


def test_the_page_answers_while_searches_run(page: Page) -> None:
    """Two long searches run; a game goes on beside them. benchmarks/lab.py has the figures."""
    page.goto("/#/play")
    page.evaluate(_SEARCH_TWICE)
    begin(page)
    assert page.evaluate(_HOVER) < 100
    square(page, "f5").click()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    square(page, "a1").click()
    expect(by(page, "message")).to_contain_text("a1")
    assert page.evaluate("window.answered") == 0


# The longest time, in milliseconds, until a legal square under the pointer shows what it flips.
_HOVER = """() => Math.max(...[...document.querySelectorAll(".is-playable .square")].map((node) => {
  const began = performance.now();
  node.dispatchEvent(new PointerEvent("pointerover", { pointerType: "mouse", bubbles: true }));
  const shown = getComputedStyle(document.querySelector(".will-flip .flip-mark")).visibility;
  return shown === "visible" ? performance.now() - began : Infinity;
}))"""

_SEARCH_TWICE = """() => {
  window.answered = 0;
  for (const spec of ["patterns", "iago"]) {
    const player = `alphabeta:eval=${spec},depth=14`;
    const body = { moves: "f5d6c5f4e3c6d3f6e6d7g4c4g5c3f7d2", player };
    const headers = { "Content-Type": "application/json" };
    fetch("/api/analyse", { method: "POST", headers, body: JSON.stringify(body) })
      .then(() => { window.answered += 1; }, () => {});
  }
}"""
