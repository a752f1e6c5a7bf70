"""The page in a real Chromium: what people do in it, with mouse, keyboard and finger."""

from __future__ import annotations

import contextlib
import json
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
from typing import Any
from urllib.parse import quote

import pytest

from outflank import records
from outflank.lab.messages import MESSAGES
from outflank.othello import Game
from outflank.studies import Claim, Column, Plot, Result, Row, result_path, studies
from strategies import random_game

pytest.importorskip("playwright.sync_api", reason="needs Playwright")

from playwright.sync_api import (
    Browser,
    Locator,
    Page,
    Route,
    ViewportSize,
    expect,
    sync_playwright,
)

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), "")
ROOMS = ("play", "review", "watch", "learn", "arena", "studies", "explore")
PHONE = ViewportSize(width=360, height=740)
GREEN, RED = "rgb(63, 174, 120)", "rgb(161, 74, 63)"  # of a square that can be played, or not
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server works, with a few games of 1999 and 2003."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "wthor").mkdir()
    games = [random_game(seed) for seed in range(50)]
    records.write(folder / "wthor" / "WTH_1999.wtb", games[:40])
    records.write(folder / "wthor" / "WTH_2003.wtb", games[40:])
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
        mine = {
            "OUTFLANK_DATA": str(self.folder),
            "OUTFLANK_ENGINES": str(self.folder / "engines.json"),
        }
        self.process = subprocess.Popen(command, cwd=self.folder, env={**os.environ, **mine})
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
def problems() -> list[str]:
    """What the console tells; a test that asks for what must fail empties it again."""
    return []


@contextlib.contextmanager
def new_page(
    browser: Browser, server: Server, problems: list[str], **options: Any
) -> Iterator[Page]:
    """Open a page; errors in its console fail the test."""
    context = browser.new_context(base_url=server.address, **options)
    page = context.new_page()
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


@pytest.fixture
def page(browser: Browser, server: Server, problems: list[str]) -> Iterator[Page]:
    size = ViewportSize(width=1200, height=900)
    permissions = ["clipboard-read", "clipboard-write"]
    with new_page(
        browser, server, problems, viewport=size, reduced_motion="reduce", permissions=permissions
    ) as page:
        yield page


def by(page: Page, name: str) -> Locator:
    return page.locator(f'[data-test="{name}"]')


def square(page: Page, name: str) -> Locator:
    return by(page, f"square-{name}")


def ply(page: Page, number: int) -> Locator:
    """A move in the list at the side."""
    return by(page, "history").locator(f'[data-ply="{number}"]')


def expect_hover(page: Page, name: str, colour: str) -> None:
    square(page, name).hover()
    expect(square(page, name).locator(".square")).to_have_css("fill", colour)
    cursor = "pointer" if colour == GREEN else "not-allowed"
    expect(square(page, name)).to_have_css("cursor", cursor)


def moves(page: Page) -> list[str]:
    """The moves in the list at the side."""
    texts = by(page, "history").locator("[data-ply]").all_inner_texts()
    return [found[0] for text in texts if (found := re.search(r"[a-h][1-8]|pass", text))]


def expect_to_fit_a_phone(page: Page) -> None:
    before = page.viewport_size
    page.set_viewport_size(PHONE)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], f"{page.url} is {width} pixels wide"
    if before:
        page.set_viewport_size(before)


def board(page: Page) -> str:
    """The discs on the board, in the letters of a position."""
    discs = page.locator("[data-square]").evaluate_all("all => all.map((one) => one.dataset.disc)")
    return "".join({"black": "X", "white": "O", "empty": "-"}[disc] for disc in discs)


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
        page.wait_for_timeout(40)
    played = Game.from_moves([move for move in moves(page) if move != "pass"])
    assert played.is_over
    expect(by(page, "status")).to_contain_text(words)


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
    expect_hover(page, "f5", RED)  # there is no game yet
    begin(page)
    expect(square(page, "f5")).to_have_attribute("aria-label", "f5, empty, legal")
    expect(square(page, "d4")).to_have_attribute("aria-label", re.compile("d4, white"))
    expect_hover(page, "f5", GREEN)
    expect(square(page, "f5")).to_contain_text("f5")
    expect_hover(page, "a1", RED)
    expect_hover(page, "d4", RED)


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
    expect(row.locator("a")).to_have_count(0)
    row.locator("button").click()
    expect(row).to_have_count(0)
    assert not damaged.exists()


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
    expect(by(page, "opinions")).to_contain_text("% sure", timeout=60_000)
    expect(by(page, "opinions")).to_contain_text("worth")
    expect(by(page, "reviewer").locator("option", has_text="random")).to_have_count(0)


