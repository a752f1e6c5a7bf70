"""Empty figures, and how they are written; they need matplotlib (the extra `train`)."""

from __future__ import annotations

import io
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from outflank.errors import DataError, OutflankError
from outflank.files import check_target, write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FORMATS = (".png", ".svg", ".pdf")
_LETTERS_PER_INCH = 9  # of a title


def new_figure(width: float = 11.0, height: float = 4.0) -> Figure:
    """Return an empty figure, so many inches large; without matplotlib, say how to get it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise OutflankError(
            "this needs matplotlib, which is not installed; "
            "install it with: pip install 'outflank[train]'"
        ) from None
    return Figure(figsize=(width, height), layout="constrained")


def check_figure(path: Path) -> None:
    """Say what would keep a figure from being written there, before the work that it shows."""
    check_target(path)
    if path.suffix.lower() not in _FORMATS:
        raise DataError(f"{path}: no such format of figures; accepted is {', '.join(_FORMATS)}")
    new_figure()


def write_figure(path: Path, figure: Figure, title: str = "") -> None:
    """Write a figure whole or not at all, in the format of the file's name; title: above it."""
    check_figure(path)
    if title:
        figure.suptitle(textwrap.fill(title, int(_LETTERS_PER_INCH * figure.get_figwidth())))
    content = io.BytesIO()
    figure.savefig(content, format=path.suffix[1:].lower(), dpi=120)
    write_bytes(path, content.getvalue())
