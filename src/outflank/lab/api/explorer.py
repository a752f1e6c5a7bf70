"""The explorer: statistics of the user's WThor games."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from outflank.data.explorer import Explorer, Results
from outflank.errors import DataError, OutflankError
from outflank.lab import answers
from outflank.lab.api.terms import CREATED, Lab, Number
from outflank.lab.uploads import read_start
from outflank.lab.views import place_json
from outflank.othello import PASS, Game
from outflank.othello.openings import opening_name

router = APIRouter()
Years = Annotated[int | None, Query(ge=1900, le=2200)]


@router.get("/explore", tags=["explore"])
async def explore(
    lab: Lab,
    moves: Annotated[str, Query(max_length=400)] = "",
    first: Years = None,
    last: Years = None,
) -> answers.Explored | answers.NotExplored:
    """Return what was played in a position in the user's WThor games; missing passes are added."""
    game = read_start(None, moves)
    if game.position.must_pass:
        game = game.play(PASS)
    try:
        explorer = await lab.explorer()
    except OutflankError as error:  # having no games is no error of the page
        return {
            "place": place_json(game.position),
            "games": 0,
            "next": [],
            "sample": [],
            "error": str(error),
            "moves": [move.name for move in game.moves],
        }
    years = None if first is None and last is None else (first or 0, last or 9999)
    return await asyncio.to_thread(_explored, explorer, game, years)


def _explored(explorer: Explorer, game: Game, years: tuple[int, int] | None) -> answers.Explored:
    """Describe what was played in the position of a game, in some years or in all."""
    place = game.position
    numbers = explorer.games(place, years)
    sample = {int(number): explorer.game(int(number)) for number in numbers[:12]}
    return {
        "place": place_json(place),
        "opening": opening_name(game),
        "moves": [move.name for move in game.moves],
        "first_year": int(explorer.year.min()),
        "last_year": int(explorer.year.max()),
        **_counts(explorer.results(place, years)),
        "next": [
            {"move": one.move.name, **_counts(one.results)}
            for one in explorer.continuations(place, years)
        ],
        "sample": [
            {
                "number": number,
                "black": one.black,
                "white": one.white,
                "year": one.date,
                "event": one.event,
                "score": one.result,
                "transcript": one.transcript,
            }
            for number, one in sample.items()
        ],
    }


def _counts(results: Results) -> answers.GameCounts:
    return {
        "games": results.games,
        "black": results.black,
        "draws": results.draws,
        "white": results.white,
        "first": results.first,
        "last": results.last,
    }


@router.post("/explore/{number}", tags=["explore"], status_code=CREATED)
async def open_explored(number: Number, lab: Lab) -> answers.Table:
    """Open one of the user's WThor games, by its number in a sample."""
    explorer = await lab.explorer()
    if number >= len(explorer):
        raise DataError(f"there is no game {number}; there are {len(explorer)}")
    return lab.tables.open(explorer.game(number)).to_json()
