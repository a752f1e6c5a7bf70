"""Which player judges moves for people: the champion if it is shipped, otherwise patterns."""

from __future__ import annotations

from outflank.models import shipped_models

CHAMPION = "champion"


def champion_is_shipped() -> bool:
    """Return whether the champion's evaluation came with the package."""
    return CHAMPION in shipped_models()


def judge_spec(limit: str) -> str:
    """Return the spec of the player that reviews games and gives hints, within a limit.

    Args:
        limit: Such as depth=8 or time=1s.
    """
    if champion_is_shipped():  # values of a book are not comparable with those of a search
        return f"champion:book=no,{limit}"
    return f"alphabeta:eval=patterns,{limit}"
