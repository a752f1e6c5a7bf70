"""The registry of evaluations. The compiled ones are defined in core/evaluation/named.cpp."""

from __future__ import annotations

from dataclasses import dataclass

from outflank._core import Evaluation, named_evaluations
from outflank.evaluations.league import is_league, league_entries, league_network
from outflank.evaluations.learned import is_learned, learned_evaluation, shipped_evaluations
from outflank.evaluations.names import unknown
from outflank.fingerprints import boards_of_all_stages, fingerprint

__all__ = ["Evaluation", "Listed", "evaluation", "evaluations", "fingerprint_of"]


@dataclass(frozen=True)
class Listed:
    """An evaluation as lists show it."""

    name: str
    summary: str  # one line: what it counts
    source: str  # where it was published


def evaluations() -> list[Listed]:
    """List all evaluations; those of the league need their files."""
    built_in = [Listed(*described) for described in named_evaluations()]
    names = {listed.name for listed in built_in}
    league = [
        Listed(entry.name, entry.summary, entry.file)
        for entry in league_entries()
        if entry.name not in names
    ]
    learned = [
        Listed(name, model.summary, "learned here") for name, model in shipped_evaluations().items()
    ]
    return [*built_in, *learned, *league]


def evaluation(name: str) -> Evaluation:
    """Make an evaluation by name: a built-in one, a league player's, or that of a file.

    Its values are integers from the mover's view, in fixed point: `units` of them make one.

    >>> corners = evaluation("swh")
    >>> corners.evaluate(own=1, other=0, white_to_move=False) / corners.units
    1.0
    """
    built_in = {listed[0] for listed in named_evaluations()}
    if name in built_in:
        return Evaluation.named(name)
    if is_league(name):
        return league_network(name)
    if is_learned(name):
        return learned_evaluation(name)
    raise unknown("evaluation", name, [listed.name for listed in evaluations()])


def fingerprint_of(name: str) -> str:
    """Return a hash that changes with the evaluation's file; empty for built-in evaluations.

    It is a hash of its values on boards of every stage.
    """
    if name in {listed[0] for listed in named_evaluations()}:
        return ""
    found = evaluation(name)
    return fingerprint(
        *(
            found.evaluate(boards.own, boards.other, boards.white_to_move)
            for boards in boards_of_all_stages()
        )
    )
