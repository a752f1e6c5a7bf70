"""Runs: the ways of learning, and training that begins, rests, goes on and ends."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from outflank.lab.api.terms import CREATED, Json, Lab
from outflank.lab.bodies import RunBody

router = APIRouter()
RunName = Annotated[str, Path(max_length=255)]


@router.get("/learners", tags=["runs"])
def learners(lab: Lab) -> list[Json]:
    """List the ways of learning and their presets."""
    return lab.runs.learners()


@router.get("/runs", tags=["runs"])
def runs(lab: Lab) -> list[Json]:
    """List the runs, those that train first."""
    return lab.runs.listed()


@router.post("/runs", tags=["runs"], status_code=CREATED)
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
