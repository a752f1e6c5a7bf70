"""Games of the lab, and files of games."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from outflank.lab import answers
from outflank.lab.api.terms import CREATED, Lab, Number
from outflank.lab.bodies import GameBody
from outflank.lab.uploads import read_start, write_game
from outflank.records import FORMATS, format_named

router = APIRouter()
GameId = Annotated[str, Path(pattern=r"^[a-z2-7]{12}$", description="of a game: 12 letters")]

FileName = Annotated[str, Query(max_length=200)]
Token = Annotated[str, Field(max_length=40)]

_USUAL_FORMAT = "ggf"
_FILE = {"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}}


@router.get("/games", tags=["games"])
def games(lab: Lab) -> answers.GameList:
    """List the lab's games, newest first."""
    return lab.tables.listed()


@router.post("/games", tags=["games"], status_code=CREATED)
async def new_game(body: GameBody, lab: Lab) -> answers.Table:
    """Create a game; it starts when a page joins it over the socket."""
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
async def game(key: GameId, lab: Lab) -> answers.Table:
    """Return a game with all its positions."""
    return lab.tables.find(key).to_json()


@router.delete("/games/{key}", tags=["games"], status_code=204)
async def remove_game(key: GameId, lab: Lab) -> None:
    """Delete a game."""
    await lab.tables.remove(key)


@router.get("/formats", tags=["games"])
def formats() -> list[answers.RecordFormat]:
    """List the record formats."""
    return [
        {"name": one.name, "title": one.title, "extension": one.extensions[0]}
        for one in sorted(FORMATS.values(), key=lambda one: one.name != _USUAL_FORMAT)
    ]


@router.get("/games/{key}/record", tags=["games"])
async def record(
    key: GameId, lab: Lab, format: Annotated[str, Query(max_length=20)] = _USUAL_FORMAT
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


@router.post("/records", tags=["games"], openapi_extra=_FILE)
async def load_records(
    request: Request,
    lab: Lab,
    name: FileName = "",
    names: Annotated[list[Token], Query(max_length=2)] = [],  # noqa: B006  # FastAPI copies it
) -> answers.Records:
    """Read a file of games, or pasted text; the games can then be opened one by one."""
    content = await request.body()
    return await asyncio.to_thread(lab.uploads.add, content, name, names)


@router.post("/records/names", tags=["games"], openapi_extra=_FILE)
async def load_names(request: Request, lab: Lab, name: FileName = "") -> answers.RecordNames:
    """Read a file of names (.JOU or .TRN); its token names the players of files read next."""
    content = await request.body()
    return await asyncio.to_thread(lab.uploads.add_names, content, name)


@router.post("/records/{token}/{number}", tags=["games"], status_code=CREATED)
async def open_record(token: Annotated[Token, Path()], number: Number, lab: Lab) -> answers.Table:
    """Open one of the games of a file that was read before."""
    return lab.tables.open(lab.uploads.game(token, number)).to_json()
