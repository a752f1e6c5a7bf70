"""The process of a tournament that the page started: reads what to play, prints its number."""

from __future__ import annotations

import json
import signal
import sys
from types import FrameType

from outflank.arena import Run, Store, Tournament, find_openings
from outflank.errors import OutflankError
from outflank.othello import Game


def main() -> int:
    """Play one tournament to its end, or until it is told to stop."""
    signal.signal(signal.SIGTERM, _leave)
    words = json.loads(sys.stdin.readline())
    plies, pairs = words["plies"], words["games"] // 2
    try:
        openings = list(find_openings(f"random:{plies}", pairs)) if plies else [Game()]
        tournament = Tournament(
            tuple(words["players"]), tuple(openings), words["games"], gauntlet=words["gauntlet"]
        )
        with Store(words["store"]) as store, Run(tournament, store) as run:
            print(json.dumps({"tournament": run.number}), flush=True)
            run.play()
    except OutflankError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _leave(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
