"""What paper 1 says of its tables and figures, put to the test with ours.

Whether a claim holds is judged by the 95% intervals of the two figures it compares. These are of
the test examples or games; another training of the same network would differ as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from outflank.studies.estimate import Estimate
from outflank.studies.imitation.effort import BAGGED
from outflank.studies.result import Claim, Row

PREDICTORS = ("conv8-bn", "imitation-0ply")  # networks without a search of which much is claimed
_LAYERS = ("conv2", "conv4", "conv6", "conv8")
_ON_PAR = 0.5  # points of accuracy
_LEGAL = 99.9  # percent
_LINEAR = 0.99
_SHORTCUTS = ("resnet", "densenet", "widenet")  # networks with skip connections begin so

Cell = tuple[str, str]  # a network and a column


@dataclass(frozen=True)
class Table:
    """Our rows by network, and which networks stand in for the paper's."""

    rows: Mapping[str, Row]
    stand_ins: Mapping[str, str] = field(default_factory=dict)

    def figure(self, network: str, column: str) -> Estimate | None:
        """Return a figure of ours, or None if there is none."""
        row = self.row(network)
        if row is None or column not in row.intervals:
            return None
        low, high = row.intervals[column]
        return Estimate(row.values[column], low, high, row.counts[column])

    def row(self, network: str) -> Row | None:
        """Return the row of a network, or of that which stands in for it."""
        plain = network.removesuffix(BAGGED)
        return self.rows.get(self.stand_ins.get(plain, plain) + network[len(plain) :])

    def layers(self) -> list[str]:
        """Return the plain convolutional networks, those with the most layers last."""
        return [name for name in _LAYERS if name in self.rows]

    def gain(
        self,
        text: str,
        one: Cell,
        other: Cell,
        *,
        most: float | None = None,
        above: float | None = None,
    ) -> Iterator[Claim]:
        """Judge how much more a figure is than another, if both are there."""
        first, second = self.figure(*one), self.figure(*other)
        if first is not None and second is not None:
            labels = [row.label for name, _ in (one, other) if (row := self.row(name))]
            if labels[0] == labels[1]:
                what = f"{labels[0]}, {one[1]} less {other[1]}"
            else:
                what = f"{labels[0]} less {labels[1]}"
            yield Claim.judge(text, what, first.gain(second), most=most, above=above)

    def share(
        self, text: str, cell: Cell, *, least: float | None = None, most: float | None = None
    ) -> Iterator[Claim]:
        """Judge a figure, if it is there."""
        found, row = self.figure(*cell), self.row(cell[0])
        if found is not None and row is not None:
            yield Claim.judge(text, f"{row.label}, {cell[1]}", found, least=least, most=most)


def of_training_sets(table: Table, what: str) -> list[Claim]:
    """Tables II and VIII: accuracies or winning rates of networks, by training set."""
    name = (table.layers() or [""])[-1]
    pairs = {
        f"mirror images of the examples bring {what}": ("original-s", "original"),
        f"mirror images of distinct examples bring {what}": ("unique-s", "unique"),
        f"to remove duplicates brings {what}": ("unique", "original"),
        f"mirror images without duplicates bring {what}": ("unique-s", "original"),
    }
    return [
        claim
        for text, (one, other) in pairs.items()
        for claim in table.gain(text, (name, one), (name, other), above=0.0)
    ]


def of_encodings(table: Table) -> list[Claim]:
    """Table III: accuracies by encoding and number of layers."""
    found: list[Claim] = []
    there = table.layers()
    for fewer, more in itertools.pairwise(there):
        text = "networks of more layers predict better"
        found += table.gain(text, (more, "pieces"), (fewer, "pieces"), above=0.0)
    if there:
        name, pieces = there[-1], (there[-1], "pieces")
        text = "a plane of ones does not help"
        found += table.gain(text, (name, "ones"), pieces, most=_ON_PAR)
        text = "to be told which moves are legal does not help"
        found += table.gain(text, (name, "vmoves"), pieces, most=0.0)
    return found


