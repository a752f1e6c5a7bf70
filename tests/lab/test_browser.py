"""The page in a real Chromium: what people do in it, with mouse, keyboard and finger."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from outflank import records
from outflank.othello import Game
from strategies import random_game

pytest.importorskip("playwright.sync_api", reason="needs Playwright")

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), "")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server works, with a few games of 1999."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "wthor").mkdir()
    games = [random_game(seed) for seed in range(40)]
    records.write(folder / "wthor" / "WTH_1999.wtb", games)
    return folder


class Server:
    """The lab as a process of its own, which can be ended and begun again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = [
            sys.executable, "-m", "outflank", "lab", "--port", str(self.port), "--no-browser",
            "--wthor", "wthor",
        ]  # fmt: skip
        self.process = subprocess.Popen(
            command, cwd=self.folder, env={**os.environ, "OUTFLANK_DATA": str(self.folder)}
        )
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{self.address}/api/about", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not begin")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 1200, "height": 900}, base_url=server.address, reduced_motion="reduce"
    )
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


def by(page: Page, name: str) -> Locator:
    return page.locator(f'[data-test="{name}"]')


def square(page: Page, name: str) -> Locator:
    return by(page, f"square-{name}")


def moves(page: Page) -> list[str]:
    """The moves in the list at the side."""
    texts = by(page, "history").locator("[data-ply]").all_inner_texts()
    return [found[0] for text in texts if (found := re.search(r"[a-h][1-8]|pass", text))]


def begin(page: Page, opponent: str = "greedy", color: str = "black", **options: str) -> None:
    page.goto("/#/play")
    by(page, "new-game").or_(by(page, "opponent")).first.wait_for()
    if by(page, "new-game").is_visible():
        by(page, "new-game").click()
    by(page, "opponent").select_option(opponent)
    by(page, f"color-{color}").click()
    for name, value in options.items():
        by(page, name).fill(value)
    by(page, "start-game").click()
    expect(by(page, "seat-white")).to_be_visible()


def play_first_legal(page: Page) -> None:
    count = len(moves(page))
    page.locator(".is-legal").first.click()
    expect(by(page, "history").locator("[data-ply]")).not_to_have_count(count)


def test_a_whole_game(page: Page) -> None:
    begin(page)
    words = re.compile("win|draw", re.IGNORECASE)
    for _ in range(200):
        if words.search(by(page, "status").inner_text()):
            break
        legal = page.locator(".is-legal")
        if legal.count():
            legal.first.click()
        page.wait_for_timeout(100)
    played = Game.from_moves([move for move in moves(page) if move != "pass"])
    assert played.is_over
    expect(by(page, "status")).to_contain_text(words)


def test_a_wrong_click_is_explained(page: Page) -> None:
    begin(page)
    square(page, "a1").click()
    expect(by(page, "message")).to_contain_text("a1")
    square(page, "d4").click()
    expect(by(page, "message")).to_contain_text("taken")
    assert moves(page) == []


def test_hovering_tells_the_square(page: Page) -> None:
    begin(page)
    expect(square(page, "f5")).to_have_attribute("aria-label", "f5, empty, legal")
    expect(square(page, "d4")).to_have_attribute("aria-label", re.compile("d4, white"))
    square(page, "f5").hover()
    expect(square(page, "f5")).to_contain_text("f5")


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


def test_choosing_from_a_file_of_games(page: Page, folder: Path) -> None:
    page.goto("/#/review")
    by(page, "load-file").set_input_files(folder / "wthor" / "WTH_1999.wtb")
    games = by(page, "load-games")
    expect(games).to_be_visible()
    games.locator("button").nth(3).click()
    expect(by(page, "review-graph")).to_be_visible()
    expected = [move.name for move in random_game(3).moves if not move.is_pass]
    expect(
        by(page, "history").locator(f'[data-ply="{len(random_game(3).moves)}"]')
    ).to_be_attached()
    assert [move for move in moves(page) if move != "pass"] == expected


def test_review(page: Page) -> None:
    begin(page)
    for _ in range(3):
        play_first_legal(page)
        page.wait_for_timeout(200)
    by(page, "review").first.click()
    expect(by(page, "review-graph")).to_be_visible()
    expect(by(page, "review-totals")).to_contain_text("discs", timeout=60_000)
    expect(page.locator(".value:not(:empty)").first).to_be_visible(timeout=60_000)
    expect(by(page, "opinions")).to_contain_text("imitation-fast", timeout=60_000)


