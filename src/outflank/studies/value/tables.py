"""Ng's Tables 1 to 4 and Figure 12: errors of value networks on sets of states."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from outflank.data.years import describe_years, parse_years
from outflank.learn.value.config import ValueConfig
from outflank.learn.value.material import gather_material
from outflank.learn.value.sets import States, all_states, gather_games
from outflank.nets import PolicyNetwork
from outflank.studies.estimate import Estimate, margin_of_means
from outflank.studies.registry import study
from outflank.studies.result import Column, Findings, Row
from outflank.studies.value.claims import (
    COLLAPSED,
    judge_figure_12,
    judge_table_1,
    judge_table_2,
    judge_table_3,
    judge_table_4,
)
from outflank.studies.value.networks import (
    EFFORTS,
    ValueEffort,
    error_on,
    games_of,
    sets_to_test,
    some_of,
    train_network,
)
from outflank.studies.value.printed import (
    FIGURE_12,
    TABLE_1,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    Printed,
    label_of,
)
from outflank.studies.workbench import Workbench

_FIGURE_12 = tuple(FIGURE_12)
# Trained at the scale laptop as in the paper, too, and how often; seven sets take most of an hour.
_WHOLE = {
    "/": 2, "5": 2, "13": 2, "final_network1": 1, "final_network2": 1, "final_network3": 1,
}  # fmt: skip
_SMOKE = ("/", "5", "13", "22", "31", "final_network2")  # enough to see that all works
_UNSEEN_STATES = 100_000  # of games that no set contains, at most


@dataclass(frozen=True)
class TableConfig:
    """Which networks, and how far they are trained.

    Attributes:
        networks: By number.
        effort: Of their trainings.
        whole: Networks that are also trained as the paper's were, and how often.
    """

    networks: tuple[str, ...]
    effort: ValueEffort = field(default_factory=lambda: EFFORTS["paper"])
    whole: Mapping[str, int] = field(default_factory=dict)


def _scales(table: Printed) -> dict[str, TableConfig]:
    some = tuple(name for name in table if name in _SMOKE)
    whole = {name: trainings for name, trainings in _WHOLE.items() if name in table}
    return {
        "smoke": TableConfig(some, EFFORTS["smoke"]),
        "laptop": TableConfig(tuple(table), EFFORTS["laptop"], whole),
        "paper": TableConfig(tuple(table)),
    }


COLUMNS = (
    Column("test", "error, other sets", unit="", digits=4),
    Column("training", "error, training set", unit="", digits=4),
    Column("difference", "difference", unit="", digits=4),
    Column("unseen", "error, games of no set", unit="", digits=4),
)
_AS_PRINTED = ", trained as in the paper"


@dataclass(frozen=True)
class Trainings:
    """The trainings of one network: their errors by column, and facts of each."""

    network: str  # its number
    label: str
    errors: Mapping[str, Sequence[Estimate]]
    facts: Sequence[Mapping[str, Any]]

    def means(self, column: str) -> list[float]:
        """Return the errors of the trainings."""
        return [one.value for one in self.errors.get(column, [])]

    @property
    def title(self) -> str:
        """The number and how it was trained, without what it is like."""
        how = f" ({_AS_PRINTED.removeprefix(', ')})"
        return self.network + how * self.label.endswith(_AS_PRINTED)

    @property
    def collapsed(self) -> bool:
        """Whether one of the trainings learned nothing."""
        return any(error > COLLAPSED for error in self.means("training"))


class Table:
    """The networks of a table, tested; all of the same effort.

    The interval of an error covers the chance in training, whose spread is taken as the same for
    all networks but those that learned nothing; of a single training, the chance in drawing games.
    """

    def __init__(self, networks: Sequence[Trainings]) -> None:
        self.networks = networks

    def figure(self, network: Trainings, column: str) -> Estimate:
        """Return the mean error of a network's trainings."""
        found = network.errors[column]
        if len(found) == 1:
            return found[0]
        groups = [
            one.means(column) for one in self.networks
            if len(one.errors.get(column, [])) > 1 and not one.collapsed
        ]  # fmt: skip
        if network.collapsed or not groups:
            return Estimate.of_runs(network.means(column), least=-math.inf)
        mean = statistics.fmean(network.means(column))
        margin = margin_of_means(groups, len(found))
        return Estimate(mean, mean - margin, mean + margin, sum(one.count for one in found))

    def rows(self, table: Printed) -> Iterator[Row]:
        """Return the rows, beside what the paper printed."""
        for network in self.networks:
            figures: dict[str, Estimate | float | None] = {
                column: self.figure(network, column) for column in network.errors
            }
            _, test, training = table[network.network]
            printed = {"test": test, "training": training, "difference": training - test}
            facts = {"network": network.network, "trainings": list(network.facts)}
            yield Row.of(network.label, figures, printed, facts)


