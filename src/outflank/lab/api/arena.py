"""The arena: ratings of all players, tournaments and their games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from outflank.lab import answers
from outflank.lab.api.terms import CREATED, Lab, Number
from outflank.lab.bodies import TournamentBody

router = APIRouter()


@router.get("/ladder", tags=["arena"])
def ladder(lab: Lab) -> answers.Ladder:
    """Rate all players of the results store."""
    return lab.arena.ladder()


@router.get("/tournaments", tags=["arena"])
def tournaments(lab: Lab) -> list[answers.TournamentRow]:
    """List the tournaments, the newest first."""
    return lab.arena.listed()


@router.post("/tournaments", tags=["arena"], status_code=CREATED)
async def new_tournament(body: TournamentBody, lab: Lab) -> answers.BegunTournament:
    """Start a tournament."""
    return await lab.arena.start(body.players, body.games, body.plies, body.gauntlet, body.seed)


@router.get("/tournaments/{number}", tags=["arena"])
def tournament(number: Number, lab: Lab) -> answers.TournamentDetails:
    """Return a tournament with its table."""
    return lab.arena.details(number)


@router.post("/tournaments/{number}/stop", tags=["arena"])
async def stop_tournament(number: Number, lab: Lab) -> answers.TournamentDetails:
    """Stop a tournament; its games are kept."""
    return await lab.arena.stop(number)


@router.post("/tournaments/{number}/resume", tags=["arena"])
async def resume_tournament(number: Number, lab: Lab) -> answers.BegunTournament:
    """Resume a tournament."""
    return await lab.arena.resume(number)


@router.get("/tournaments/{number}/games", tags=["arena"])
def tournament_games(
    number: Number, lab: Lab, pair: Annotated[int, Query(ge=0, le=10_000)] = 0
) -> list[answers.PairGame]:
    """List the games of a pair."""
    return lab.arena.games(number, pair)


@router.post("/tournaments/{number}/games/{pair}/{game}", tags=["arena"], status_code=CREATED)
async def open_tournament_game(
    number: Number, pair: Number, game: Number, lab: Lab
) -> answers.Table:
    """Open a game of a tournament."""
    return lab.tables.open(lab.arena.game(number, pair, game)).to_json()
