"""The two sides."""

from __future__ import annotations

from enum import Enum


class Color(str, Enum):
    """Black (moves first) or white. Equal to its name: ``Color.BLACK == "black"``."""

    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> Color:
        """The opponent's colour."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    def __str__(self) -> str:
        return self.value


BLACK = Color.BLACK
WHITE = Color.WHITE
