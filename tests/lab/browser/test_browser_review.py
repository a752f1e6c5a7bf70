"""Reviewing games in a real Chromium."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from lab.browser.steps import (
    PLAIN,
    begin,
    board,
    by,
    expect_hover,
    expect_to_fit_a_phone,
    moves,
    play_first_legal,
    ply,
)
from outflank.othello import Game
from strategies import random_game


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


def test_the_opinion_of_a_tree_search(page: Page) -> None:
    """Its visits, in the table and on the board."""
    page.goto("/#/review")
    by(page, "load-text").fill(random_game(5).transcript)
    by(page, "load-open").click()
    ply(page, 2).click()
    row = by(page, "opinions").locator("tr", has_text="selfplay with search")
    expect(row).to_contain_text("% of visits", timeout=60_000)
    expect(row.locator(".number")).to_have_attribute("title", re.compile(r"^[a-h][1-8] \d+"))
    row.get_by_role("button").click()
    noted = page.locator(".cell .note:not(:empty)")
    expect(noted.first).to_have_text(re.compile(r"^\d+×$"))
    assert sum(int(text.removesuffix("×")) for text in noted.all_text_contents()) == 100


def test_the_units_and_the_best_line_of_a_review(page: Page) -> None:
    page.goto("/#/review")
    by(page, "load-text").fill(random_game(5).transcript)
    by(page, "load-open").click()
    expect(ply(page, 2)).to_be_visible()  # the game is on the board
    expect_hover(page, "f5", PLAIN)  # legal, but not here
    # Discs all the way, and a line of best moves at every one.
    ply(page, 2).click()
    line = by(page, "best-line").locator("button")
    expect(line.nth(1)).to_be_visible(timeout=120_000)
    expect(by(page, "graph-note")).to_contain_text("Discs ahead")
    after_one = Game.from_moves([random_game(5).moves[0]])
    ahead = after_one.play(line.nth(0).inner_text()).play(line.nth(1).inner_text()).position
    line.nth(1).click()
    expect(by(page, "status")).to_contain_text("Not played")
    assert board(page) == ahead.to_string().split()[0]
    line.nth(1).click()
    expect(by(page, "status")).to_contain_text("Move 2 of")
    expect_to_fit_a_phone(page)
    # Results to begin with, and discs at the end: two scales.
    by(page, "reviewer").select_option("policy:imitation-fast")
    expect(by(page, "graph-note")).to_contain_text("Expected result", timeout=60_000)
    expect(by(page, "graph-note")).to_contain_text("exact discs (right scale)", timeout=60_000)
    expect(by(page, "review-graph").locator(".value-line")).to_have_count(2)


def test_the_marks_of_a_bad_game_can_be_read(page: Page) -> None:
    page.goto("/#/review")
    by(page, "load-text").fill(random_game(7).transcript)
    by(page, "load-open").click()
    marks = by(page, "review-graph").locator(".blunder")
    expect(marks.nth(9)).to_be_attached(timeout=60_000)
    places = marks.locator("text").evaluate_all(
        "all => all.map((one) => [Number(one.getAttribute('x')), Number(one.getAttribute('y'))])"
    )
    assert len(places) > 2
    for (x, y), (other_x, other_y) in itertools.combinations(places, 2):
        assert abs(x - other_x) >= 18 or abs(y - other_y) >= 14
    # An evaluation's own scale has large numbers.
    by(page, "reviewer").select_option("alphabeta:eval=iago")
    expect(by(page, "graph-note")).to_contain_text("own points", timeout=60_000)
    expect(by(page, "review-totals")).not_to_contain_text("own")  # a sum of them says nothing


def test_a_review_does_not_set_a_game_going(page: Page) -> None:
    begin(page)  # a person's game
    person = page.url.rsplit("/", 1)[-1]
    body = {"black": "greedy", "white": "random", "delay": 0.0, "moves": "f5"}
    key = page.evaluate(
        "body => fetch('/api/games', {method: 'POST', body: JSON.stringify(body),"
        " headers: {'Content-Type': 'application/json'}}).then((a) => a.json()).then((t) => t.id)",
        body,
    )
    page.goto(f"/#/review/{key}")
    expect(by(page, "review-graph")).to_be_visible()
    page.wait_for_timeout(500)
    assert moves(page) == ["f5"]
    page.goto("/#/watch")
    expect(by(page, "start-game")).to_be_visible()
    page.wait_for_timeout(300)
    for game in (key, person):  # the one was never played on, the other is not for watching
        expect(by(page, "games").locator(f'a[href$="{game}"]')).to_have_count(0)
    page.goto(f"/#/watch/{key}")
    expect(ply(page, 3)).to_be_attached()  # here it goes on
    page.goto("/#/watch")
    expect(by(page, "games").locator(f'a[href$="{key}"]')).to_be_visible()