def test_the_units_and_the_best_line_of_a_review(page: Page) -> None:
    page.goto("/#/review")
    by(page, "load-text").fill(random_game(5).transcript)
    by(page, "load-open").click()
    expect_hover(page, "f5", RED)  # legal, but not here
    # Discs all the way, and a line of best moves at every one.
    ply(page, 2).click()
    line = by(page, "best-line").locator("button")
    expect(line.nth(1)).to_be_visible(timeout=60_000)
    expect(by(page, "graph-note")).to_contain_text("In discs")
    after_one = Game.from_moves([random_game(5).moves[0]])
    ahead = after_one.play(line.nth(0).inner_text()).play(line.nth(1).inner_text()).position
    line.nth(1).click()
    expect(by(page, "status")).to_contain_text("Not played")
    assert board(page) == ahead.to_string().split()[0]
    line.nth(1).click()
    expect(by(page, "status")).to_contain_text("Looking at move 2")
    expect_to_fit_a_phone(page)
    # Results to begin with, and discs at the end: two scales.
    by(page, "reviewer").select_option("policy:imitation-fast")
    expect(by(page, "graph-note")).to_contain_text("Expected result", timeout=60_000)
    expect(by(page, "graph-note")).to_contain_text("in discs (right)", timeout=60_000)
    expect(by(page, "review-graph").locator(".value-line")).to_have_count(2)


def test_a_review_does_not_set_a_game_going(page: Page) -> None:
    begin(page)  # a person's game
    person = page.url.rsplit("/", 1)[-1]
    body = {"black": "greedy", "white": "random", "delay": 0.0}
    key = page.evaluate(
        "body => fetch('/api/games', {method: 'POST', body: JSON.stringify(body),"
        " headers: {'Content-Type': 'application/json'}}).then((a) => a.json()).then((t) => t.id)",
        body,
    )
    page.goto(f"/#/review/{key}")
    expect(by(page, "review-graph")).to_be_visible()
    page.wait_for_timeout(500)
    assert moves(page) == []
    page.goto("/#/watch")
    expect(by(page, "games").locator(f'a[href$="{key}"]')).to_be_visible()
    expect(by(page, "games").locator(f'a[href$="{person}"]')).to_have_count(0)
    by(page, "games").locator(f'a[href$="{key}"]').click()
    expect(ply(page, 3)).to_be_attached()  # here it goes on


def test_watching_two_players(page: Page) -> None:
    page.goto("/#/watch")
    by(page, "black").select_option("greedy")
    by(page, "white").select_option("alphabeta:eval=discs")
    by(page, "start-game").click()
    expect(by(page, "history").locator('[data-ply="3"]')).to_be_visible()
    for speed in ("8", "2"):  # ten seconds, and then at once a quarter of one
        by(page, "delay").fill(speed)
    count = len(moves(page))
    expect(ply(page, count + 3)).to_be_visible()
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
    expect(by(page, "run-chart")).to_contain_text("a rung")  # what is drawn is explained
    expect(by(page, "run-state")).to_contain_text("finished", timeout=120_000, ignore_case=True)
    expect_to_fit_a_phone(page)
    by(page, "play-run").click()
    expect(by(page, "seat-white")).to_be_visible()
    expect(page.get_by_text("from-the-page").first).to_be_visible()


def test_a_run_of_unknown_kind(page: Page, folder: Path, problems: list[str]) -> None:
    (folder / "runs" / "odd.one").mkdir(parents=True)
    (folder / "runs" / "odd.one" / "config.json").write_text(json.dumps({"unknown": 1}))
    page.goto("/#/learn")
    expect(by(page, "runs")).to_contain_text("odd.one")
    expect(by(page, "runs")).not_to_contain_text("null")
    (folder / "runs" / "odd.one" / "config.json").write_text("{")
    page.goto("/#/learn/odd.one")
    expect(by(page, "run-error")).to_contain_text("not JSON")
    expect(by(page, "pause-run")).to_be_hidden()
    problems.clear()  # an answer that is an error


def test_a_tournament(page: Page) -> None:
    page.goto("/#/arena")
    by(page, "tournament-player").select_option("alphabeta:eval=patterns")
    by(page, "tournament-player-depth").fill("4")
    by(page, "add-player").click()
    expect(by(page, "chosen-players")).to_have_text(re.compile(r"^patterns \(depth 4\)"))
    by(page, "chosen-players").get_by_role("button").click()
    for player in ("greedy", "random"):
        by(page, "tournament-player").select_option(player)
        by(page, "add-player").click()
    by(page, "tournament-games").fill("4")
    by(page, "tournament-plies").fill("0")
    expect(by(page, "tournament-warning")).to_contain_text("repeat")
    by(page, "tournament-plies").fill("6")
    expect(by(page, "tournament-warning")).to_be_hidden()
    by(page, "start-tournament").click()
    expect(by(page, "cross-table")).to_be_visible(timeout=60_000)
    expect(by(page, "tournament-state")).to_contain_text(
        "finished", timeout=60_000, ignore_case=True
    )
    by(page, "start-tournament").click()  # the very same once more
    expect(by(page, "toast")).to_contain_text("played already")
    by(page, "cross-table").locator("button").first.click()
    expect(by(page, "open-game").first).to_be_visible()
    expect_to_fit_a_phone(page)
    by(page, "open-game").first.click()
    expect(by(page, "review-graph")).to_be_visible()
    expect(by(page, "seat-black")).to_contain_text(re.compile("greedy|random"))


