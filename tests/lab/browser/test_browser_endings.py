"""How games end, how their moves are numbered, and which are kept."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from lab.browser.steps import begin, by, moves, play_on, ply, square
from outflank.othello import Game
from strategies import random_game


def test_the_result_of_a_game(page: Page) -> None:
    begin(page)
    play_on(page)
    game = Game.from_moves([move for move in moves(page) if move != "pass"])
    black = (64 + game.score) // 2
    won = "won" if game.score > 0 else "lost"
    words = f"You {won} {black}–{64 - black}." if game.score else "A draw, 32–32."
    expect(by(page, "result").locator("h2")).to_have_text(words)
    expect(by(page, "banner")).to_be_hidden()
    expect(page.locator(".seat.is-turn")).to_have_count(0)
    by(page, "share-result").click()
    expect(by(page, "toast")).to_contain_text("The link is copied.")
    by(page, "rematch").click()
    expect(by(page, "seat-white")).to_contain_text("You")  # colours change
    expect(by(page, "seat-black")).to_contain_text("greedy")
    expect(ply(page, 1)).to_be_visible()


def test_a_pass_before_the_end_does_not_cover_the_final_board(page: Page) -> None:
    """The last moves come at once: a pass, and a move that ends the game."""
    seed = next(
        seed
        for seed in range(200)
        if "pass" in [move.name for move in random_game(seed).moves[-3:-1]]
    )
    played = [move.name for move in random_game(seed).moves]
    before = max(index for index, move in enumerate(played) if move == "pass") - 1
    page.goto(f"/#/play?moves={''.join(move for move in played[:before] if move != 'pass')}")
    expect(ply(page, before)).to_be_attached()
    for move in played[before:]:
        if move != "pass":
            square(page, move).click()
    expect(by(page, "result")).to_be_visible()
    expect(by(page, "banner")).to_be_hidden()


def test_a_resignation_can_be_taken_back(page: Page) -> None:
    begin(page)
    square(page, "f5").click()
    expect(ply(page, 2)).to_be_visible()
    expect(page.locator(".is-legal").first).to_be_visible()
    before = moves(page)
    by(page, "resign").click()
    expect(by(page, "resign")).to_have_text("Really?")
    by(page, "resign").click()
    expect(by(page, "status")).to_have_text("You resigned. greedy won.")
    expect(page.locator(".is-legal")).to_have_count(0)  # the dots are gone
    by(page, "undo").click()
    expect(by(page, "status")).to_contain_text("Your turn")
    expect(page.locator(".is-legal").first).to_be_visible()
    assert moves(page) == before


def test_time_names_the_winner(page: Page) -> None:
    begin(page, minutes="0.1")
    expect(by(page, "status")).to_have_text("Your time ran out. greedy won.", timeout=20_000)
    expect(page.locator(".is-legal")).to_have_count(0)


def test_moves_are_numbered_as_players_do(page: Page) -> None:
    """1 to 60, passes without a number: in the list, in the words and on the graph."""
    game = random_game(2)
    names = [move.name for move in game.moves]
    at = names.index("pass")
    page.goto(f"/#/play?moves={game.transcript}")
    by(page, "review-mistakes").click()
    expect(ply(page, len(names))).to_be_attached()
    last = 60 - game.position.empties
    expect(ply(page, at).locator(".move-number")).to_have_text(str(at))
    expect(ply(page, at + 1).locator(".move-number")).to_have_text("")
    expect(ply(page, at + 2).locator(".move-number")).to_have_text(str(at + 1))
    expect(ply(page, len(names)).locator(".move-number")).to_have_text(str(last))
    ply(page, at + 2).click()
    expect(by(page, "status")).to_have_text(f"Move {at + 1} of {last}.")
    graph = by(page, "review-graph")
    expect(graph).to_have_attribute("aria-valuenow", str(at + 1))
    expect(graph).to_have_attribute("aria-valuemax", str(last))
    ply(page, at + 1).click()
    expect(by(page, "status")).to_contain_text(f"pass after move {at} of {last}.")


def test_earlier_games_were_played(page: Page) -> None:
    begin(page)
    untouched = page.url.rsplit("/", 1)[-1]
    page.goto("/#/review")
    by(page, "load-text").fill(random_game(6).transcript)
    by(page, "load-open").click()
    expect(by(page, "review-graph")).to_be_visible()
    opened = page.url.rsplit("/", 1)[-1].split("?")[0]
    begin(page)
    square(page, "f5").click()
    expect(ply(page, 2)).to_be_visible()
    played = page.url.rsplit("/", 1)[-1]
    page.goto("/#/play?new=1")
    games = by(page, "games")
    expect(games.locator(f'a[href$="{played}"]')).to_be_visible()
    expect(games.locator(f'a[href$="{played}"]')).to_contain_text("2 moves · not finished")
    for key in (untouched, opened):
        expect(games.locator(f'a[href$="{key}"]')).to_have_count(0)
    row = games.locator("li", has=page.locator(f'a[href$="{played}"]'))
    row.get_by_role("button").click()
    expect(row).to_have_count(1)  # it asks first
    row.get_by_role("button", name="Delete?").click()
    expect(row).to_have_count(0)


def test_finished_and_unfinished_games_open_alike(page: Page) -> None:
    for transcript in (random_game(6).transcript, "f5d6c3"):
        page.goto("/#/review")
        by(page, "load-text").fill(transcript)
        by(page, "load-open").click()
        expect(by(page, "status")).to_have_text("The start.")


def test_the_legend_says_which_mark_is_of_which_moment(page: Page) -> None:
    page.goto("/#/review")
    by(page, "load-text").fill(random_game(7).transcript)
    by(page, "load-open").click()
    legend = by(page, "legend")
    expect(legend.locator("[data-mark=value]")).to_contain_text("what each next move is worth")
    expect(legend.locator("[data-mark=last]")).to_have_count(0)  # nothing was played yet
    bad = by(page, "history").locator("button", has=page.locator(".blunder-tone")).first
    expect(bad).to_be_attached(timeout=60_000)
    # It goes from the end to the start: until it is over, an earlier move may become the first.
    expect(by(page, "review-progress")).to_be_hidden(timeout=60_000)
    move = bad.locator(".move-name").inner_text()
    bad.click()
    expect(legend.locator("[data-mark=last]")).to_have_text("the last move")
    expect(legend.locator("[data-mark=better]")).to_have_text(f"better than {move}")
    expect(page.locator(".cell.is-better")).to_have_count(1)
    expect(by(page, "review-comment")).to_contain_text(re.compile(r"Best was [a-h][1-8]\.$"))
