"""What several route files share: the laboratory, numbers, JSON, problems."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Request
from pydantic import BaseModel

from outflank.lab.laboratory import Laboratory

CREATED = 201
Json = dict[str, Any]


class Problem(BaseModel):
    """What is wrong, in one line."""

    error: str


def laboratory(request: Request) -> Laboratory:
    """Return the laboratory that the server holds."""
    lab: Laboratory = request.app.state.lab
    return lab


Lab = Annotated[Laboratory, Depends(laboratory)]
Number = Annotated[int, Path(ge=0, le=2**31)]
