"""Evaluations: values of unfinished positions, for players that search."""

from outflank.evaluations.league import LeagueEntry, league_entries, league_network
from outflank.evaluations.registry import (
    Evaluation,
    Listed,
    evaluation,
    evaluations,
    fingerprint_of,
)
from outflank.evaluations.units import Unit, unit_of

__all__ = [
    "Evaluation",
    "LeagueEntry",
    "Listed",
    "Unit",
    "evaluation",
    "evaluations",
    "fingerprint_of",
    "league_entries",
    "league_network",
    "unit_of",
]
