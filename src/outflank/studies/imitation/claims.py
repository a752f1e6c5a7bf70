"""What paper 1 says of its tables and figures, put to the test with ours.

Whether a claim holds is judged by the 95% intervals of the two figures it compares. These are of
the test examples or games; another training of the same network would differ as well. Networks
that learned from far less than the paper's cannot refute it: see Table.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from outflank.studies.estimate import Estimate
from outflank.studies.imitation.effort import BAGGED, LABELS
from outflank.studies.result import Claim, Column, Row

PREDICTORS = ("conv8-bn", "imitation-0ply")  # of those that do not search, the best
_LAYERS = ("conv4", "conv6", "conv8")
_ON_PAR = 0.5  # points of accuracy
_LEGAL = 99.9  # percent
_LINEAR = 0.99
_ENGINE = "Edax"  # the paper's
_FEWEST = 5  # networks that tell whether there is a line
_SHORTCUTS = ("resnet", "densenet", "widenet")  # networks with skip connections begin so

Cell = tuple[str, str]  # a network and a column


@dataclass(frozen=True)
class Table:
    """Our rows by network.

    columns: those of the table. stand_ins: which networks stand in for the paper's. cut: how
    networks were trained with less than the paper's effort, empty if they were not; what these do
    not show is then left open.
    """

    rows: Mapping[str, Row]
    columns: Sequence[Column] = ()
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    cut: str = ""

    def figure(self, network: str, column: str) -> Estimate | None:
        """Return a figure of ours, or None if there is none."""
        row = self.row(network)
        if row is None or column not in row.intervals:
            return None
        low, high = row.intervals[column]
        return Estimate(row.values[column], low, high, row.counts[column])

    def row(self, network: str) -> Row | None:
        """Return the row of a network, or of that which stands in for it."""
        return self.rows.get(self.used(network))

    def used(self, network: str) -> str:
        """Return the network that stands in for another, or that itself."""
        plain = network.removesuffix(BAGGED)
        return self.stand_ins.get(plain, plain) + network[len(plain) :]

    def label(self, network: str) -> str:
        """Return what the row of a network is called, or what it would be called."""
        row, used = self.row(network), self.used(network)
        return row.label if row else LABELS.get(used, used)

    def title(self, column: str) -> str:
        """Return what a column is called."""
        return next((one.title for one in self.columns if one.name == column), column)

    def layers(self) -> list[str]:
        """Return the plain convolutional networks, those with the most layers last."""
        return [name for name in _LAYERS if name in self.rows]

    def gain(self, text: str, one: Cell, other: Cell, **bound: float) -> Iterator[Claim]:
        """Judge how much more a figure is than another, if both are there; see Claim.judge."""
        first, second = self.figure(*one), self.figure(*other)
        if first is not None and second is not None:
            labels, titles = (
                [name(cell[place]) for cell in (one, other)]
                for place, name in enumerate((self.label, self.title))
            )
            what = f"{labels[0]} less {labels[1]}"
            if labels[0] == labels[1]:
                what = f"{labels[0]}, {titles[0]} less {titles[1]}"
            judged = Claim.judge(text, what, first.gain(second), digits=1, **bound)
            yield self.told(judged, one[0], other[0])

    def share(self, text: str, cell: Cell, digits: int = 1, **bound: float) -> Iterator[Claim]:
        """Judge a figure, if it is there; see Claim.judge."""
        found = self.figure(*cell)
        if found is not None:
            what = f"{self.label(cell[0])}, {self.title(cell[1])}"
            judged = Claim.judge(text, what, found, digits=digits, **bound)
            yield self.told(judged, cell[0])

    def told(self, claim: Claim, *networks: str) -> Claim:
        """Leave open what networks do not show that learned from less than the paper's."""
        rows = [self.row(network) for network in networks]
        shipped = all(row and row.facts.get("training", {}).get("shipped") for row in rows)
        return claim if shipped else _left_open(claim, self.cut)


def _left_open(claim: Claim, cut: str) -> Claim:
    """Leave a claim open that does not hold where training was cut."""
    if not cut or claim.verdict != Claim.FAILS:
        return claim
    return replace(claim, verdict=Claim.OPEN, reason=f"{claim.reason}; but {cut}")