def test_exploring(page: Page, folder: Path) -> None:
    (folder / "wthor").rename(folder / "elsewhere")
    page.goto("/#/explore")
    expect(by(page, "explore-empty")).to_be_visible()
    square(page, "f5").click()  # the board works all the same
    expect(by(page, "crumbs")).to_contain_text("f5")
    (folder / "elsewhere").rename(folder / "wthor")
    page.goto("/#/explore")
    expect(by(page, "next-moves")).to_contain_text("f5", timeout=60_000)
    by(page, "next-moves").get_by_text("f5").click()
    expect(by(page, "crumbs")).to_contain_text("f5")
    expect(by(page, "sample-games")).to_be_visible()


def test_the_years_and_games_of_the_explorer(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/explore?*", lambda route: held.append(route))
    page.goto("/#/explore")
    expect(page.get_by_text("Reading the games…")).to_be_visible()
    expect(square(page, "d4")).to_have_attribute("aria-label", "d4, white")  # the board is there
    held[0].continue_()
    page.unroute("**/api/explore?*")
    expect(by(page, "status")).to_contain_text("50 games", timeout=60_000)
    by(page, "first-year").fill("2003")
    by(page, "filter-years").click()
    expect(by(page, "status")).to_contain_text("10 games")
    by(page, "first-year").fill("1999")  # years outside of the filter can be chosen again
    by(page, "filter-years").click()
    expect(by(page, "status")).to_contain_text("50 games")
    by(page, "sample-games").get_by_role("button").first.click()
    expect(by(page, "review-graph")).to_be_visible()


def test_exploring_through_a_pass(page: Page) -> None:
    played = [move.name for move in random_game(2).moves]
    before = played.index("pass")
    page.goto(f"/#/explore/{''.join(played[:before])}")
    expect(by(page, "crumbs").locator("[aria-current]")).to_have_text("pass")
    expect_to_fit_a_phone(page)
    by(page, "next-moves").get_by_text(played[before + 1]).click()
    expect(by(page, "crumbs").locator("[aria-current]")).to_have_text(played[before + 1])


def test_the_studies(page: Page, folder: Path) -> None:
    row = Row("paper", {"discs-4": 20.0}, {"discs-4": 70.0}, {"discs-4": [15.0, 25.0]})
    curve = {name: [10.0, 20.0] for name in ("mean", "low", "high", "one")}
    curves = {"paper": {"discs-4": {"generation": [1, 2], **curve}}}
    result = Result(
        "coevolution-figure-3", 4, "Figure 3", "smoke", {}, (Column("discs-4", "beat"),), (row,),
        ("One run is an anecdote.",), Plot("evolution", {"labels": {"discs-4": "beat"},
        "curves": curves}), "outflank study run", 1.0, {}, "2026-01-01T00:00:00+00:00",
        (Claim("they improve", Claim.OPEN, "so few runs tell nothing"),),
    )  # fmt: skip
    result.save(result_path(folder / "studies", result.study, result.scale))
    page.goto("/#/studies")
    expect(by(page, "studies").locator("a")).to_have_count(len(studies()))
    page.goto(f"/#/studies/{result.study}?scale=smoke")
    expect(page.locator(".detail h2")).to_have_text("Figure 3")
    expect(by(page, "study-table")).to_contain_text("20.0 ±5.0")
    expect(by(page, "study-table")).to_contain_text("70.0")
    expect(by(page, "claims")).to_have_text(
        "they improve. Here it cannot be told: so few runs tell nothing."
    )
    expect(page.get_by_text("One run is an anecdote.")).to_be_visible()
    expect(by(page, "figure")).to_be_visible()
    by(page, "studies").locator("a").first.click()
    expect(by(page, "study-table").or_(page.get_by_text("no results yet")).first).to_be_visible()


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


def test_a_phone(browser: Browser, server: Server, problems: list[str]) -> None:
    with new_page(browser, server, problems, viewport=PHONE, has_touch=True) as page:
        for room in ROOMS:
            page.goto(f"/#/{room}")
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
            for room in ROOMS:
                page.goto(f"/#/{room}")
                expect(page.locator(f".room-{room} :is(.card, .hint)").first).to_be_visible()
                page.wait_for_timeout(100)
                low = page.evaluate(_CONTRAST)
                assert low == [], f"{scheme} {room}"


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