def _test_all(config: TableConfig, table: Printed, bench: Workbench) -> Findings:
    """Train the networks; test them on what they learned, other sets, and games of no set."""
    bench.need_games()
    explain(config.effort, bench)
    if config.whole:
        bench.note(
            "Rows that say so are of networks trained as the paper's were: all states, batches of "
            "5, full width; they are tested on all states of the sets."
        )
    tester = Tester(config.effort, bench)
    equal = Table([
        tester.test(name, label_of(name, table[name][0]), table[name][0], config.effort)
        for name in config.networks
    ])  # fmt: skip
    whole = Table([
        tester.test(
            name, label_of(name, table[name][0]) + _AS_PRINTED, table[name][0],
            replace(EFFORTS["paper"], trainings=trainings),
        )
        for name, trainings in config.whole.items()
    ])  # fmt: skip
    for tested in (equal, whole):
        for note in _leaks(tested):
            bench.note(note)
    return Findings(COLUMNS, (*equal.rows(table), *whole.rows(table)))


class Tester:
    """Trains networks, and tests them on the same states."""

    def __init__(self, effort: ValueEffort, bench: Workbench) -> None:
        self.bench = bench
        self.years = bench.years or effort.years
        self.games = games_of(bench, self.years)
        self.unseen_years = unseen_years(effort.unseen, self.years)

    @cached_property
    def unseen(self) -> States | None:
        """Some positions of games that no set contains, turned as networks learned them."""
        if not self.unseen_years:
            return None
        games = gather_games(self.unseen_years, wthor=self.bench.wthor)
        return some_of(all_states(games.rotated()), _UNSEEN_STATES)

    def test(
        self, name: str, label: str, changes: Mapping[str, Any], effort: ValueEffort
    ) -> Trainings:
        """Train a network as often as an effort says, and test it."""
        errors: dict[str, list[Estimate]] = {}
        facts = []
        for seed in range(1, effort.trainings + 1):
            config = effort.config(dict(changes), self.years, seed)
            trained = train_network(self.bench, f"{label}, training {seed}", config)
            self.bench.listener.began(f"{label}: testing", 0)
            found = self._errors(trained.load(), config, effort)
            for column, error in found.items():
                errors.setdefault(column, []).append(error)
            known = {name: trained.metrics.get(name) for name in ("epoch", "seconds")}
            facts.append({**known, **{column: one.value for column, one in found.items()}})
        return Trainings(name, label, errors, facts)

    def _errors(
        self, network: PolicyNetwork, config: ValueConfig, effort: ValueEffort
    ) -> dict[str, Estimate]:
        def find() -> dict[str, list[float]]:
            sets = sets_to_test(config, effort.tests)
            others = [some_of(self.games.sets([one]), effort.test_states) for one in sets]
            material = gather_material(config, wthor=self.bench.wthor)
            learned = States.join([material.training, material.held_out])
            test, training = error_on(network, States.join(others)), error_on(network, learned)
            difference = training.gain(test)
            found = {"test": test, "training": training, "difference": difference}
            if self.unseen is not None:
                found["unseen"] = error_on(network, self.unseen)
            return {name: [one.value, one.low, one.high, one.count] for name, one in found.items()}

        kept = self.bench.kept(
            find, network.fingerprint, "value errors of the first kind", config.to_json(),
            self.bench.games_identity(), effort.test_states, effort.tests, self.unseen_years,
        )  # fmt: skip
        return {
            name: Estimate(value, low, high, int(count))
            for name, (value, low, high, count) in kept.items()
        }


def unseen_years(wanted: str, learned: str) -> str:
    """Return the latest run of wanted years that networks have not learned from; may be empty."""
    if not wanted:
        return ""
    left = set(parse_years(wanted)) - set(parse_years(learned) if learned else ())
    runs = describe_years(left).split(", ") if left and learned else [""]
    return runs[-1]


def explain(effort: ValueEffort, bench: Workbench) -> None:
    """Note what the columns are, and how far networks of an effort are trained."""
    bench.note(
        "Errors are mean squared errors against the result (1 won, 0 drawn, -1 lost). Other sets "
        "are those a network has not learned from: other positions of the same games, so it has "
        "seen their results. The last column is of games that no set contains."
    )
    if effort.trainings > 1:
        bench.note(
            f"Each network was trained {effort.trainings} times. Intervals cover the chance in "
            "training, whose spread is taken as the same for all networks of a table that learned "
            "anything."
        )
    else:
        bench.note(
            "One network was trained for each row: intervals are of the games drawn, not of the "
            "chance in training, so no claim about a difference is decided."
        )
    if effort.states:
        width = f", fully connected layers {effort.narrow} times narrower" * (effort.narrow > 1)
        bench.note(
            f"At this scale {effort.states:,} states of each set, batches of {effort.batch}, a "
            f"constant learning rate of {effort.learning_rate:g}, at most {effort.epochs:g} epochs "
            f"of which {effort.patience} may bring nothing{width}; tested on "
            f"{effort.test_states:,} states of each set."
        )


