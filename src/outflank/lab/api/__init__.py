"""The API's routes, one file for each subject. Each calls the laboratory and answers in JSON."""

from __future__ import annotations

from fastapi import APIRouter

from outflank import __version__, _core
from outflank.lab import answers
from outflank.lab.api import arena, explorer, games, positions, runs, studies
from outflank.lab.api.terms import Problem

__all__ = ["Problem", "router"]

router = APIRouter(prefix="/api")


@router.get("/about", tags=["about"])
def about() -> answers.About:
    """Return the version that runs here."""
    return {
        "version": __version__, "build": _core.build(), "cores": _core.available_threads(),
    }  # fmt: skip


for subject in (positions, games, runs, arena, studies, explorer):
    router.include_router(subject.router)
