"""Ng's Tables 1 to 4 and Figure 12: errors of value networks on sets of states."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from outflank.learn.value.sets import States, all_states, gather_games
from outflank.learn.value.testing import squared_errors
from outflank.nets import PolicyNetwork
from outflank.studies.doubts import ONCE, left_open
from outflank.studies.estimate import Estimate, margin_of_means
from outflank.studies.registry import study
from outflank.studies.result import Claim, Column, Findings, Row
from outflank.studies.value.networks import (
    BORDER,
    CORNER,
    EFFORTS,
    MOVES,
    ValueEffort,
    dense,
    errors_on,
    estimate,
    games_of,
    train_network,
)
from outflank.studies.workbench import Workbench

# By number: what differs from network 13, and the errors printed: on sets 2-7 and on set 1.
Printed = Mapping[str, tuple[Mapping[str, Any], float, float]]

TABLE_1: Printed = {
    "/": (dense(512, 0.3, BORDER), 0.7427, 0.7058),
    "1": (dense(1024, 0.3, BORDER), 0.7312, 0.6624),
    "2": (dense(1024, 0.4, BORDER), 0.7331, 0.6886),
    "3": (dense(1024, 0.5, BORDER), 1.0817, 1.0802),
    "4": (dense(512, 0.4, BORDER), 0.7576, 0.7496),
    "5": (dense(512, 0.3, CORNER), 0.7339, 0.6966),
    "6": (dense(1024, 0.3, CORNER), 0.7298, 0.6750),
    "7": (dense(1024, 0.4, CORNER), 0.7392, 0.7147),
    "8": (dense(1024, 0.5, CORNER), 0.7595, 0.7457),
    "9": (dense(512, 0.4, CORNER), 0.7300, 0.6921),
    "10": (dense(1024, 0.4, MOVES), 0.7230, 0.6394),
    "11": (dense(1024, 0.3, MOVES), 0.7207, 0.6666),
    "12": (dense(1024, 0.5, MOVES), 0.9178, 0.9094),
    "13": (dense(512, 0.3, MOVES), 0.7191, 0.6542),
    "14": (dense(512, 0.4, MOVES), 0.7393, 0.7262),
}


def _uneven(nodes: int, conv: float, dense_rate: float) -> dict[str, Any]:
    return {"nodes": nodes, "conv_dropout": conv, "dense_dropout": dense_rate, "features": MOVES}


TABLE_2: Printed = {
    "13": TABLE_1["13"],
    "15": (_uneven(1024, 0.0, 0.4), 0.7525, 0.6874),
    "16": (_uneven(1024, 0.3, 0.4), 0.7231, 0.6907),
    "17": (_uneven(1024, 0.3, 0.5), 0.7383, 0.7254),
    "18": (_uneven(1024, 0.4, 0.3), 0.7318, 0.7149),
    "19": (_uneven(1024, 0.4, 0.5), 0.7430, 0.7339),
    "20": (_uneven(1024, 0.5, 0.3), 0.8176, 0.8116),
    "21": (_uneven(1024, 0.5, 0.4), 0.7643, 0.7567),
    "22": (_uneven(512, 0.3, 0.4), 0.7278, 0.6723),
    "23": (_uneven(512, 0.4, 0.3), 0.7549, 0.7425),
    "24": (_uneven(512, 0.0, 0.3), 0.7719, 0.6125),
    "25": (_uneven(512, 0.0, 0.4), 0.7624, 0.6068),
}


def _deep(conv: int, layers: int) -> dict[str, Any]:
    return dense(512, 0.3, MOVES, conv_layers=conv, dense_layers=layers)


TABLE_3: Printed = {
    "13": TABLE_1["13"],
    "26": (_deep(3, 4), 0.7202, 0.6904),
    "27": (_deep(2, 5), 0.7237, 0.6654),
    "28": (_deep(3, 5), 0.7238, 0.6962),
    "29": (_deep(1, 4), 0.7356, 0.6256),
    "30": (_deep(2, 3), 0.7309, 0.6752),
    "31": (_deep(1, 3), 0.7379, 0.6007),
}
TABLE_4: Printed = {
    "13": TABLE_1["13"],
    "final_network1": (dense(512, 0.3, MOVES, held_out=0.1), 0.7246, 0.6916),
    "final_network2": (dense(512, 0.3, MOVES, held_out=0.1, sets="1-7"), 0.6608, 0.5330),
    "final_network3": (
        dense(512, 0.3, "raw+corner-10+freemove", held_out=0.1), 0.7181, 0.6453
    ),
}  # fmt: skip
_FIGURE_12 = ("5", "6", "7", "8", "9")
# Trained at the scale laptop as in the paper, too.
_WHOLE = ("/", "5", "13", "final_network1", "final_network2", "final_network3")
_SMOKE = ("/", "5", "13", "22", "31", "final_network2")  # enough to see that all works


@dataclass(frozen=True)
class TableConfig:
    """Which networks, and how far they are trained.

    Attributes:
        networks: By number.
        effort: Of their trainings.
        whole: Networks that are also trained once as the paper's were.
    """

    networks: tuple[str, ...]
    effort: ValueEffort = field(default_factory=ValueEffort)
    whole: tuple[str, ...] = ()


def _scales(table: Printed) -> dict[str, TableConfig]:
    some = tuple(name for name in table if name in _SMOKE)
    return {
        "smoke": TableConfig(some, EFFORTS["smoke"]),
        "laptop": TableConfig(
            tuple(table), EFFORTS["laptop"], tuple(name for name in table if name in _WHOLE)
        ),
        "paper": TableConfig(tuple(table)),
    }


_COLUMNS = (
    Column("test", "error, other sets", unit="", digits=4),
    Column("training", "error, set 1", unit="", digits=4),
    Column("difference", "difference", unit="", digits=4),
    Column("unseen", "error, games of no set", unit="", digits=4),
)
_AS_PRINTED = ", trained as in the paper"


@dataclass(frozen=True)
class Trainings:
    """The trainings of one network: their errors by column, and facts of each."""

    label: str
    errors: dict[str, list[Estimate]]
    facts: list[dict[str, Any]]

    def means(self, column: str) -> list[float]:
        """Return the errors of the trainings."""
        return [one.value for one in self.errors.get(column, [])]


class Table:
    """The networks of a table, tested.

    The interval of an error covers the chance in training, whose spread is taken as the same for
    all networks of a table; of a single training, the chance in drawing states alone.
    """

    def __init__(self, networks: dict[str, Trainings], whole: dict[str, Trainings]) -> None:
        self.networks, self.whole = networks, whole

    def figure(self, network: Trainings, column: str) -> Estimate:
        """Return the mean error of a network's trainings."""
        found = network.errors[column]
        if len(found) == 1:
            return found[0]
        groups = [one.means(column) for one in self.networks.values() if column in one.errors]
        mean, margin = statistics.fmean(network.means(column)), margin_of_means(groups)
        return Estimate(mean, mean - margin, mean + margin, sum(one.count for one in found))

    def gain(self, one: Trainings, other: Trainings, column: str = "test") -> Estimate:
        """Return how much greater the error of one network is."""
        return self.figure(one, column).gain(self.figure(other, column))

    def rows(self, table: Printed) -> tuple[Row, ...]:
        """Return the rows, beside what the paper printed."""
        rows = []
        for name, network in [*self.networks.items(), *self.whole.items()]:
            figures: dict[str, Estimate | float | None] = {
                column: self.figure(network, column) for column in network.errors
            }
            figures["difference"] = statistics.fmean(network.means("training")) - statistics.fmean(
                network.means("test")
            )
            _, test, training = table[name]
            printed = {"test": test, "training": training, "difference": training - test}
            rows.append(Row.of(network.label, figures, printed, {"trainings": network.facts}))
        return tuple(rows)


