"""Paper 1, Figure 3: accuracy by the number of the move and the number of legal moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outflank.studies.estimate import Estimate
from outflank.studies.imitation import claims
from outflank.studies.imitation.architectures import contenders
from outflank.studies.imitation.effort import EFFORTS, Effort, explain, extras, facts_of
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Plot, Row
from outflank.studies.workbench import Workbench

_STAGES = ((1, 5), (6, 15), (16, 30), (31, 45), (46, 60))


@dataclass(frozen=True)
class HeatMapsConfig:
    """Networks whose predictions are looked at."""

    effort: Effort
    networks: tuple[str, ...] = ("conv8-bn", "line", "line-0ply")


@study(
    "imitation-figure-3",
    paper=1,
    title="Figure 3: top-1 and top-3 accuracy by move and number of legal moves",
    scales={
        "smoke": HeatMapsConfig(EFFORTS["smoke"], ("conv2", "line")),
        "laptop": HeatMapsConfig(EFFORTS["laptop"]),
        "paper": HeatMapsConfig(EFFORTS["paper"]),
    },
    judge=claims.judge_course,
)
def figure_3(config: HeatMapsConfig, bench: Workbench) -> Findings:
    """Sort test examples of Unique-S into cells; the table sums them up by stages."""
    bench.need_games()
    effort = config.effort
    explain(effort, bench)
    bench.note("The paper prints no numbers. All cells are in the plot's data.")
    entered = contenders(effort, config.networks, bench)
    entered += [(one.name, one.name, one) for one in extras()]
    columns = (
        Column("top1", "top-1"),
        Column("top3", "top-3"),
        Column("examples", "examples", "", 0),
    )
    rows: list[Row] = []
    maps = {}
    for label, _, network in entered:
        found = bench.measure(network, "unique-s", at_most=effort.test_examples)
        cells: list[dict[str, Any]] = found["by_ply_and_moves"]
        maps[label] = [{name: round(value, 4) for name, value in cell.items()} for cell in cells]
        for first, last in _STAGES:
            inside = [cell for cell in cells if first <= cell["ply"] + 1 <= last]
            row = f"{label}, moves {first}-{last}"
            facts = facts_of(network, found, bench)
            rows.append(Row.of(row, _sums(inside), facts=facts))
    plot = Plot("heat-maps", {"maps": maps})
    return Findings(columns, tuple(rows), plot=plot)


def _sums(cells: list[dict[str, Any]]) -> dict[str, Estimate | float | None]:
    """Return the shares over all examples of some cells."""
    count = sum(cell["examples"] for cell in cells)
    figures: dict[str, Estimate | float | None] = {"examples": float(count)}
    for name in ("top1", "top3") if count else ():
        # Sums of rounded shares may end a hair above 1.
        share = min(1.0, sum(cell["examples"] * cell[name] for cell in cells) / count)
        figures[name] = Estimate.of_share(share, count)
    return figures
