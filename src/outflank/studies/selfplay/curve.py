"""What an agent learns from nothing, by hours, games and positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outflank.learn.selfplay import SelfPlayConfig, preset
from outflank.learn.selfplay.anchors import ANCHORS
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Plot, Row
from outflank.studies.workbench import Workbench

_SHOWN = ("course_4", "rollouts_200", "iago_4", "iago_6")
Metrics = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class CurveConfig:
    """Stages of one training, each beginning with the network that the one before ended with.

    Attributes:
        preset: That the stages change; empty: the fields' defaults.
        stages: Settings of each stage.
        without_solver: Settings of a second training, which knows nothing but the rules.
    """

    preset: str
    stages: tuple[tuple[str, ...], ...]
    without_solver: tuple[str, ...] = ()


_TINY = ("games=10", "evaluate_every=1", "evaluate_games=2", "threads=1")


@study(
    "selfplay-curve",
    paper=3,
    title="Elo against hours, games and positions of self-play",
    scales={
        "smoke": CurveConfig(
            "smoke", (("generations=2", *_TINY), ("generations=1", "seed=2", *_TINY)),
            ("generations=1", "solve_at=0", *_TINY),
        ),
        "laptop": CurveConfig(
            "laptop", (("cpu_hours=1",),), ("solve_at=0", "teach_endings=no", "cpu_hours=1")
        ),
        "paper": CurveConfig("paper", ((),)),
    },
)  # fmt: skip
def curve(config: CurveConfig, bench: Workbench) -> Findings:
    """Train in stages, and show the Elo of each measurement."""
    bench.note(
        "Elo by matches with nine fixed opponents, of which the random player has 0. Hours are of "
        "processor time: two cores that have nothing else to do need half as long."
    )
    rows: list[Row] = []
    series = {"with the solver": _stages(config, bench, rows)}
    if config.without_solver:
        learned = bench.learn("selfplay", _configured(config, config.without_solver))
        series["without the solver"] = points = _points(learned.metrics, {})
        rows += [_row("without the solver", point) for point in points]
    columns = (
        Column("hours", "processor hours", "", 2),
        Column("positions", "positions", "", 0),
        Column("elo", "Elo", "", 0),
        *(Column(name, ANCHORS[name][0]) for name in _SHOWN),
    )
    return Findings(columns, tuple(rows), plot=Plot("learning", {"series": series}))


def _configured(config: CurveConfig, settings: Sequence[str]) -> SelfPlayConfig:
    base = preset(config.preset) if config.preset else SelfPlayConfig()
    return base.with_settings(settings)


def _stages(config: CurveConfig, bench: Workbench, rows: list[Row]) -> list[dict[str, float]]:
    """Train all stages; return the points of the curve, and add them to the rows."""
    series: list[dict[str, float]] = []
    before: dict[str, float] = {}
    start = ""
    for number, settings in enumerate(config.stages, start=1):
        learned = bench.learn("selfplay", _configured(config, settings), start=start)
        points = _points(learned.metrics, before)
        rows += [_row(f"stage {number}", point) for point in points]
        series += points
        last = learned.metrics[-1]
        before = {
            "hours": before.get("hours", 0.0) + last["cpu_hours"],
            "games": before.get("games", 0.0) + last["games"],
            "positions": before.get("positions", 0.0) + last["positions"],
        }
        start = str(learned.folder)
    return series


def _points(metrics: Metrics, before: Mapping[str, float]) -> list[dict[str, float]]:
    """Return the measurements with an Elo, counted from the beginning of the first stage."""
    return [
        {
            "hours": before.get("hours", 0.0) + line["cpu_hours"],
            "games": before.get("games", 0.0) + line["games"],
            "positions": before.get("positions", 0.0) + line["positions"],
            "elo": line["elo"],
            **{name: 100 * line[f"against_{name}"] for name in _SHOWN},
        }
        for line in metrics
        if "elo" in line
    ]


def _row(label: str, point: Mapping[str, float]) -> Row:
    figures = {name: float(value) for name, value in point.items() if name != "games"}
    return Row.of(f"{label}, {point['games']:,.0f} games", figures)
