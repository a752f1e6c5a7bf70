"""The API's routes: each calls a room of the laboratory and answers with JSON."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from outflank import __version__, _core
from outflank.errors import DataError, IllegalMoveError, OutflankError
from outflank.lab.bodies import AnalyseBody, GameBody, PositionBody, RunBody, TournamentBody
from outflank.lab.laboratory import Laboratory
from outflank.lab.learners import LEARNERS
from outflank.lab.thinking import think
from outflank.lab.uploads import read_start, write_game
from outflank.lab.views import place_json, thought_json
from outflank.othello import PASS
from outflank.othello.openings import named_openings, opening_name
from outflank.records import FORMATS, format_named

router = APIRouter(prefix="/api")
Json = dict[str, Any]


class Problem(BaseModel):
    """What is wrong, in one line."""

    error: str


def laboratory(request: Request) -> Laboratory:
    """Return the laboratory that the server holds."""
    lab: Laboratory = request.app.state.lab
    return lab


Lab = Annotated[Laboratory, Depends(laboratory)]
GameId = Annotated[str, Path(pattern=r"^[a-z2-7]{12}$", description="of a game: 12 letters")]
RunName = Annotated[str, Path(max_length=255)]
Number = Annotated[int, Path(ge=0, le=2**31)]
Years = Annotated[int | None, Query(ge=1900, le=2200)]

_CREATED = 201
_SECONDS_BETWEEN_LOOKS = 0.5
_USUAL_FORMAT = "ggf"


@router.get("/about", tags=["about"])
def about() -> Json:
    """Tell which version runs here."""
    return {
        "version": __version__, "build": _core.build(), "cores": _core.available_threads(),
    }  # fmt: skip


# Positions and players.


@router.post("/position", tags=["positions"])
def position(body: PositionBody) -> Json:
    """Describe a position: its board, whose turn it is, and the legal moves."""
    game = read_start(body.start, body.moves)
    return {
        **place_json(game.position),
        "opening": opening_name(game),
        "moves": [move.name for move in game.moves],
    }


@router.post("/analyse", tags=["positions"])
async def analyse(body: AnalyseBody, request: Request, lab: Lab) -> Json:
    """Let a player think about a position; it stops when nobody waits any more."""
    game = read_start(body.start, body.moves)
    if game.is_over:
        raise IllegalMoveError("the game is over: there is nothing to think about")
    spec = lab.roster.resolve(body.player)
    stop = _core.Stop()

    def work() -> Json:
        with lab.roster.make(body.player) as player:
            return {"player": spec, **thought_json(think(player, game, stop), player)}

    thinking = asyncio.ensure_future(lab.pool.run(work, stop))
    while not thinking.done():
        await asyncio.wait([thinking], timeout=_SECONDS_BETWEEN_LOOKS)
        if await request.is_disconnected():
            thinking.cancel()
            raise HTTPException(499, "nobody waits for the answer")
    return thinking.result()


@router.get("/players", tags=["players"])
def players(lab: Lab) -> Json:
    """List whom one can play against, in groups."""
    return lab.roster.to_json()


@router.get("/openings", tags=["positions"])
def openings() -> list[Json]:
    """List the openings that have names."""
    return [{"name": name, "moves": moves} for moves, name in named_openings().items()]


# Games.


@router.get("/games", tags=["games"])
def games(lab: Lab) -> list[Json]:
    """List the games of the page, the newest first."""
    return lab.tables.listed()


@router.post("/games", tags=["games"], status_code=_CREATED)
async def new_game(body: GameBody, lab: Lab) -> Json:
    """Begin a game; it goes on as soon as a page joins it over the socket."""
    game = read_start(body.start, body.moves)
    table = lab.tables.create(
        body.black,
        body.white,
        game,
        minutes=body.minutes,
        budget=body.budget,
        delay=body.delay,
        paused=body.paused,
    )
    return table.to_json()


@router.get("/games/{key}", tags=["games"])
async def game(key: GameId, lab: Lab) -> Json:
    """Describe a game with all its positions."""
    return lab.tables.find(key).to_json()


@router.delete("/games/{key}", tags=["games"], status_code=204)
async def remove_game(key: GameId, lab: Lab) -> None:
    """Forget a game."""
    await lab.tables.remove(key)


@router.get("/formats", tags=["games"])
def formats() -> list[Json]:
    """List the record formats."""
    return [
        {"name": one.name, "title": one.title, "extension": one.extensions[0]}
        for one in sorted(FORMATS.values(), key=lambda one: one.name != _USUAL_FORMAT)
    ]


@router.get("/games/{key}/record", tags=["games"])
async def record(
    key: GameId, lab: Lab, format: Annotated[str, Query(max_length=20)] = "ggf"
) -> Response:
    """Write a game as a file of a record format; formats without moves get the position."""
    chosen = format_named(format)
    content = write_game(lab.tables.find(key).game, chosen)
    name = f"outflank-{key}{chosen.extensions[0]}"
    return Response(
        content,
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.post(
    "/records",
    tags=["games"],
    openapi_extra={
        "requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}
    },
)
async def load_records(
    request: Request, lab: Lab, name: Annotated[str, Query(max_length=200)] = ""
) -> Json:
    """Read a file of games, or pasted text; the games can then be opened one by one."""
    content = await request.body()
    return await asyncio.to_thread(lab.uploads.add, content, name)


@router.post("/records/{token}/{number}", tags=["games"], status_code=_CREATED)
async def open_record(token: Annotated[str, Path(max_length=40)], number: Number, lab: Lab) -> Json:
    """Open one of the games of a file that was read before."""
    return lab.tables.open(lab.uploads.game(token, number)).to_json()


# Runs.


@router.get("/learners", tags=["runs"])
def learners(lab: Lab) -> list[Json]:
    """List the ways of learning and their presets."""
    return [one.to_json(lab.settings.wthor) for one in LEARNERS.values()]


@router.get("/runs", tags=["runs"])
def runs(lab: Lab) -> list[Json]:
    """List the runs, those that train first."""
    return lab.runs.listed()


@router.post("/runs", tags=["runs"], status_code=_CREATED)
async def new_run(body: RunBody, lab: Lab) -> Json:
    """Begin a run."""
    return await lab.runs.start(body.learner, body.preset, body.name, body.settings)


@router.get("/runs/{name}", tags=["runs"])
def run(name: RunName, lab: Lab) -> Json:
    """Describe a run with its measurements."""
    return lab.runs.details(name)


@router.post("/runs/{name}/pause", tags=["runs"])
async def pause_run(name: RunName, lab: Lab) -> Json:
    """Let a run write a checkpoint and rest."""
    return await lab.runs.pause(name)


@router.post("/runs/{name}/resume", tags=["runs"])
async def resume_run(name: RunName, lab: Lab) -> Json:
    """Go on with a run."""
    return await lab.runs.resume(name)


@router.post("/runs/{name}/stop", tags=["runs"])
async def stop_run(name: RunName, lab: Lab) -> Json:
    """End a run."""
    return await lab.runs.stop(name)


# Arena.


@router.get("/ladder", tags=["arena"])
def ladder(lab: Lab) -> Json:
    """Rate all players of the results store."""
    return lab.arena.ladder()


@router.get("/tournaments", tags=["arena"])
def tournaments(lab: Lab) -> list[Json]:
    """List the tournaments, the newest first."""
    return lab.arena.listed()


@router.post("/tournaments", tags=["arena"], status_code=_CREATED)
async def new_tournament(body: TournamentBody, lab: Lab) -> Json:
    """Begin a tournament."""
    return await lab.arena.start(body.players, body.games, body.plies, body.gauntlet, body.seed)


@router.get("/tournaments/{number}", tags=["arena"])
def tournament(number: Number, lab: Lab) -> Json:
    """Describe a tournament with its table."""
    return lab.arena.details(number)


@router.post("/tournaments/{number}/stop", tags=["arena"])
async def stop_tournament(number: Number, lab: Lab) -> Json:
    """Stop a tournament; its games are kept."""
    return await lab.arena.stop(number)


@router.post("/tournaments/{number}/resume", tags=["arena"])
async def resume_tournament(number: Number, lab: Lab) -> Json:
    """Go on with a tournament."""
    return await lab.arena.resume(number)


@router.get("/tournaments/{number}/games", tags=["arena"])
def tournament_games(
    number: Number, lab: Lab, pair: Annotated[int, Query(ge=0, le=10_000)] = 0
) -> list[Json]:
    """List the games of a pair."""
    return lab.arena.games(number, pair)


@router.post("/tournaments/{number}/games/{pair}/{game}", tags=["arena"], status_code=_CREATED)
async def open_tournament_game(number: Number, pair: Number, game: Number, lab: Lab) -> Json:
    """Open a game of a tournament."""
    return lab.tables.open(lab.arena.game(number, pair, game)).to_json()


# Studies and openings.


@router.get("/studies", tags=["studies"])
def studies(lab: Lab) -> list[Json]:
    """List the studies and the scales at which there are results."""
    return lab.studies.listed()


@router.get("/studies/{name}", tags=["studies"], responses={404: {"model": Problem}})
def study(
    name: Annotated[str, Path(max_length=60)],
    lab: Lab,
    scale: Annotated[str, Query(max_length=20)] = "laptop",
) -> Json:
    """Return the stored result of a study."""
    result = lab.studies.result(name, scale)
    if result is None:
        raise HTTPException(404, f"no result at the scale {scale!r}; outflank study run {name}")
    return result


@router.get("/studies/{name}/figure", tags=["studies"], responses={404: {"model": Problem}})
def study_figure(
    name: Annotated[str, Path(max_length=60)],
    lab: Lab,
    scale: Annotated[str, Query(max_length=20)] = "laptop",
) -> Response:
    """Draw the figure of a study as SVG; needs the extra train."""
    figure = lab.studies.figure(name, scale)
    if figure is None:
        raise HTTPException(404, f"no result at the scale {scale!r}; outflank study run {name}")
    return Response(figure, media_type="image/svg+xml")


@router.get("/explore", tags=["explore"])
async def explore(
    lab: Lab,
    moves: Annotated[str, Query(max_length=400)] = "",
    first: Years = None,
    last: Years = None,
) -> Json:
    """Tell what was played in a position, in the user's WThor games; passes are put in."""
    game = read_start(None, moves)
    if game.position.must_pass:
        game = game.play(PASS)
    try:
        explorer = await lab.explorer()
    except OutflankError as error:  # no games are no error of the page
        empty = {"place": place_json(game.position), "games": 0, "next": [], "sample": []}
        return {**empty, "error": str(error), "moves": [move.name for move in game.moves]}
    years = None if first is None and last is None else (first or 0, last or 9999)

    def work() -> Json:
        place = game.position
        numbers = explorer.games(place, years)
        sample = {int(number): explorer.game(int(number)) for number in numbers[:12]}
        return {
            "place": place_json(place),
            "opening": opening_name(game),
            "moves": [move.name for move in game.moves],
            "first_year": int(explorer.year.min()),
            "last_year": int(explorer.year.max()),
            **vars(explorer.results(place, years)),
            "next": [
                {"move": one.move.name, **vars(one.results)}
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

    return await asyncio.to_thread(work)


@router.post("/explore/{number}", tags=["explore"], status_code=_CREATED)
async def open_explored(number: Number, lab: Lab) -> Json:
    """Open one of the user's WThor games, by the number that a sample has."""
    explorer = await lab.explorer()
    if number >= len(explorer):
        raise DataError(f"there is no game {number}; there are {len(explorer)}")
    return lab.tables.open(explorer.game(number)).to_json()
