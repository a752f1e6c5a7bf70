"""Positions, named openings, and players."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, HTTPException, Request

from outflank import _core
from outflank.errors import IllegalMoveError
from outflank.lab import answers
from outflank.lab.api.terms import Lab
from outflank.lab.bodies import AnalyseBody, PositionBody
from outflank.lab.uploads import read_start
from outflank.lab.views import place_json, thought_json
from outflank.othello.openings import named_openings, opening_name

router = APIRouter()

_SECONDS_BETWEEN_LOOKS = 0.5


@router.post("/position", tags=["positions"])
def position(body: PositionBody) -> answers.PlaceInGame:
    """Return a position: the board, the side to move, and the legal moves."""
    game = read_start(body.start, body.moves)
    return {
        **place_json(game.position),
        "opening": opening_name(game),
        "moves": [move.name for move in game.moves],
    }


@router.post("/analyse", tags=["positions"])
async def analyse(body: AnalyseBody, request: Request, lab: Lab) -> answers.Analysis:
    """Let a player think about a position; it stops when nobody waits for the answer."""
    game = read_start(body.start, body.moves)
    if game.is_over:
        raise IllegalMoveError("the game is over: there is nothing to think about")
    spec = lab.roster.resolve(body.player)
    stop = _core.Stop()

    def work() -> answers.Analysis:
        with lab.roster.make(body.player) as player:
            return {"player": spec, **thought_json(player.think(game, stop=stop))}

    thinking = asyncio.ensure_future(lab.pool.run(work, stop))
    while not thinking.done():
        await asyncio.wait([thinking], timeout=_SECONDS_BETWEEN_LOOKS)
        if await request.is_disconnected():
            thinking.cancel()
            raise HTTPException(499, "nobody waits for the answer")
    return thinking.result()


@router.get("/players", tags=["players"])
def players(lab: Lab) -> answers.Players:
    """List the players that can be chosen, in groups."""
    return lab.roster.to_json(lab.arena.elo.of)


@router.get("/openings", tags=["positions"])
def openings() -> list[answers.Opening]:
    """List the named openings."""
    return [{"name": name, "moves": moves} for moves, name in named_openings().items()]
