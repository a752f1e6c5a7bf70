"""Paper 1, Tables V and VI: regularisation, bagging and skip connections, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass

from outflank.learn.imitation import NothingHeldOutError
from outflank.nets.line import ARCHITECTURES as LINES
from outflank.studies.contender import Contender
from outflank.studies.estimate import Estimate
from outflank.studies.imitation import claims
from outflank.studies.imitation.effort import (
    BAGGED,
    EFFORTS,
    Effort,
    accuracy_of,
    bagged,
    explain,
    extras,
    facts_of,
    label_of,
    networks_for,
)
from outflank.studies.imitation.printed import Printed
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Row
from outflank.studies.workbench import Workbench, can_train

# Accuracy in percent and prediction time in units of 10^-4 seconds, at 256 positions at once.
_PRINTED = ("accuracy", "time")
_TABLE_5 = Printed(
    _PRINTED,
    {
        "conv8": (60.5, 1.6),
        "conv8-dropout": (58.8, 1.6),
        "conv8-bn": (62.7, 1.9),
        "conv8-bn" + BAGGED: (64.0, 19.4),
    },
)
_TABLE_6 = Printed(
    _PRINTED,
    {
        "conv8-bn": (62.7, 1.9),
        "resnet-32": (57.4, 1.0),
        "resnet-32-np": (59.2, 1.0),
        "resnet-32-np-p": (59.5, 1.0),
        "resnet-56": (58.3, 1.8),
        "resnet-56-np": (60.1, 1.8),
        "resnet-56-np-p": (60.5, 1.8),
        "densenet-40": (59.9, 4.8),
        "densenet-100": (61.9, 37.2),
        "widenet-40-4": (62.2, 9.4),
    },
)
_COLUMNS = (
    Column("accuracy", "accuracy"),
    Column("unseen", "accuracy, unseen"),
    Column("time", "time, 256 at once", "1e-4 s", 2),
    Column("single", "time, one", "1e-4 s", 2),
)


@dataclass(frozen=True)
class ArchitecturesConfig:
    """Networks that are compared on Unique-S; those with +bagging stand for several."""

    effort: Effort
    networks: tuple[str, ...]


def _scales(smoke: tuple[str, ...], names: tuple[str, ...]) -> dict[str, ArchitecturesConfig]:
    return {
        "smoke": ArchitecturesConfig(EFFORTS["smoke"], smoke),
        "laptop": ArchitecturesConfig(EFFORTS["laptop"], (*names, *LINES)),
        "paper": ArchitecturesConfig(EFFORTS["paper"], (*names, *LINES)),
    }


@study(
    "imitation-table-5",
    paper=1,
    title="Table V: dropout, batch normalisation and bagging, on Unique-S",
    scales=_scales(("conv2", "conv2" + BAGGED, "line"), tuple(_TABLE_5.rows)),
)
def table_5(config: ArchitecturesConfig, bench: Workbench) -> Findings:
    """Measure what regularisation brings, and what it costs."""
    return _compare(config, bench, _TABLE_5, claims.of_regularisation)


@study(
    "imitation-table-6",
    paper=1,
    title="Table VI: networks with skip connections, on Unique-S",
    scales=_scales(("conv2", "resnet-32", "line"), tuple(_TABLE_6.rows)),
)
def table_6(config: ArchitecturesConfig, bench: Workbench) -> Findings:
    """Measure residual, dense and wide networks."""
    return _compare(config, bench, _TABLE_6, claims.of_skip_connections)


def _compare(
    config: ArchitecturesConfig,
    bench: Workbench,
    printed: Printed,
    judge: Callable[[claims.Table], list[Claim]],
) -> Findings:
    bench.need_games()
    effort = config.effort
    explain(effort, bench)
    bench.note(
        "Most test examples of Unique-S have mirror images in training: no test at all for the "
        "line networks, which are symmetric themselves. Unseen has no image in the network's own "
        "training; where all of Unique-S is trained on, there is none such."
    )
    bench.note(
        "Batch normalisation follows all hidden layers, the fully connected one too: the paper "
        "does not say which, and behind the convolutions alone it did harm (docs/imitation.md)."
    )
    bench.note("The paper's times are of a GTX Titan; ours are of this machine's processor.")
    rows = {
        name: _row(effort, label, trained, printed.figures(name), bench)
        for label, name, trained in contenders(effort, config.networks, bench)
    }
    others = [
        *_not_trained(effort, printed, rows, bench),
        *(_row(effort, one.name, one, {}, bench) for one in extras()),
    ]
    said = judge(claims.Table(rows, _COLUMNS, effort.stand_ins, effort.cut))
    return Findings(_COLUMNS, (*rows.values(), *others), claims=tuple(said))


def contenders(
    effort: Effort, names: tuple[str, ...], bench: Workbench
) -> list[tuple[str, str, Contender]]:
    """Train networks on Unique-S, or the mean of several; return labels, names and networks."""
    found = []
    for name in networks_for(effort, names, bench):
        network = name.removesuffix(BAGGED)
        if name == network:
            # To a line network the images of an example are one: it learns from Unique.
            dataset = "unique" if network in LINES else "unique-s"
            trained = bench.train(effort.config(network, dataset))
        else:
            trained = bagged(effort, network, bench)
        found.append((label_of(name), name, trained))
    return found


def _not_trained(
    effort: Effort, printed: Printed, trained: Collection[str], bench: Workbench
) -> list[Row]:
    """Return rows of the paper's other networks; their times need no training."""
    rows = []
    for name in printed.left(trained):
        timed = effort.time_left_out and not name.endswith(BAGGED) and not can_train(name)
        times = _times(effort, bench.untrained(name), bench) if timed else {}
        rows.append(printed.other(name, times))
    return rows


def _times(
    effort: Effort, network: Contender, bench: Workbench
) -> dict[str, Estimate | float | None]:
    return {
        "time": 1e4 * bench.time(network, 256, seconds=effort.timing),
        "single": 1e4 * bench.time(network, 1, seconds=effort.timing),
    }


def _row(
    effort: Effort, label: str, trained: Contender, paper: dict[str, float], bench: Workbench
) -> Row:
    found = bench.measure(trained, "unique-s", at_most=effort.test_examples)
    figures = {"accuracy": accuracy_of(found), **_times(effort, trained, bench)}
    # Of the whole Unique-S, an image of everything is in training: nothing is unseen.
    with suppress(NothingHeldOutError):
        unseen = bench.measure(trained, "unseen", at_most=effort.test_examples)
        figures["unseen"] = accuracy_of(unseen)
    return Row.of(label, figures, paper, facts_of(trained, found, bench))
