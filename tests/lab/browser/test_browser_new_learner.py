"""A learner that was added as docs/add-a-learner.md says is on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from lab.browser.steps import Server, by, new_page
from learn.toy_learner import write_toy_learner


def test_a_learner_that_was_added(
    browser: Browser, tmp_path: Path, problems: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in write_toy_learner(tmp_path / "package").items():
        monkeypatch.setenv(name, value)
    server = Server(tmp_path)
    try:
        with new_page(browser, server, problems) as page:
            page.goto("/#/train")
            by(page, "learner").select_option("bandit")
            expect(by(page, "preset")).to_have_value("smoke")
            expect(page.get_by_text("A few matches")).to_be_visible()
            page.get_by_text("Advanced").click()
            by(page, "run-name").fill("toy")
            by(page, "start-run").click()
            expect(by(page, "run-state")).to_contain_text(
                "finished", timeout=60_000, ignore_case=True
            )
            expect(by(page, "run-chart")).to_contain_text("Winning rate")
            expect(by(page, "run-chart")).to_contain_text("against a random player")
            expect(by(page, "run-chart").locator("path.series").first).to_be_attached()
            by(page, "play-run").click()
            expect(by(page, "seat-white")).to_contain_text("toy")
    finally:
        server.stop()
