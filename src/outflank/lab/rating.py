"""Rates the shipped players for the page: python -m outflank.lab.rating [GAMES]

All meet each other from the same random openings, each with the options that it has if none are
chosen. The player `random` has Elo 0. Writes ratings.json beside this file.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from outflank.arena import Run, Store, Tournament, Watch, random_openings
from outflank.files import write_bytes
from outflank.lab.roster import RATINGS, Roster
from outflank.lab.settings import LabSettings

_GROUPS = ("imitation", "coevolution", "search", "simple")
_PLIES = 6
_ANCHOR = "random"


class _Counting(Watch):
    """Says how far it is."""

    def advanced(self, played: float) -> None:
        print(f"\r{played:.0f} games", end="", file=sys.stderr, flush=True)


def main(games: int) -> None:
    """Play the tournament and write its ratings."""
    nowhere = Path(tempfile.mkdtemp())
    roster = Roster(LabSettings(runs=nowhere, engines=nowhere / "none"))
    entries = [entry for entry in roster.entries() if entry.group in _GROUPS]
    real = {roster.resolve(entry.spec): entry.spec for entry in entries}
    openings = random_openings(_PLIES, games // 2, seed=1)
    tournament = Tournament(tuple(real), tuple(openings), games)
    with Store(":memory:") as store, Run(tournament, store) as run:
        run.play(_Counting())
        table = run.standings()
    # Intervals are against the mean of all, so that chance in the anchor's games is not in each.
    zero = next(row.rating.elo for row in table.players if row.spec == _ANCHOR)
    players = {
        real[row.spec]: {
            "elo": round(row.rating.elo - zero),
            "interval": [round(row.rating.low - zero), round(row.rating.high - zero)],
        }
        for row in table.players
    }
    made = {
        "made": f"python -m outflank.lab.rating {games}",
        "games": table.games,
        "openings": f"{len(openings)} of {_PLIES} random moves, both colours",
        "players": players,
    }
    write_bytes(Path(__file__).with_name(RATINGS), json.dumps(made, indent=1).encode() + b"\n")
    for spec, rated in players.items():
        print(f"{rated['elo']:6} {rated['interval']} {spec}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
