"""Studies: their stored results and figures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query
from starlette.responses import Response

from outflank.lab import answers
from outflank.lab.api.terms import Lab, Problem

router = APIRouter()
StudyName = Annotated[str, Path(max_length=60)]
Scale = Annotated[str, Query(max_length=20)]


@router.get("/studies", tags=["studies"])
def studies(lab: Lab) -> list[answers.StudyRow]:
    """List the studies and the scales that have results."""
    return lab.studies.listed()


@router.get("/studies/{name}", tags=["studies"], responses={404: {"model": Problem}})
def study(name: StudyName, lab: Lab, scale: Scale = "laptop") -> answers.StudyResult:
    """Return the stored result of a study."""
    result = lab.studies.result(name, scale)
    if result is None:
        raise HTTPException(404, f"no result at the scale {scale!r}; outflank study run {name}")
    return result


@router.get("/studies/{name}/figure", tags=["studies"], responses={404: {"model": Problem}})
def study_figure(name: StudyName, lab: Lab, scale: Scale = "laptop") -> Response:
    """Draw the figure of a study as SVG; needs the extra train."""
    figure = lab.studies.figure(name, scale)
    if figure is None:
        raise HTTPException(404, f"no result at the scale {scale!r}; outflank study run {name}")
    return Response(figure, media_type="image/svg+xml")
