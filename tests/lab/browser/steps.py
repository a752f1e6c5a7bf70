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

PAGES = ("play", "review", "watch", "learn", "arena", "studies", "explore")
PHONE = ViewportSize(width=360, height=740)
GREEN, RED = "rgb(63, 174, 120)", "rgb(161, 74, 63)"  # of a square that can be played, or not


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