def of_training_sets(table: Table, what: str) -> list[Claim]:
    """Tables II and VIII: accuracies or winning rates of networks, by training set.

    Sets that were cut to the same size tell nothing of what a larger one brings.
    """
    pairs = {
        f"mirror images of the examples bring {what}": ("original-s", "original"),
        f"mirror images of distinct examples bring {what}": ("unique-s", "unique"),
        f"to remove duplicates brings {what}": ("unique", "original"),
        f"to remove duplicates of mirror images brings {what}": ("unique-s", "original-s"),
    }
    return [
        claim
        for text, (one, other) in pairs.items()
        for name in table.layers()
        for claim in table.gain(text, (name, one), (name, other), above=0.0)
        if not table.cut
    ]


def of_encodings(table: Table) -> list[Claim]:
    """Table III: accuracies by encoding and number of layers."""
    found: list[Claim] = []
    there = table.layers()
    for fewer, more in itertools.pairwise(there):
        text = "networks of more layers predict better"
        found += table.gain(text, (more, "pieces"), (fewer, "pieces"), above=0.0)
    text = "ten layers are not better than eight"
    found += table.gain(text, ("conv10", "pieces"), ("conv8", "pieces"), most=0.0)
    if there:
        name = there[-1]
        text = f"a plane of ones changes little: no more than {_ON_PAR:g} points either way"
        found += table.gain(text, (name, "ones"), (name, "pieces"), within=_ON_PAR)
    for name in there:
        if name != "conv4":  # of which the paper's figures say the opposite
            text = "networks that are told which moves are legal predict worse"
            found += table.gain(text, (name, "pieces"), (name, "vmoves"), above=0.0)
    return found


def of_legal_moves(table: Table) -> list[Claim]:
    """Table IV: how often the highest score is a legal move's."""
    found: list[Claim] = []
    for name in table.layers():
        for column in ("pieces", "ones"):
            text = "the networks learn which moves are legal (the paper: 99.95% and more)"
            found += table.share(text, (name, column), digits=2, least=_LEGAL)
        told = table.figure(name, "vmoves")
        if told is not None:
            text = "networks that are told which moves are legal make no mistake"
            wrong = round(told.count * (1 - told.value / 100))
            verdict = Claim.FAILS if wrong else Claim.HOLDS
            reason = f"{table.label(name)}: {wrong:,} of {told.count:,} choices are illegal"
            found.append(table.told(Claim(text, verdict, reason), name))
    return found


def of_regularisation(table: Table) -> list[Claim]:
    """Table V: dropout, batch normalisation, bagging."""
    plain, dropped, normalised = "conv8", "conv8-dropout", "conv8-bn"
    cell = "accuracy"
    return [
        *table.gain("dropout does harm", (plain, cell), (dropped, cell), above=0.0),
        *table.gain("batch normalisation brings more than two points",
                    (normalised, cell), (plain, cell), above=2.0),
        *table.gain("the mean of networks of bootstrapped samples is better than one network",
                    (normalised + BAGGED, cell), (normalised, cell), above=0.0),
    ]  # fmt: skip


def of_skip_connections(table: Table) -> list[Claim]:
    """Table VI: residual, dense and wide networks."""
    found: list[Claim] = []
    column, baseline = "accuracy", "conv8-bn"
    for name in ("resnet-32", "resnet-56"):
        text = "without downsampling residual networks are better"
        found += table.gain(text, (f"{name}-np", column), (name, column), above=0.0)
        text = "with projecting shortcuts residual networks are slightly better"
        found += table.gain(text, (f"{name}-np-p", column), (f"{name}-np", column), above=0.0)

    def best(left: str = "") -> str:
        names = [name for name in table.rows if name.startswith(_SHORTCUTS) and name != left]
        return max(names, key=lambda name: table.rows[name].values[column], default="")

    if "widenet-40-4" in table.rows:
        text = "WideNet is the best network with skip connections"
        other = best("widenet-40-4")
        found += table.gain(text, ("widenet-40-4", column), (other, column), above=0.0)
    text = f"no network with skip connections is better than {table.label(baseline)}"
    found += table.gain(text, (best(), column), (baseline, column), most=0.0)
    return found


def of_strength(table: Table) -> list[Claim]:
    """Table VII: networks that do not search against players that look one move ahead."""
    found: list[Claim] = []
    for name, row in table.rows.items():
        met = row.facts.get("winning_rates_white", {})
        if met:
            hardest = min(met, key=lambda player: float(met[player]["value"]))
            text = "a network that does not search beats every player that looks one move ahead"
            what = f"{table.label(name)}, the least winning rate, against {hardest}"
            judged = Claim.judge(text, what, Estimate(**met[hardest]), above=50.0)
            found.append(table.told(judged, name))
    for name in PREDICTORS:
        text = "a network that does not search wins nine of ten games against such players"
        found += table.share(text, (name, "average-white"), least=90.0)
    return found


