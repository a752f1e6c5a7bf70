"""A server of the lab, a browser and its pages, for the tests of a process."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from outflank import records
from strategies import random_game

pytest.importorskip("playwright.sync_api", reason="needs Playwright")

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from lab.browser.steps import Server, new_page

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), "")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server works, with a few games of 1999 and 2003."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "wthor").mkdir()
    games = [random_game(seed) for seed in range(50)]
    records.write(folder / "wthor" / "WTH_1999.wtb", games[:40])
    records.write(folder / "wthor" / "WTH_2003.wtb", games[40:])
    return folder


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    yield server
    server.stop()


@pytest.fixture(scope="module")  # its event loop would be in the way of other tests
def browser() -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def problems() -> list[str]:
    """What the console tells; a test that asks for what must fail empties it again."""
    return []


@pytest.fixture
def page(browser: Browser, server: Server, problems: list[str]) -> Iterator[Page]:
    size = ViewportSize(width=1200, height=900)
    permissions = ["clipboard-read", "clipboard-write"]
    with new_page(
        browser, server, problems, viewport=size, reduced_motion="reduce", permissions=permissions
    ) as page:
        yield page