def of_legal_moves(table: Table) -> list[Claim]:
    """Table IV: how often the highest score is a legal move's."""
    texts = {
        "pieces": "the networks learn which moves are legal (the paper: 99.95% and more)",
        "vmoves": "and make no mistake if they are told",
    }
    return [
        claim
        for network in _LAYERS
        for column, text in texts.items()
        for claim in table.share(text, (network, column), least=_LEGAL)
    ]


def of_regularisation(table: Table) -> list[Claim]:
    """Table V: dropout, batch normalisation, bagging."""
    plain, dropped, normalised = "conv8", "conv8-dropout", "conv8-bn"
    cell = "accuracy"
    return [
        *table.gain("dropout does harm", (plain, cell), (dropped, cell), above=0.0),
        *table.gain("batch normalisation brings more than two points",
                    (normalised, cell), (plain, cell), above=2.0),
        *table.gain("bagging brings more",
                    (normalised + BAGGED, cell), (normalised, cell), above=0.0),
    ]  # fmt: skip


def of_skip_connections(table: Table) -> list[Claim]:
    """Table VI: residual, dense and wide networks."""
    found: list[Claim] = []
    column = "accuracy"
    for name in ("resnet-32", "resnet-56"):
        text = "without downsampling residual networks are better"
        found += table.gain(text, (f"{name}-np", column), (name, column), above=0.0)
        text = "and slightly better with projecting shortcuts"
        found += table.gain(text, (f"{name}-np-p", column), (f"{name}-np", column), above=0.0)
    skipping = [name for name in table.rows if name.startswith(_SHORTCUTS)]
    if skipping:
        best = max(skipping, key=lambda name: table.rows[name].values[column])
        text = "no network with skip connections is better than Conv8+BN"
        found += table.gain(text, (best, column), ("conv8-bn", column), most=0.0)
    return found


def of_strength(table: Table) -> list[Claim]:
    """Table VII: networks that do not search against players that look one move ahead."""
    text = "the network wins nine of ten games against players that look one move ahead"
    return [
        claim
        for name in PREDICTORS
        for claim in table.share(text, (name, "average-white"), least=90.0)
    ]


def of_correlation(name: str, r2: float, networks: int) -> Claim:
    """Figure 4: accuracy and winning rates lie on a line."""
    verdict = Claim.HOLDS if r2 >= _LINEAR else Claim.FAILS
    reason = f"r² = {r2:.3f} of {networks} networks; it would have to be at least {_LINEAR}"
    return Claim(f"the winning rate ({name}) is a linear function of accuracy", verdict, reason)


def of_search(depths: Table) -> list[Claim]:
    """Table IX: rows are depths of the engine, columns networks."""
    found: list[Claim] = []
    for name in PREDICTORS:
        network = depths.stand_ins.get(name, name)
        text = "a network that does not search is stronger than the engine at depth 2"
        found += depths.share(text, ("2", network), least=50.0)
        text = "and weaker than at depth 3"
        found += depths.share(text, ("3", network), most=50.0)
    text = "the engine predicts the experts the better, the deeper it looks"
    found += depths.gain(text, ("4", "accuracy"), ("1", "accuracy"), above=0.0)
    return found


def of_stages(label: str, gains: Mapping[str, Estimate]) -> list[Claim]:
    """Figure 5: what the engine's help gains in each stage, the mean over its opponents."""
    stages = list(gains)
    first, last = stages[0], stages[-1]
    least = min(gains, key=lambda stage: gains[stage].value)
    found = [
        Claim.judge("the engine's help pays in every stage of the game",
                    f"{label}, least gain, moves {least}", gains[least], above=0.0)
    ]  # fmt: skip
    if first != last:
        found.append(
            Claim.judge("it pays more at the end than at the beginning",
                        f"{label}, gain of moves {last} less that of {first}",
                        gains[last].gain(gains[first]), above=0.0)
        )  # fmt: skip
    return found