def of_correlation(
    name: str, points: Sequence[tuple[float, float]], line: Mapping[str, float], cut: str
) -> Claim:
    """Figure 4: accuracies and winning rates of networks, and the line that is fitted to them.

    The interval of r² is by Fisher's transformation. cut: as in Table.
    """
    text = f"winning rates ({name}) are almost exactly a linear function of accuracy"
    least, most = (f(accuracy for accuracy, _ in points) for f in (min, max))
    of = f"{len(points)} networks with accuracies of {least:.0f} to {most:.0f}% (the paper: 57-64)"
    if len(points) < _FEWEST:
        return Claim(text, Claim.OPEN, f"of {of} little can be told")
    r2 = line["r2"] if line["slope"] > 0 else 0.0  # a falling line is none of the paper's
    centre = math.atanh(min(math.sqrt(max(r2, 0.0)), 1 - 1e-9))
    margin = 1.96 / math.sqrt(len(points) - 3)
    low, high = (math.tanh(max(0.0, bound)) ** 2 for bound in (centre - margin, centre + margin))
    found = Estimate(r2, low, high, len(points))
    return _left_open(Claim.judge(text, f"r² of {of}", found, digits=3, least=_LINEAR), cut)


def of_search(depths: Table, engine: str = _ENGINE) -> list[Claim]:
    """Table IX: rows are depths of the engine, columns networks."""
    found: list[Claim] = []
    # Of what was not trained here; another engine cannot refute what is said of the paper's.
    whole = replace(depths, cut="" if engine == _ENGINE else f"the paper's engine is {_ENGINE}")
    for name in PREDICTORS:
        network = depths.used(name)
        table = depths if name == "conv8-bn" else whole
        text = "a network that does not search is stronger than the engine at depth 2"
        found += table.share(text, ("2", network), above=50.0)
        if (
            table is whole or not table.cut
        ):  # that a network which learned little is weak is no news
            text = "a network that does not search is weaker than the engine at depth 3"
            found += table.share(text, ("3", network), below=50.0)
    text = "the engine predicts the experts better at depth 4 than at depth 1"
    found += whole.gain(text, ("4", "accuracy"), ("1", "accuracy"), above=0.0)
    text = "the engine predicts the experts no better at depth 5 than at depth 4"
    found += whole.gain(text, ("5", "accuracy"), ("4", "accuracy"), most=0.0)
    return found


def of_stages(
    label: str,
    alone: Mapping[str, Estimate],
    helped: Mapping[str, Mapping[str, Estimate]],
    cut: str,
) -> list[Claim]:
    """Figure 5: winning rates by the opponent's depth, alone and with help in each stage."""
    gains = {
        stage: {depth: rates[depth].gain(alone[depth]) for depth in alone}
        for stage, rates in helped.items()
    }
    means = {stage: Estimate.mean_gain(list(found.values())) for stage, found in gains.items()}
    least = min(means, key=lambda stage: means[stage].value)
    found = [
        Claim.judge("the engine's help pays in every stage of the game",
                    f"{label}, the least gain, moves {least}", means[least], above=0.0)
    ]  # fmt: skip
    (first, *_), (*_, last) = helped, helped
    if first != last:  # without the figures of the network alone, which both have
        more = [helped[last][depth].gain(helped[first][depth]) for depth in alone]
        found.append(
            Claim.judge("the engine's help pays more at the end of the game than at its beginning",
                        f"{label}, gain of moves {last} less that of {first}",
                        Estimate.mean_gain(more), above=0.0)
        )  # fmt: skip
    if len(alone) > 1 and "3" in alone:
        by_depth = {
            depth: Estimate.mean_gain([found[depth] for found in gains.values()]) for depth in alone
        }
        others = [depth for depth in by_depth if depth != "3"]
        most = max(others, key=lambda depth: by_depth[depth].value)
        found.append(
            Claim.judge("the engine's help pays most against depth 3",
                        f"{label}, gain against depth 3 less that against {most}",
                        by_depth["3"].gain(by_depth[most]), above=0.0)
        )  # fmt: skip
    return [_left_open(claim, cut) for claim in found]


def of_course(table: Table) -> list[Claim]:
    """Figure 3: rows are stages of the game, the first ones first; accuracy at each."""
    text = "predictions are less accurate at the beginning of the game than later"
    return [
        claim
        for first, later in itertools.pairwise(list(table.rows)[:2])
        for claim in table.gain(text, (later, "top1"), (first, "top1"), above=0.0)
    ]
