"""Studies and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pydantic import ConfigDict

from outflank.studies import Result, StudyRow

__all__ = ["StudyResult", "StudyRow"]


@dataclass(frozen=True)
class StudyResult(Result):
    """The stored result of a study, with the address of its figure, if it has one.

    stale: why it should be made anew; empty if it need not be.
    """

    figure: str | None = None
    stale: str = ""

    # Fields that have defaults are in every answer, too.
    __pydantic_config__: ClassVar = ConfigDict(json_schema_serialization_defaults_required=True)