def _test_all(config: TableConfig, table: Printed, bench: Workbench) -> Table:
    """Train the networks and test them on set 1, the other sets, and games of no set."""
    bench.need_games()
    _explain(config, bench)
    tester = _Tester(config.effort, bench)
    networks = {
        name: tester.test(f"network {name}", table[name][0], config.effort)
        for name in config.networks
    }
    whole = {
        name: tester.test(f"network {name}{_AS_PRINTED}", table[name][0], ValueEffort())
        for name in config.whole
    }
    return Table(networks, whole)


class _Tester:
    """Trains networks, and tests them on the same states."""

    def __init__(self, effort: ValueEffort, bench: Workbench) -> None:
        self.effort, self.bench = effort, bench
        self.years = bench.years or effort.years
        self.games = games_of(bench, self.years)
        self.unseen: States | None = None
        if effort.unseen:
            states = all_states(gather_games(effort.unseen, wthor=bench.wthor).examples)
            every = max(1, len(states) // 100_000) if effort.test_states else 1
            self.unseen = states.take(slice(0, len(states), every))

    def test(self, label: str, changes: Mapping[str, Any], effort: ValueEffort) -> Trainings:
        errors: dict[str, list[Estimate]] = {}
        facts = []
        for seed in range(1, effort.trainings + 1):
            config = effort.config(dict(changes), self.years, seed)
            trained = train_network(self.bench, f"{label}, training {seed}", config)
            self.bench.listener.began(f"{label}: testing", 0)
            for column, found in self._errors(trained.load()).items():
                errors.setdefault(column, []).append(found)
            facts.append({name: trained.metrics.get(name) for name in ("epoch", "seconds")})
        return Trainings(label, errors, facts)

    def _errors(self, network: PolicyNetwork) -> dict[str, Estimate]:
        def find() -> dict[str, list[float]]:
            states = self.effort.test_states
            of_sets = {
                number: errors_on(network, self.games, number, states)
                for number in (1, *self.effort.sets)
            }
            others = np.concatenate([of_sets[number] for number in self.effort.sets])
            found = {"test": estimate(others), "training": estimate(of_sets[1])}
            if self.unseen is not None:
                found["unseen"] = estimate(squared_errors(network, self.unseen))
            return {name: [one.value, one.low, one.high, one.count] for name, one in found.items()}

        kept = self.bench.kept(
            find, network.fingerprint, "value errors", self.years, self.bench.games_identity(),
            self.effort.test_states, self.effort.sets, self.effort.unseen,
        )  # fmt: skip
        return {
            name: Estimate(value, low, high, int(count))
            for name, (value, low, high, count) in kept.items()
        }


def _explain(config: TableConfig, bench: Workbench) -> None:
    effort = config.effort
    bench.note(
        "Errors are mean squared errors against the result (1 won, 0 drawn, -1 lost). Sets 2 to 7 "
        "are other positions of the same games, so a network has seen their results; the last "
        "column is of games that no set contains."
    )
    if effort.trainings > 1:
        bench.note(
            f"Each network was trained {effort.trainings} times. Intervals cover the chance in "
            "training, whose spread is taken as the same for all networks of a table."
        )
    else:
        bench.note(
            "One network was trained for each row: intervals are of the states drawn, not of the "
            "chance in training, so no claim about a difference is decided."
        )
    if effort.states:
        bench.note(
            f"At this scale {effort.states:,} states of set 1, batches of {effort.batch}, at most "
            f"{effort.epochs:g} epochs, and fully connected layers a {effort.narrow}th as wide."
        )
    if config.whole:
        bench.note(
            "Rows that say so are of networks trained once as the paper's were: all states, "
            "batches of 5, full width. Claims compare networks of equal effort."
        )


def _judge(text: str, what: str, found: Estimate, trainings: int, **bound: float) -> Claim:
    """Judge a difference between two networks; a single training each decides nothing."""
    claim = Claim.judge(text, what, found, digits=4, **bound)
    return claim if trainings > 1 else left_open(claim, ONCE)


@study(
    "value-table-1", paper=2, title="Table 1: value networks by features, width and dropout",
    scales=_scales(TABLE_1),
)  # fmt: skip
def table_1(config: TableConfig, bench: Workbench) -> Findings:
    """Train the networks of Table 1: more features should mean a lower error."""
    table = _test_all(config, TABLE_1, bench)
    networks, claims = table.networks, []
    if {"/", "5", "13"} <= networks.keys():
        for text, one, other in (
            ("Legal moves as a feature lower the error.", "13", "5"),
            ("Marking corners lowers the error.", "5", "/"),
        ):
            gain = table.gain(networks[one], networks[other])
            what = f"network {one} less network {other}"
            claims.append(_judge(text, what, gain, config.effort.trainings, below=0))
    return Findings(_COLUMNS, table.rows(TABLE_1), claims=tuple(claims))


def _none_better(printed: Printed, text: str, config: TableConfig, bench: Workbench) -> Findings:
    """Judge that no other network of a table is better than network 13."""
    table = _test_all(config, printed, bench)
    claims = [
        _judge(
            f"{text} ({name})", f"network {name} less network 13",
            table.gain(network, table.networks["13"]), config.effort.trainings, least=0,
        )
        for name, network in table.networks.items() if name != "13" and "13" in table.networks
    ]  # fmt: skip
    return Findings(_COLUMNS, table.rows(printed), claims=tuple(claims))


@study(
    "value-table-2", paper=2, title="Table 2: different dropout after convolutions",
    scales=_scales(TABLE_2),
)  # fmt: skip
def table_2(config: TableConfig, bench: Workbench) -> Findings:
    """Train the networks of Table 2: asymmetric dropout should not help."""
    return _none_better(TABLE_2, "Asymmetric dropout does not lower the error.", config, bench)


@study("value-table-3", paper=2, title="Table 3: other numbers of layers", scales=_scales(TABLE_3))
def table_3(config: TableConfig, bench: Workbench) -> Findings:
    """Train the networks of Table 3: other depths should not help."""
    return _none_better(TABLE_3, "Other depths do not lower the error.", config, bench)


@study("value-table-4", paper=2, title="Table 4: network 13 on whole sets", scales=_scales(TABLE_4))
def table_4(config: TableConfig, bench: Workbench) -> Findings:
    """Train the final networks: all sets together should overfit."""
    table = _test_all(config, TABLE_4, bench)
    claims = []
    last, usual = table.networks.get("final_network2"), table.networks.get("13")
    if last and usual and "unseen" in last.errors:
        claims.append(
            _judge(
                "All sets together overfit: nothing is gained on games that no set contains.",
                "final_network2 less network 13",
                table.gain(last, usual, "unseen"),
                config.effort.trainings,
                least=0,
            )
        )
        for leak in _leaks(table):
            bench.note(leak)
    return Findings(_COLUMNS, table.rows(TABLE_4), claims=tuple(claims))


def _leaks(table: Table) -> Iterator[str]:
    """Say what it is worth that the test sets are of games that final_network2 has learned."""
    for networks in (table.networks, table.whole):
        if {"13", "final_network2"} <= networks.keys():
            last, usual = networks["final_network2"], networks["13"]
            shown, real = (-table.gain(last, usual, column).value for column in ("test", "unseen"))
            yield (
                f"{last.label} has learned the results of its test sets' games. Its error is "
                f"{shown:.4f} below that of network 13 on the test sets and {real:.4f} below on "
                f"games of no set: {shown - real:.4f} come from knowing the games."
            )


@study(
    "value-figure-12", paper=2, title="Figure 12: five networks on sets 1 to 7",
    scales={
        scale: TableConfig(("5",) if scale == "smoke" else _FIGURE_12, effort)
        for scale, effort in EFFORTS.items()
    },
)  # fmt: skip
def figure_12(config: TableConfig, bench: Workbench) -> Findings:
    """Test the networks that see corners and border on each set."""
    bench.need_games()
    effort = config.effort
    _explain(config, bench)
    years = bench.years or effort.years
    games = games_of(bench, years)
    rows = []
    numbers = (1, *effort.sets)
    spread = []
    for name in config.networks:
        changes, _, _ = TABLE_1[name]
        trained = train_network(bench, name, effort.config(dict(changes), years))
        network = trained.load()
        found = {
            f"set-{number}": estimate(errors_on(network, games, number, effort.test_states))
            for number in numbers
        }
        spread.append(max(one.value for one in list(found.values())[1:])
                      - min(one.value for one in list(found.values())[1:]))  # fmt: skip
        printed = {place: error for place, error in _PRINTED_12[name].items() if place in found}
        rows.append(Row.of(f"network {name}", dict(found), printed))
    columns = tuple(Column(f"set-{n}", f"set {n}", unit="", digits=4) for n in numbers)
    claim = Claim(
        "The errors on the test sets differ by thousandths.",
        Claim.HOLDS
        if max(spread) < 0.01
        else Claim.FAILS
        if not effort.test_states
        else Claim.OPEN,
        f"greatest difference between two of them: {max(spread):.4f}",
    )
    return Findings(columns, tuple(rows), claims=(claim,))


_PRINTED_12: dict[str, dict[str, float]] = {
    name: {f"set-{number}": error for number, error in enumerate(errors, 1)}
    for name, errors in {
        "5": (0.6966, 0.7338, 0.7329, 0.7338, 0.7340, 0.7359, 0.7329),
        "6": (0.6750, 0.7298, 0.7289, 0.7302, 0.7306, 0.7317, 0.7279),
        "7": (0.7147, 0.7393, 0.7383, 0.7387, 0.7399, 0.7410, 0.7378),
        "8": (0.7457, 0.7600, 0.7586, 0.7592, 0.7593, 0.7606, 0.7591),
        "9": (0.6921, 0.7303, 0.7289, 0.7306, 0.7304, 0.7318, 0.7280),
    }.items()
}
