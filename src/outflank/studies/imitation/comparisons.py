"""Paper 1's main comparisons, on enough examples and trainings to judge them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from outflank.studies.estimate import Estimate
from outflank.studies.imitation.claims import judge_comparisons
from outflank.studies.imitation.effort import (
    EFFORTS,
    LABELS,
    Effort,
    explain,
    measured,
    networks_for,
)
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Row
from outflank.studies.workbench import Workbench

_COLUMNS = (
    Column("plain", "plain"),
    Column("bn", "batch normalisation"),
    Column("dropout", "dropout"),
    Column("alone", "few boards"),
    Column("mirrored", "few boards, mirrored"),
)


@dataclass(frozen=True)
class ComparisonsConfig:
    """Networks, each plain, with batch normalisation, with dropout, and with mirror images.

    boards, board_epochs: what mirror images are tried with. Few boards, so that each is seen
    several times: as it is, or each time under a random symmetry.
    """

    effort: Effort
    networks: tuple[str, ...] = ("conv4", "conv6", "conv8")
    boards: int = 0
    board_epochs: float | None = None


def _scales() -> dict[str, ComparisonsConfig]:
    smoke, laptop, paper = (EFFORTS[scale] for scale in ("smoke", "laptop", "paper"))
    # The paper's SGD, once over a million examples. Two cores learn from about 1000 examples in a
    # second with Conv4, from 160 with Conv8: three trainings of all arms take two days or so.
    million = dataclasses.replace(
        laptop, preset="paper", settings={}, examples=1_000_000, left_out=(), stand_ins={}
    )
    return {
        "smoke": ComparisonsConfig(
            dataclasses.replace(smoke, trainings=2), ("conv4",), boards=128, board_epochs=2.0
        ),
        "laptop": ComparisonsConfig(million, boards=250_000, board_epochs=4.0),
        "paper": ComparisonsConfig(paper),
    }


@study(
    "imitation-comparisons",
    paper=1,
    title="Layers, batch normalisation, dropout and mirror images, on Unique-S",
    scales=_scales(),
    judge=judge_comparisons,
)
def comparisons(config: ComparisonsConfig, bench: Workbench) -> Findings:
    """Train every network in every way, several times, and test with what Unique-S holds out."""
    bench.need_games()
    effort = config.effort
    explain(effort, bench)
    bench.note(
        "Few boards: examples of Unique, seen several times as they are, or each time under a "
        "random symmetry; the number of training steps is the same."
    )
    rows = []
    for network in networks_for(effort, config.networks, bench):
        figures: dict[str, Estimate | float | None] = {}
        facts = {}
        for column, name, dataset, fields in _arms(config, network):
            trained = effort.train(bench, name, dataset, **fields)
            figures[column], facts[column] = measured(effort, trained, "unique-s", bench)
        rows.append(Row.of(LABELS[network], figures, facts=facts))
    return Findings(_COLUMNS, tuple(rows))


def _arms(
    config: ComparisonsConfig, network: str
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Return the arms of a network: column, architecture, training set, and other settings."""
    yield "plain", network, "unique-s", {}
    yield "bn", f"{network}-bn", "unique-s", {}
    yield "dropout", f"{network}-dropout", "unique-s", {}
    few = {"examples": config.boards, "epochs": config.board_epochs}
    yield "alone", network, "unique", few
    yield "mirrored", network, "unique", {**few, "augment": True}
