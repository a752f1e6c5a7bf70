"""The process of a tournament started from the lab: reads what to play, prints its number."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from types import FrameType
from typing import Any

from outflank.arena import Store, Tournament, TournamentRunner, find_openings
from outflank.errors import DataError, OutflankError
from outflank.othello import Game
from outflank.players import make_player


def main() -> int:
    """Play one tournament to its end, or until it is stopped."""
    signal.signal(signal.SIGTERM, _leave)
    words = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        with Store(words["store"]) as store:
            known = {one.number for one in store.tournaments()}
            resumed = "resume" in words
            tournament = _resumed(store, words["resume"]) if resumed else _begun(words)
            with TournamentRunner(tournament, store) as run:
                began = {"tournament": run.number, "again": run.number in known}
                print(json.dumps(began), flush=True)
                run.play()
    except OutflankError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _begun(words: dict[str, Any]) -> Tournament:
    """Make the requested tournament."""
    plies, pairs, seed = words["plies"], words["games"] // 2, words["seed"]
    openings = find_openings(f"random:{plies}", pairs, seed=seed) if plies else [Game()]
    return Tournament(
        tuple(words["players"]), tuple(openings), words["games"], seed, words["gauntlet"]
    )


def _resumed(store: Store, number: int) -> Tournament:
    """Read a tournament of the store; its players must not have changed."""
    tournament = store.tournament(number)
    for spec, fingerprint in zip(tournament.players, tournament.fingerprints, strict=True):
        with make_player(spec) as player:
            if player.fingerprint != fingerprint:
                raise DataError(f"{spec} has learned since; start another tournament")
    return tournament


def _end_with_parent() -> None:
    """Wait until the lab is gone, even if it was killed, and end as if it had asked for it."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _leave(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
