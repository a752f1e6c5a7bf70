"""Figures as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from outflank.errors import DataError
from outflank.figures import new_figure, write_figure

pytest.importorskip("matplotlib")


def test_a_long_title_stays_within_the_figure(tmp_path: Path) -> None:
    figure = new_figure(5.0, 3.0)
    figure.subplots()
    title = "A study of how wide a title may be before its beginning and its end are cut off"
    write_figure(tmp_path / "wide.png", figure, title)
    text = figure._suptitle  # type: ignore[attr-defined]
    assert text.get_text().replace("\n", " ") == title
    box = text.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= figure.bbox.width


def test_other_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"accepted is \.png, \.svg, \.pdf"):
        write_figure(tmp_path / "figure.bmp", new_figure())
    assert not list(tmp_path.iterdir())
