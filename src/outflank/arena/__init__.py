"""Matches and tournaments: openings, games in lockstep, ratings, and the store of results."""

from outflank.arena.export import check_export, export
from outflank.arena.openings import OpeningsError, ToMove, find_openings, random_openings
from outflank.arena.ratings import Rating
from outflank.arena.results import LostByError, PairResult
from outflank.arena.running import TournamentListener, TournamentRunner, match
from outflank.arena.standings import Standing, Standings, ladder
from outflank.arena.store import Store, default_store
from outflank.arena.tournament import Tournament, TournamentError

__all__ = [
    "LostByError",
    "OpeningsError",
    "PairResult",
    "Rating",
    "Standing",
    "Standings",
    "Store",
    "ToMove",
    "Tournament",
    "TournamentError",
    "TournamentListener",
    "TournamentRunner",
    "check_export",
    "default_store",
    "export",
    "find_openings",
    "ladder",
    "match",
    "random_openings",
]