def test_watching_two_players(page: Page) -> None:
    page.goto("/#/watch")
    by(page, "black").select_option("greedy")
    by(page, "white").select_option("alphabeta:eval=discs")
    by(page, "start-game").click()
    expect(by(page, "history").locator('[data-ply="3"]')).to_be_visible()
    by(page, "pause").click()
    expect(by(page, "step")).to_be_enabled()
    page.wait_for_timeout(300)
    count = len(moves(page))
    by(page, "step").click()
    expect(by(page, "history").locator(f'[data-ply="{count + 1}"]')).to_be_visible()
    expect(by(page, "thought-white")).to_contain_text("depth", ignore_case=True)


def test_a_run_and_its_curve(page: Page) -> None:
    page.goto("/#/learn")
    by(page, "learner").select_option("coevolution")
    by(page, "preset").select_option("smoke")
    by(page, "run-name").fill("from-the-page")
    by(page, "start-run").click()
    expect(by(page, "run-chart").first).to_be_visible(timeout=60_000)
    expect(by(page, "run-chart").first.locator("path.series").first).to_be_attached(timeout=60_000)
    expect(by(page, "run-state")).to_contain_text("finished", timeout=120_000, ignore_case=True)
    by(page, "play-run").click()
    expect(by(page, "seat-white")).to_be_visible()
    expect(page.get_by_text("from-the-page").first).to_be_visible()


def test_a_tournament(page: Page) -> None:
    page.goto("/#/arena")
    for player in ("greedy", "random"):
        by(page, "tournament-player").select_option(player)
        by(page, "add-player").click()
    by(page, "tournament-games").fill("4")
    by(page, "start-tournament").click()
    expect(by(page, "cross-table")).to_be_visible(timeout=60_000)
    expect(by(page, "tournament-state")).to_contain_text(
        "finished", timeout=60_000, ignore_case=True
    )
    by(page, "cross-table").locator("button").first.click()
    by(page, "open-game").first.click()
    expect(by(page, "review-graph")).to_be_visible()


def test_exploring(page: Page) -> None:
    page.goto("/#/explore")
    expect(by(page, "next-moves")).to_contain_text("f5", timeout=60_000)
    by(page, "next-moves").get_by_text("f5").click()
    expect(by(page, "crumbs")).to_contain_text("f5")
    expect(by(page, "sample-games")).to_be_visible()


def test_keyboard_only(page: Page) -> None:
    begin(page)
    square(page, "d4").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(square(page, "f5")).to_be_focused()
    page.keyboard.press("Enter")
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    assert moves(page)[0] == "f5"
    page.keyboard.press("u")
    expect(square(page, "f5")).to_have_class(re.compile("is-legal"))


def test_a_phone(browser: Browser, server: Server) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, base_url=server.address, has_touch=True
    )
    page = context.new_page()
    for room in ("play", "review", "watch", "learn", "arena", "studies", "explore"):
        page.goto(f"/#/{room}")
        page.wait_for_timeout(300)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, f"{room} is {width} pixels wide"
    begin(page)
    square(page, "f5").tap()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    context.close()


def test_colours_have_enough_contrast(browser: Browser, server: Server) -> None:
    """WCAG AA: 4.5 to 1 for words on plain grounds, in light and dark."""
    for scheme in ("light", "dark"):
        context = browser.new_context(base_url=server.address, color_scheme=scheme)
        page = context.new_page()
        page.goto("/#/play")
        expect(by(page, "start-game")).to_be_visible()
        low = page.evaluate(_CONTRAST)
        assert low == [], scheme
        context.close()


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


def test_the_page_answers_while_searches_run(page: Page) -> None:
    """Two long searches run; a game goes on beside them. benchmarks/lab.py has the figures."""
    page.goto("/#/play")
    page.evaluate(_SEARCH_TWICE)
    begin(page)
    square(page, "f5").click()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible()
    square(page, "a1").click()
    expect(by(page, "message")).to_contain_text("a1")
    assert page.evaluate("window.answered") == 0


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
