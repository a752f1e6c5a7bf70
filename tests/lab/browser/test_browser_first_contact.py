"""A first visit: the opponent, the words, files with names, and errors that help."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lab.browser.steps import PAGES, begin, by, square, unfold
from outflank import records
from outflank.lab.roster import Roster
from outflank.lab.settings import LabSettings
from outflank.records.wthor import NAME_LENGTHS, WthorNames
from outflank.studies import Column, Plot, Result, Row, result_path
from strategies import random_game


def test_the_first_opponent(page: Page) -> None:
    page.goto("/#/play")
    expect(by(page, "opponent")).to_have_value("level:casual")
    about = by(page, "opponent-about")
    rated = Roster(LabSettings()).rated["level:casual"]
    words = f"Elo {rated.elo:.0f} (95% interval {rated.low:.0f} to {rated.high:.0f})"
    expect(about).to_contain_text(words)
    expect(about).to_contain_text("never collapses")
    for name in ("minutes", "start", "budget"):
        expect(by(page, name)).to_be_hidden()  # folded under Advanced
    by(page, "opponent-compare").click()
    groups = by(page, "dialog").locator(".compare")
    for text in groups.locator("p").all_inner_texts():
        assert re.fullmatch(r"[A-Z][^.]*\.", text), text  # one sentence each
    by(page, "dialog").locator('[data-spec="alphabeta:eval=patterns"]').click()
    expect(by(page, "opponent")).to_have_value("alphabeta:eval=patterns")
    by(page, "start-game").click()
    expect(by(page, "seat-white")).to_contain_text("patterns")
    square(page, "f5").click()
    expect(by(page, "history").locator('[data-ply="2"]')).to_be_visible(timeout=60_000)


def test_a_handicap_is_for_players_that_can_have_one(page: Page) -> None:
    page.goto("/#/play?new=1")
    unfold(page, "opponent-advanced")
    by(page, "opponent").select_option("policy:imitation-fast")
    expect(by(page, "budget")).to_be_visible()
    by(page, "budget").fill("20")
    by(page, "opponent").select_option("alphabeta:eval=iago")
    expect(by(page, "budget")).to_be_hidden()
    by(page, "start-game").click()
    expect(by(page, "seat-white").locator(".seat-name")).to_have_text("iago")


def test_one_elo_everywhere(page: Page) -> None:
    """The same player in the list of players, in a tournament, and on the ladder."""
    page.goto("/#/arena")
    for player in ("greedy", "random"):
        by(page, "tournament-player").select_option(player)
        by(page, "add-player").click()
    expect(by(page, "tournament-player").locator("option", has_text="greedy")).to_have_text(
        "greedy · Elo 187"
    )
    by(page, "tournament-games").fill("2")
    by(page, "start-tournament").click()
    expect(by(page, "tournament-state")).to_contain_text("finished", timeout=60_000)
    standing = by(page, "standings").locator("tr", has_text="greedy")
    expect(standing.locator(".strong")).to_have_text("187")
    page.goto("/#/arena")
    rung = by(page, "ladder").locator("tr", has_text="greedy")
    expect(rung.locator(".strong")).to_have_text("187")


def test_a_file_of_games_with_its_names(page: Page, tmp_path: Path) -> None:
    """Names from .JOU and .TRN, every game in reach, found by player, event, year and result."""
    games = [random_game(seed) for seed in range(60)]
    records.write(tmp_path / "mine.wtb", games)
    names = WthorNames.of(["Ann", "Bea"], NAME_LENGTHS[".jou"], date(2001, 1, 1))
    events = WthorNames.of(["Cup of Rome", "Open"], NAME_LENGTHS[".trn"], date(2001, 1, 1))
    (tmp_path / "WTH.JOU").write_bytes(names.to_bytes())
    (tmp_path / "WTH.TRN").write_bytes(events.to_bytes())
    page.goto("/#/review")
    by(page, "load-file").set_input_files(
        [tmp_path / one for one in ("WTH.TRN", "mine.wtb", "WTH.JOU")]
    )
    rows = by(page, "load-games").locator("li")
    expect(rows).to_have_count(25)
    expect(rows.first).to_contain_text("Ann – Ann")
    expect(rows.first).to_contain_text("Cup of Rome")
    begins = " ".join(re.findall("..", games[0].transcript[:16]))
    expect(rows.first.locator(".games-moves")).to_have_text(f"{begins} …")
    expect(by(page, "load-words")).to_have_text("1–25 of 60 games")
    by(page, "load-next").click()
    by(page, "load-next").click()
    expect(by(page, "load-words")).to_have_text("51–60 of 60 games")
    by(page, "load-filter").fill("ann rome")
    expect(by(page, "load-words")).to_have_text("1–25 of 60 games")
    by(page, "load-result").select_option("black won")
    won = sum(game.score > 0 for game in games)
    expect(by(page, "load-words")).to_contain_text(f"of {won} games")
    by(page, "load-filter").fill("nobody")
    expect(by(page, "load-words")).to_have_text("No game fits.")
    by(page, "load-filter").fill("")
    by(page, "load-result").select_option("any result")
    by(page, "load-next").click()
    rows.nth(1).get_by_role("button").click()
    expect(by(page, "seat-black")).to_contain_text("Ann")


@pytest.mark.parametrize(
    ("text", "words"),
    [("f5d6zz", "'zz'"), ("f5d6a1", "a1 is illegal"), ("-" * 63 + "q X", "'q'")],
)
def test_errors_name_what_is_wrong(page: Page, problems: list[str], text: str, words: str) -> None:
    page.goto("/#/play?new=1")
    unfold(page, "opponent-advanced")
    by(page, "start").select_option("pasted")
    by(page, "start-text").fill(text)
    expect(by(page, "start-error")).to_contain_text(words)
    page.goto("/#/review")
    by(page, "load-text").fill(text)
    by(page, "load-open").click()
    expect(by(page, "toast")).to_contain_text(words)
    problems.clear()  # answers that are errors


def test_a_game_of_the_explorer_opens_where_it_was_explored(page: Page) -> None:
    game = random_game(0)
    line = "".join(move.name for move in game.moves[:3])
    page.goto(f"/#/explore/{line}")
    by(page, "sample-games").get_by_role("button").first.click()
    expect(by(page, "status")).to_contain_text("Move 3 of")
    expect(by(page, "review-graph")).to_have_attribute("aria-valuenow", "3")


def test_a_study_in_the_colours_of_the_page(page: Page, folder: Path) -> None:
    """Its row is not called as if it were the paper's, and its figure is drawn in the page."""
    curve = {name: [10.0, 20.0] for name in ("mean", "low", "high", "one")}
    columns = tuple(Column(f"discs-{depth}", f"beat discs at depth {depth}") for depth in range(9))
    row = Row("paper", {column.name: 20.0 for column in columns})
    result = Result(
        "coevolution-figure-4", 4, "Figure 4", "smoke", {}, columns, (row,), (),
        Plot("evolution", {"labels": {"discs-4": "beat discs"},
        "curves": {"paper": {"discs-4": {"generation": [1, 2], **curve}}}}),
        "outflank study run coevolution-figure-4 --wthor " + "a-long-folder/" * 20, 1.0, {},
        "2026-01-01T00:00:00+00:00",
    )  # fmt: skip
    result.save(result_path(folder / "studies", result.study, result.scale))
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/#/studies/{result.study}?scale=smoke")
    label = by(page, "study-table").locator("tbody th")
    expect(label).to_have_text("the paper's setup, our run")
    expect(by(page, "figure").locator("path.series").first).to_be_attached()
    assert page.locator(".detail img").count() == 0
    before = label.bounding_box()
    scrolled = by(page, "study-table").evaluate(
        "node => { const box = node.parentElement; box.scrollLeft = 200; return box.scrollLeft; }"
    )
    assert scrolled == 200
    assert label.bounding_box() == before  # the first column stays
    assert page.evaluate("document.documentElement.scrollWidth") <= 390  # the long path wraps


WRONG = (  # what nobody should read
    "Elo 187 ", "on its own scale", "Either", "Points points", "as it plays now", "AVX2", "null",
    "undefined", "NaN", "[object", "safetensors", "paper 1's", "Learn",
)  # fmt: skip


def test_the_words_of_all_pages(page: Page, folder: Path) -> None:
    begin(page)
    for name in PAGES:
        page.goto(f"/#/{name}")
        expect(page.locator(f".page-{name} :is(.card, .hint):visible").first).to_be_visible()
        page.wait_for_timeout(200)
        text = page.locator("body").inner_text()
        for wrong in WRONG:
            # Titles of papers are what they are.
            own = re.sub("Learning to Play|Deep Learning", "", text)
            assert wrong not in own, f"{name}: {wrong}"
    page.goto("/#/learn")  # links of old lead there
    expect(page).to_have_url(re.compile("#/train$"))
    expect(page).to_have_title("Train · Outflank")
    players = page.evaluate("fetch('/api/players').then((answer) => answer.json())")
    summaries = [one["summary"] for group in players["groups"] for one in group["players"]]
    assert all(re.match(r"[A-Z].*\.$", one) for one in summaries), json.dumps(summaries)
