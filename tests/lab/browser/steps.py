"""What tests do in the lab, and the server that it runs on."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

PAGES = ("play", "review", "watch", "train", "arena", "studies", "explore")
PHONE = ViewportSize(width=360, height=740)
WIDE = ViewportSize(width=1440, height=900)
# Squares of the light theme: as they are, that can be played, that cannot, and clicked wrongly.
PLAIN, GREEN, FAINT, RED = (
    "rgb(47, 127, 89)", "rgb(61, 145, 105)", "rgb(86, 111, 80)", "rgb(161, 74, 63)",
)  # fmt: skip
CURSORS = {PLAIN: "auto", GREEN: "pointer", FAINT: "not-allowed"}


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
    expect(square(page, name)).to_have_css("cursor", CURSORS[colour])


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
    if options:
        unfold(page, "opponent-advanced")
    for name, value in options.items():
        by(page, name).fill(value)
    by(page, "start-game").click()
    expect(by(page, "seat-white")).to_be_visible()


def unfold(page: Page, name: str) -> None:
    by(page, name).evaluate("node => { node.open = true; }")


def play_on(page: Page) -> None:
    """Play the first legal moves until the game is over."""
    for _ in range(200):
        if by(page, "result").is_visible():
            return
        legal = page.locator(".is-legal")
        if legal.count():
            legal.first.click()
        page.wait_for_timeout(30)
    raise AssertionError("the game does not end")


def in_view(page: Page, name: str) -> bool:
    """Whether all of an element can be seen without scrolling."""
    box = by(page, name).bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    bar = page.locator(".pages").bounding_box()
    low = bar["y"] if bar and bar["y"] > size["height"] / 2 else size["height"]
    return box["y"] >= 0 and box["y"] + box["height"] <= low + 1


def play_first_legal(page: Page) -> None:
    count = len(moves(page))
    page.locator(".is-legal").first.click()
    expect(by(page, "history").locator("[data-ply]")).not_to_have_count(count)
