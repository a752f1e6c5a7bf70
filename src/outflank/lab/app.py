"""The server: routes of the API, the socket, and the site's files.

FastAPI is Starlette with an OpenAPI document made from the same declarations.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from outflank import __version__
from outflank.errors import OutflankError
from outflank.lab import api
from outflank.lab.document import DocumentedApp
from outflank.lab.guard import Guard
from outflank.lab.laboratory import Laboratory
from outflank.lab.live import Socket
from outflank.lab.settings import LabSettings
from outflank.lab.tables import NoSuchGameError

STATIC = Path(__file__).parent / "static"

_ABOUT = (
    "Positions, players, games, runs, tournaments, studies and openings. The lab's pages use "
    "nothing else. Live news (moves, thoughts, hints, reviews, curves) comes over "
    "the WebSocket /api/live; see docs/lab.md."
)


def create_app(settings: LabSettings | None = None) -> FastAPI:
    """Make the server's app."""
    settings = settings or LabSettings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lab = Laboratory(settings)
        yield
        await app.state.lab.close()

    app = DocumentedApp(
        title="Outflank",
        version=__version__,
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses={
            400: {"model": api.Problem, "description": "The request cannot be carried out."},
            422: {"model": api.Problem, "description": "The request is not well formed."},
        },
    )
    app.add_exception_handler(OutflankError, _tell)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(StarletteHTTPException, _tell_status)
    app.include_router(api.router)

    @app.get("/api", include_in_schema=False)
    def documentation() -> Response:
        return FileResponse(STATIC / "api.html")

    @app.websocket("/api/live")
    async def live(socket: WebSocket) -> None:
        await Socket(app.state.lab, socket).serve()

    app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    app.add_middleware(Guard, hosts=settings.hosts)
    return app


async def _tell(request: Request, error: Exception) -> Response:
    status = 404 if isinstance(error, NoSuchGameError) else 400
    return JSONResponse({"error": str(error)}, status)


async def _tell_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return JSONResponse({"error": f"{place}: {first['msg']}" if place else first["msg"]}, 422)


async def _tell_status(request: Request, error: Exception) -> Response:
    assert isinstance(error, (HTTPException, StarletteHTTPException))  # noqa: S101
    return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)
