"""Paper 1, Tables V and VI: regularisation, bagging and skip connections, and what they cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
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
    bagged,
    explain,
    extras,
    label_of,
    measured,
    networks_for,
)
from outflank.studies.imitation.printed import Printed
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Row
from outflank.studies.workbench import Workbench, can_train

# Accuracy in percent and prediction time in units of 10^-4 seconds, at 256 positions at once.
_TABLE_5, _TABLE_6 = Printed.table(5), Printed.table(6)
_COLUMNS = (
    Column("accuracy", "accuracy"),
    Column("unseen", "accuracy, unseen"),
    Column("training", "accuracy, training examples"),
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
    judge=claims.judge_costs,
)
def table_5(config: ArchitecturesConfig, bench: Workbench) -> Findings:
    """Measure what regularisation brings, and what it costs."""
    return _compare(config, bench, _TABLE_5)


@study(
    "imitation-table-6",
    paper=1,
    title="Table VI: networks with skip connections, on Unique-S",
    scales=_scales(("conv2", "resnet-32", "line"), tuple(_TABLE_6.rows)),
    judge=claims.judge_skip_connections,
)
def table_6(config: ArchitecturesConfig, bench: Workbench) -> Findings:
    """Measure residual, dense and wide networks."""
    return _compare(config, bench, _TABLE_6)


def _compare(config: ArchitecturesConfig, bench: Workbench, printed: Printed) -> Findings:
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
        for label, name, trained in _trainings(effort, config.networks, bench)
    }
    others = [
        *_not_trained(effort, printed, rows, bench),
        *(_row(effort, one.name, [one], {}, bench) for one in extras()),
    ]
    return Findings(_COLUMNS, (*rows.values(), *others))


def contenders(
    effort: Effort, names: tuple[str, ...], bench: Workbench
) -> list[tuple[str, str, Contender]]:
    """Train networks on Unique-S, or the mean of several; return labels, names and networks."""
    once = dataclasses.replace(effort, trainings=1)
    return [(label, name, one) for label, name, (one,) in _trainings(once, names, bench)]


def _trainings(
    effort: Effort, names: tuple[str, ...], bench: Workbench
) -> list[tuple[str, str, list[Contender]]]:
    """Do as contenders, as often as networks are trained."""
    found = []
    for name in networks_for(effort, names, bench):
        network = name.removesuffix(BAGGED)
        if name == network:
            # To a line network the images of an example are one: it learns from Unique.
            dataset = "unique" if network in LINES else "unique-s"
            trained = effort.train(bench, network, dataset)
        else:
            numbers = range(effort.trainings)
            trained = [bagged(effort, network, bench, number) for number in numbers]
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
    effort: Effort,
    label: str,
    trained: Sequence[Contender],
    paper: dict[str, float],
    bench: Workbench,
) -> Row:
    accuracy, facts = measured(effort, trained, "unique-s", bench)
    figures = {"accuracy": accuracy, **_times(effort, trained[0], bench)}
    # Of the whole Unique-S, an image of everything is in training: nothing is unseen.
    with suppress(NothingHeldOutError):
        figures["unseen"], _ = measured(effort, trained, "unseen", bench)
    if not trained[0].facts.get("shipped") and len(trained[0].places) == 1:
        figures["training"] = Estimate.of_trainings(
            [bench.measure_training(one, at_most=effort.test_examples) for one in trained]
        )
    return Row.of(label, figures, paper, facts)