def _leaks(table: Table) -> Iterator[str]:
    """Say what it is worth that the test sets are of games that final_network2 has learned."""
    networks = {one.network: one for one in table.networks}
    if {"13", "final_network2"} <= networks.keys():
        last, usual = networks["final_network2"], networks["13"]
        if "unseen" in last.errors:
            shown, real = (
                -table.figure(last, column).gain(table.figure(usual, column)).value
                for column in ("test", "unseen")
            )
            yield (
                f"{last.title} has seen seven positions of each game of its test sets, with the "
                f"result; network 13 one. Its error is {shown:.4f} below that of network 13 on the "
                f"test sets and {real:.4f} below on games of no set: {shown - real:.4f} come from "
                "knowing the games."
            )


@study(
    "value-table-1", paper=2, title="Table 1: value networks by features, width and dropout",
    scales=_scales(TABLE_1), judge=judge_table_1,
)  # fmt: skip
def table_1(config: TableConfig, bench: Workbench) -> Findings:
    """Train the networks of Table 1: more features should mean a lower error."""
    return _test_all(config, TABLE_1, bench)


@study(
    "value-table-2", paper=2, title="Table 2: different dropout after convolutions",
    scales=_scales(TABLE_2), judge=judge_table_2,
)  # fmt: skip
def table_2(config: TableConfig, bench: Workbench) -> Findings:
    """Train the networks of Table 2: asymmetric dropout should not help."""
    return _test_all(config, TABLE_2, bench)


@study(
    "value-table-3", paper=2, title="Table 3: other numbers of layers",
    scales=_scales(TABLE_3), judge=judge_table_3,
)  # fmt: skip
def table_3(config: TableConfig, bench: Workbench) -> Findings:
    """Train the networks of Table 3: other depths should not help."""
    return _test_all(config, TABLE_3, bench)


@study(
    "value-table-4", paper=2, title="Table 4: network 13 on whole sets",
    scales=_scales(TABLE_4), judge=judge_table_4,
)  # fmt: skip
def table_4(config: TableConfig, bench: Workbench) -> Findings:
    """Train the final networks: all sets together should overfit."""
    return _test_all(config, TABLE_4, bench)


@study(
    "value-figure-12", paper=2, title="Figure 12: five networks on sets 1 to 7",
    scales={
        scale: TableConfig(
            ("5",) if scale == "smoke" else _FIGURE_12, replace(effort, trainings=1),
            {"5": 1} if scale == "laptop" else {},
        )
        for scale, effort in EFFORTS.items()
    },
    judge=judge_figure_12,
)  # fmt: skip
def figure_12(config: TableConfig, bench: Workbench) -> Findings:
    """Test the networks that see corners and border on each set."""
    bench.need_games()
    explain(config.effort, bench)
    years = bench.years or config.effort.years
    games = games_of(bench, years)
    numbers = (1, *range(2, 2 + config.effort.tests))
    rows = []
    efforts = [(name, "", config.effort) for name in config.networks]
    efforts += [(name, _AS_PRINTED, replace(EFFORTS["paper"], trainings=1))
                for name in config.whole]  # fmt: skip
    for name, how, effort in efforts:
        changes, _, _ = TABLE_1[name]
        trained = train_network(bench, name, effort.config(dict(changes), years))
        network = trained.load()
        found: dict[str, Estimate | float | None] = {}
        errors = []
        for number in numbers:
            bench.listener.began(f"network {name}: testing on set {number}", 0)
            error = error_on(network, some_of(games.sets([number]), effort.test_states))
            found[f"set-{number}"] = error
            errors.append(error.value)
        found["others"] = statistics.fmean(errors[1:])
        found["difference"] = errors[0] - statistics.fmean(errors[1:])
        printed = {place: error for place, error in FIGURE_12[name].items() if place in found}
        rows.append(Row.of(label_of(name, changes) + how, found, printed, {"network": name}))
    columns = [Column(f"set-{n}", f"set {n}", unit="", digits=4) for n in numbers]
    columns.append(Column("others", "other sets", unit="", digits=4))
    columns.append(Column("difference", "difference", unit="", digits=4))
    return Findings(tuple(columns), tuple(rows))
