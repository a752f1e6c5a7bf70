"""Doubts that leave a claim open, whichever way the figures point."""

from __future__ import annotations

from dataclasses import replace

from outflank.studies.result import Claim

ONCE = "a network was trained once, and another training of it would differ"


def left_open(claim: Claim, *doubts: str) -> Claim:
    """Leave a claim open because of some doubts; empty ones do not count."""
    given = [doubt for doubt in dict.fromkeys(doubts) if doubt]
    if not given:
        return claim
    return replace(claim, verdict=Claim.OPEN, reason=f"{claim.reason}; but {'; and '.join(given)}")
