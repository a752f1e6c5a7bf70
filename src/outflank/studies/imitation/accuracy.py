"""Paper 1, Tables II to IV: what networks are trained on, and how boards are shown to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from outflank.learn.imitation import gather_material, remembered
from outflank.nets.line import ARCHITECTURES as LINES
from outflank.studies.imitation import claims
from outflank.studies.imitation.effort import (
    EFFORTS,
    LABELS,
    Effort,
    accuracy_of,
    explain,
    explain_sets,
    extras,
    facts_of,
    measured,
    networks_for,
)
from outflank.studies.imitation.printed import Printed
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Row
from outflank.studies.workbench import Workbench

SETS_IN_TABLE = ("original", "original-s", "unique", "unique-s")  # the paper's order
DATASET_TITLES = {
    "original": "Original", "original-s": "Original-S", "unique": "Unique", "unique-s": "Unique-S",
}  # fmt: skip
_ENCODINGS = ("pieces", "ones", "vmoves")
_CONVOLUTIONAL = ("conv4", "conv6", "conv8")
_TESTED_FOR_MEMORY = 20_000  # examples are enough for a share

_TABLE_2, _TABLE_3, _TABLE_4 = (Printed.table(number) for number in (2, 3, 4))


@dataclass(frozen=True)
class DatasetsConfig:
    """Networks and the sets they are trained on."""

    effort: Effort
    networks: tuple[str, ...] = (*_CONVOLUTIONAL, *LINES)
    datasets: tuple[str, ...] = ("original", "original-s", "unique", "unique-s")
    line_datasets: tuple[str, ...] = ("original", "unique")  # a line network is symmetric itself


@dataclass(frozen=True)
class EncodingsConfig:
    """Networks and encodings of boards."""

    effort: Effort
    networks: tuple[str, ...] = (*_CONVOLUTIONAL, "conv10")
    encodings: tuple[str, ...] = _ENCODINGS


_DATASETS = {
    "smoke": DatasetsConfig(EFFORTS["smoke"], ("conv2", "line"), ("original", "unique-s")),
    "laptop": DatasetsConfig(EFFORTS["laptop"], ("conv2", *_CONVOLUTIONAL, *LINES)),
    "paper": DatasetsConfig(EFFORTS["paper"]),
}
_SHOWN = {
    "smoke": EncodingsConfig(EFFORTS["smoke"], ("conv2",), ("pieces", "vmoves")),
    "laptop": EncodingsConfig(EFFORTS["laptop"], ("conv2", *_CONVOLUTIONAL)),
    "paper": EncodingsConfig(EFFORTS["paper"]),
}


class TrainingSets(Protocol):
    """Sets that networks are trained on."""

    @property
    def datasets(self) -> tuple[str, ...]:
        """All of them."""

    @property
    def line_datasets(self) -> tuple[str, ...]:
        """Those that line networks are trained on."""


def datasets_of(config: TrainingSets, network: str) -> tuple[str, ...]:
    """Return the sets that a network is trained on."""
    if network in LINES:
        return tuple(name for name in config.datasets if name in config.line_datasets)
    return config.datasets


@study(
    "imitation-table-2",
    paper=1,
    title="Table II: prediction accuracy on Original, by training set",
    scales=_DATASETS,
    judge=claims.judge_baseline,
)
def table_2(config: DatasetsConfig, bench: Workbench) -> Findings:
    """Train each network on each of the four sets, and test all with Original's held-out part."""
    bench.need_games()
    effort = config.effort
    explain(effort, bench)
    explain_sets(effort, bench)
    rows = {}
    for network in networks_for(effort, config.networks, bench):
        figures, facts = {}, {}
        for dataset in datasets_of(config, network):
            trained = effort.train(bench, network, dataset)
            figures[dataset], facts[dataset] = measured(effort, trained, "original", bench)
        rows[network] = Row.of(LABELS[network], figures, _TABLE_2.figures(network), facts)
    others = _TABLE_2.others(rows)
    for one in extras():
        found = bench.measure(one, "original", at_most=effort.test_examples)
        dataset = one.config.dataset if one.config else "original"
        figures = {dataset: accuracy_of(found)}
        others.append(Row.of(one.name, figures, facts=facts_of(one, found, bench)))
    _tell_what_is_remembered(config, bench)
    columns = tuple(Column(name, DATASET_TITLES[name]) for name in SETS_IN_TABLE)
    return Findings(columns, (*rows.values(), *others))


def _tell_what_is_remembered(config: DatasetsConfig, bench: Workbench) -> None:
    """Tell how much of the test set is in each training set: the sets are split one by one."""
    test = bench.held_out("original", at_most=_TESTED_FOR_MEMORY).examples
    shares = []
    for dataset in config.datasets:
        trained = config.effort.config("conv4", dataset, examples=0, years=bench.years)
        bench.listener.began(f"test examples in {dataset}", 0)
        share = remembered(gather_material(trained, wthor=bench.wthor).training, test)
        shares.append(f"{DATASET_TITLES[dataset]} {100 * share:.0f}%")
    bench.note(
        "Of the test examples, the board and move or a mirror image are in the whole training set: "
        f"{', '.join(shares)}. The sets are split one by one, so who learns from all of a set is "
        "rewarded for remembering."
    )


@study(
    "imitation-table-3",
    paper=1,
    title="Table III: prediction accuracy on Unique-S, by encoding",
    scales=_SHOWN,
    judge=claims.judge_encodings,
)
def table_3(config: EncodingsConfig, bench: Workbench) -> Findings:
    """Train each network with each encoding on Unique-S, and test with its held-out part."""
    return _encodings(config, bench, "accuracy", _TABLE_3, digits=1)


@study(
    "imitation-table-4",
    paper=1,
    title="Table IV: how often the highest score is a legal move's, on Unique-S",
    scales=_SHOWN,
    judge=claims.judge_legal_moves,
)
def table_4(config: EncodingsConfig, bench: Workbench) -> Findings:
    """Look at the networks of Table III: do they know which moves are legal?"""
    bench.note("The line networks score legal moves only, so they are not in this table.")
    return _encodings(config, bench, "legal", _TABLE_4, digits=2)


def _encodings(
    config: EncodingsConfig,
    bench: Workbench,
    measure: str,
    printed: Printed,
    digits: int,
) -> Findings:
    bench.need_games()
    effort = config.effort
    explain(effort, bench)
    rows = {}
    for network in networks_for(effort, config.networks, bench):
        figures, facts = {}, {}
        for encoding in config.encodings:
            trained = effort.train(bench, network, "unique-s", encoding=encoding)
            found = measured(effort, trained, "unique-s", bench, measure)
            figures[encoding], facts[encoding] = found
        rows[network] = Row.of(LABELS[network], figures, printed.figures(network), facts)
    columns = tuple(Column(name, name, digits=digits) for name in _ENCODINGS)
    return Findings(columns, (*rows.values(), *printed.others(rows)))
