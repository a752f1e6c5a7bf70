"""Learning from all seven sets with less dropout: what keeps final_network2 from Ng's error?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outflank.studies.doubts import ONCE, left_open
from outflank.studies.registry import study
from outflank.studies.result import Claim, Findings, Result
from outflank.studies.value.networks import EFFORTS, ValueEffort
from outflank.studies.value.printed import TABLE_4
from outflank.studies.value.tables import COLUMNS, Table, Tester, explain
from outflank.studies.workbench import Workbench

_NAME = "final_network2"
# What is changed of Ng's network, by the label of the row.
VARIANTS: dict[str, dict[str, Any]] = {
    "no dropout after convolutions": {"conv_dropout": 0.0},
    "and half as much after the other layers": {"conv_dropout": 0.0, "dense_dropout": 0.15},
}


@dataclass(frozen=True)
class SevenSetsConfig:
    """Which variants are trained, and how far."""

    effort: ValueEffort
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: VARIANTS)


@study(
    "value-seven-sets", paper=2, title="All seven sets with less dropout",
    scales={
        "smoke": SevenSetsConfig(EFFORTS["smoke"]),
        "laptop": SevenSetsConfig(ValueEffort()),
        "paper": SevenSetsConfig(EFFORTS["paper"]),
    },
    judge=lambda result: judge_seven_sets(result),
)  # fmt: skip
def seven_sets(config: SevenSetsConfig, bench: Workbench) -> Findings:
    """Train final_network2 with less dropout than Ng's, and test it as in Table 4."""
    bench.need_games()
    explain(config.effort, bench)
    printed = TABLE_4[_NAME]
    bench.note(
        "The figures of the paper are those of its own final_network2, with dropout of 0.3 "
        "everywhere; Table 4 has ours."
    )
    tester = Tester(config.effort, bench)
    table = Table([
        tester.test(_NAME, label, {**printed[0], **changes}, config.effort)
        for label, changes in config.variants.items()
    ])  # fmt: skip
    return Findings(COLUMNS, tuple(table.rows(TABLE_4)))


def judge_seven_sets(result: Result) -> list[Claim]:
    """Judge each variant by the error that Ng printed of his network."""
    claims = []
    for row in result.rows:
        found = row.estimate("test")
        if found is not None:
            claim = Claim.judge(
                f"learning from all seven sets reaches the paper's error (our aim): {row.label}",
                "error, other sets", found, most=row.paper["test"], digits=4,
            )  # fmt: skip
            once = len(row.facts["trainings"]) < 2
            claims.append(left_open(claim, ONCE if once else ""))
    return claims
