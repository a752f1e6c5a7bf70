"""Watching, learning, the arena, the explorer and the studies in a real Chromium."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Page, Route, expect

from lab.browser.steps import (
    Server,
    by,
    expect_to_fit_a_phone,
    moves,
    new_page,
    ply,
    square,
    unfold,
)
from outflank.studies import Claim, Column, Origin, Plot, Result, Row, result_path, studies
from strategies import random_game


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


def test_watching_a_tree_search(page: Page) -> None:
    """Its visits are in the list and on the board, now and when the game is looked through."""
    page.goto("/#/watch")
    by(page, "black").select_option("mcts")
    by(page, "white").select_option("random")
    by(page, "start-game").click()
    expect(ply(page, 3)).to_be_visible()
    by(page, "pause").click()
    thought = by(page, "thought-black")
    expect(thought.locator(".bar-number").first).to_contain_text(re.compile(r"^\d+ visits, "))
    ply(page, 3).click()
    page.keyboard.press("ArrowLeft")
    chosen = page.locator(".cell.is-best .note")
    expect(chosen).to_have_text(re.compile(r"^\d+×$"))
    seen = page.locator(".cell .note").all_text_contents()
    assert sum(int(text.removesuffix("×")) for text in seen if text) == 200


def test_a_run_and_its_curve(page: Page) -> None:
    page.goto("/#/train")
    by(page, "learner").select_option("coevolution")
    by(page, "preset").select_option("smoke")
    page.get_by_text("Advanced").click()
    by(page, "run-name").fill("from-the-page")
    by(page, "start-run").click()
    expect(by(page, "run-chart").first).to_be_visible(timeout=60_000)
    expect(by(page, "run-chart").first.locator("path.series").first).to_be_attached(timeout=60_000)
    expect(by(page, "run-chart")).to_contain_text("at how many depths")  # explained
    expect(by(page, "run-state")).to_contain_text("finished", timeout=120_000, ignore_case=True)
    expect_to_fit_a_phone(page)
    by(page, "play-run").click()
    expect(by(page, "seat-white")).to_be_visible()
    expect(page.get_by_text("from-the-page").first).to_be_visible()


def test_a_run_of_unknown_kind(page: Page, folder: Path, problems: list[str]) -> None:
    (folder / "runs" / "odd.one").mkdir(parents=True)
    (folder / "runs" / "odd.one" / "config.json").write_text(json.dumps({"unknown": 1}))
    page.goto("/#/train")
    expect(by(page, "runs")).to_contain_text("odd.one")
    expect(by(page, "runs")).not_to_contain_text("null")
    (folder / "runs" / "odd.one" / "config.json").write_text("{")
    page.goto("/#/train/odd.one")
    expect(by(page, "run-error")).to_contain_text("not JSON")
    expect(by(page, "pause-run")).to_be_hidden()
    problems.clear()  # an answer that is an error


def test_a_tournament(page: Page) -> None:
    page.goto("/#/arena")
    by(page, "tournament-player").select_option("alphabeta:eval=patterns")
    unfold(page, "tournament-player-advanced")
    unfold(page, "tournament-advanced")
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


def test_exploring(browser: Browser, folder: Path, tmp_path: Path, problems: list[str]) -> None:
    server = Server(tmp_path)  # of its own: the others' may have read its games before
    try:
        with new_page(browser, server, problems) as page:
            page.goto("/#/explore")
            expect(by(page, "explore-empty")).to_be_visible()
            square(page, "f5").click()  # the board works all the same
            expect(by(page, "crumbs")).to_contain_text("f5")
            shutil.copytree(folder / "wthor", tmp_path / "wthor")
            page.goto("/#/explore")
            expect(by(page, "next-moves")).to_contain_text("f5", timeout=60_000)
            by(page, "next-moves").get_by_text("f5").click()
            expect(by(page, "crumbs")).to_contain_text("f5")
            expect(by(page, "sample-games")).to_be_visible()
    finally:
        server.stop()


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
        "they improve. Inconclusive here: so few runs tell nothing."
    )
    expect(page.get_by_text("One run is an anecdote.")).to_be_visible()
    expect(by(page, "figure")).to_be_visible()
    expect(by(page, "stale")).to_have_count(0)
    replace(result, origin=Origin(models={"imitation-0ply": "x"})).save(
        result_path(folder / "studies", result.study, result.scale)
    )
    page.reload()
    expect(by(page, "stale")).to_contain_text("imitation-0ply changed since this result was made")
    by(page, "studies").locator("a").first.click()
    expect(by(page, "study-table").or_(page.get_by_text("no results yet")).first).to_be_visible()
