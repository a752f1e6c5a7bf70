"""Learners, and runs: started, paused, resumed and stopped."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from outflank.lab import answers
from outflank.lab.api.terms import CREATED, Lab
from outflank.lab.bodies import RunBody

router = APIRouter()
RunName = Annotated[str, Path(max_length=255)]


@router.get("/learners", tags=["runs"])
def learners(lab: Lab) -> list[answers.LearnerRow]:
    """List the learners and their presets."""
    return lab.runs.learners()


@router.get("/runs", tags=["runs"])
def runs(lab: Lab) -> list[answers.RunRow]:
    """List the runs, those in training first."""
    return lab.runs.listed()


@router.post("/runs", tags=["runs"], status_code=CREATED)
async def new_run(body: RunBody, lab: Lab) -> answers.RunRow:
    """Start a run."""
    return await lab.runs.start(body.learner, body.preset, body.name, body.settings)


@router.get("/runs/{name}", tags=["runs"])
def run(name: RunName, lab: Lab) -> answers.RunDetails:
    """Return a run with its measurements."""
    return lab.runs.details(name)


@router.post("/runs/{name}/pause", tags=["runs"])
async def pause_run(name: RunName, lab: Lab) -> answers.RunRow:
    """Pause a run after a checkpoint."""
    return await lab.runs.pause(name)


@router.post("/runs/{name}/resume", tags=["runs"])
async def resume_run(name: RunName, lab: Lab) -> answers.RunRow:
    """Resume a run."""
    return await lab.runs.resume(name)


@router.post("/runs/{name}/stop", tags=["runs"])
async def stop_run(name: RunName, lab: Lab) -> answers.RunRow:
    """Stop a run."""
    return await lab.runs.stop(name)
