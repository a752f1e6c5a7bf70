"""Learners and runs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SkipValidation
from typing_extensions import TypedDict

from outflank.lab.answers.numbers import Number


class PresetRow(TypedDict):
    """A preset of a learner."""

    name: str
    summary: str


class LearnerRow(TypedDict):
    """A learner."""

    name: str
    title: str
    presets: list[PresetRow]
    default: Annotated[str, Field(description="the preset that a newcomer should choose")]
    needs: Annotated[str | None, Field(description="why it cannot run here; null if it can")]


class Series(TypedDict):
    """A line of a chart."""

    name: Annotated[str, Field(description="of the measurement")]
    label: str


class Curve(TypedDict):
    """A chart of a run."""

    title: str
    unit: str
    help: Annotated[str, Field(description="what it shows")]
    series: list[Series]


class RunRow(TypedDict):
    """A run of the list."""

    name: str
    learner: str | None
    state: Literal["running", "paused", "stopped", "finished", "failed"]
    why: Annotated[str, Field(description="it is in this state; empty if there is no reason")]
    elsewhere: Annotated[bool, Field(description="trained by a process that the lab did not start")]
    step: Number
    steps: Annotated[Number | None, Field(description="at which it will be finished, if known")]
    seconds: Annotated[Number | None, Field(description="of training so far")]
    remaining: Annotated[Number | None, Field(description="seconds, while it trains")]
    error: str | None
    player: Annotated[str | None, Field(description="spec of its newest checkpoint")]


class RunDetails(RunRow):
    """A run with its measurements."""

    config: dict[str, Any]
    # Only numbers were read of them: to look at tens of thousands again would hold up everybody.
    metrics: Annotated[
        SkipValidation[list[dict[str, Number]]],
        Field(description="each has a `step`; whatever else is a number"),
    ]
    curves: list[Curve]
