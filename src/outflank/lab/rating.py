"""Rates the shipped players for the lab: python -m outflank.lab.rating [GAMES [SPEC...]]

All meet each other from the same random openings, with their default options. The player `random`
has Elo 0. If players are named, only these play, each against all others, whose ratings stay as
they are. Writes ratings.json beside this file.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outflank.arena import Store, Tournament, TournamentListener, TournamentRunner, random_openings
from outflank.arena.ratings import Rating, rate_newcomer
from outflank.arena.standings import Standing, Standings
from outflank.files import write_bytes
from outflank.lab.roster import RATINGS, Roster
from outflank.lab.settings import LabSettings

_GROUPS = ("people", "imitation", "value", "coevolution", "selfplay", "search", "simple")
_PLIES = 6
_ANCHOR = "random"


class _Counting(TournamentListener):
    """Reports the progress."""

    def advanced(self, played: float) -> None:
        print(f"\r{played:.0f} games", end="", file=sys.stderr, flush=True)


def main(games: int, newcomers: Sequence[str] = ()) -> None:
    """Play, and write the ratings."""
    nowhere = Path(tempfile.mkdtemp())
    roster = Roster(LabSettings(runs=nowhere, engines=nowhere / "none"))
    entries = [entry for entry in roster.entries() if entry.group in _GROUPS]
    real = {roster.resolve(entry.spec): entry.spec for entry in entries}
    path = Path(__file__).with_name(RATINGS)
    if unknown := set(newcomers) - set(real.values()):
        sys.exit(
            f"no such players: {', '.join(sorted(unknown))}; there are {', '.join(real.values())}"
        )
    if newcomers:
        made = json.loads(path.read_bytes())
        for spec in newcomers:
            _rate_newcomer(spec, games, real, made)
    else:
        made = _rate_all(games, real)
    order = sorted(made["players"].items(), key=lambda item: -item[1]["elo"])
    made["players"] = dict(order)
    write_bytes(path, json.dumps(made, indent=1).encode() + b"\n")
    for spec, rated in order:
        print(f"{rated['elo']:6} {rated['interval']} {spec}")


def _rate_all(games: int, real: Mapping[str, str]) -> dict[str, Any]:
    """Let all meet each other; real: the lab's names by the players' whole specs."""
    table = _play(tuple(real), games, gauntlet=False)
    # Intervals are against the mean of all, so that chance in the anchor's games is not in each.
    zero = next(row.rating.elo for row in table.players if row.spec == _ANCHOR)
    return {
        "made": f"python -m outflank.lab.rating {games}",
        "games": table.games,
        "openings": f"{games // 2} of {_PLIES} random moves, both colours",
        "players": {real[row.spec]: _rounded(row.rating, zero) for row in table.players},
    }


def _rate_newcomer(spec: str, games: int, real: Mapping[str, str], made: dict[str, Any]) -> None:
    """Let one player meet those that have ratings, and rate it."""
    (whole,) = [one for one, name in real.items() if name == spec]
    others = [one for one, name in real.items() if name in made["players"] and name != spec]
    table = _play((whole, *others), games, gauntlet=True)
    points = [games * (1 - (row.winning_rate or 0.0)) for row in _rows(table, others)]
    elo = [made["players"][real[one]]["elo"] for one in others]
    rating = rate_newcomer(np.array(points), np.full(len(others), float(games)), np.array(elo))
    made["players"][spec] = {**_rounded(rating, 0.0), "games": games * len(others)}


def _play(players: tuple[str, ...], games: int, *, gauntlet: bool) -> Standings:
    openings = random_openings(_PLIES, games // 2, seed=1)
    tournament = Tournament(players, tuple(openings), games, gauntlet=gauntlet)
    with Store(":memory:") as store, TournamentRunner(tournament, store) as run:
        run.play(_Counting())
        return run.standings()


def _rows(table: Standings, specs: Sequence[str]) -> list[Standing]:
    by_spec = {row.spec: row for row in table.players}
    return [by_spec[spec] for spec in specs]


def _rounded(rating: Rating, zero: float) -> dict[str, Any]:
    return {
        "elo": round(rating.elo - zero),
        "interval": [round(rating.low - zero), round(rating.high - zero)],
    }


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:])
