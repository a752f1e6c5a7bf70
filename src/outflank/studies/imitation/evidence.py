"""What our tables can say about a claim of paper 1, and when they can say nothing.

Whether a claim holds is judged by the 95% intervals of the figures it compares. Three things leave
it open, whichever way the figures point:

* a network learned from less than a million examples;
* the engine is not the paper's;
* two networks are compared and one was trained only once, so the variation between trainings is
  not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from outflank.studies.doubts import ONCE, left_open
from outflank.studies.estimate import Estimate
from outflank.studies.imitation.effort import AHEAD, BAGGED, LABELS, Effort, label_of
from outflank.studies.imitation.opponents import engine_of
from outflank.studies.result import Claim, Column, Result, Row

ENGINE = "Edax"  # the paper's
ENOUGH = 1_000_000  # examples; a network that learned from less settles nothing
_LAYERS = ("conv4", "conv6", "conv8")
_NOT_OURS = ("(not trained)", "(the paper's figures only)", ", black to move")
_NAMES = {label_of(name + bagged): name + bagged for name in LABELS for bagged in ("", BAGGED)}

Cell = tuple[str, str]  # a network and a column


def is_brief(training: Mapping[str, Any]) -> bool:
    """Whether a network learned from too little to settle anything."""
    return not training.get("shipped") and training.get("examples", 0) < ENOUGH


def another_engine(result: Result) -> str:
    """Return the doubt that the engine of a result is not the paper's; empty if it is."""
    return "" if engine_of(result.notes) == ENGINE else f"the paper's engine is {ENGINE}"


@dataclass(frozen=True)
class Table:
    """Our rows by network.

    columns: those of the table. stand_ins: which networks stand in for the paper's. cut: how
    networks were trained with less than the paper's effort, empty if they were not. doubt: why
    nothing in the table settles a claim, if so. one_training: whether all rows are of one network.
    """

    rows: Mapping[str, Row]
    columns: Sequence[Column] = ()
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    cut: str = ""
    doubt: str = ""
    one_training: bool = False

    @classmethod
    def of(cls, result: Result) -> Table:
        """Return the rows of a stored result that are of networks which play or were tested."""
        rows = {
            _NAMES.get(row.label, row.label): row
            for row in result.rows
            if not row.label.endswith(_NOT_OURS)
        }
        effort = Effort.from_json(result.config["effort"])
        return cls(rows, result.columns, effort.stand_ins, effort.cut)

    def figure(self, network: str, column: str) -> Estimate | None:
        """Return a figure of ours, or None if there is none."""
        row = self.row(network)
        return None if row is None else row.estimate(column)

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

    def still(self) -> Table:
        """Return the table without the networks that look at the boards after their moves."""
        return replace(
            self, rows={k: row for k, row in self.rows.items() if not row.label.endswith(AHEAD)}
        )

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
            yield self.qualified(judged, one, other)

    def share(self, text: str, cell: Cell, digits: int = 1, **bound: float) -> Iterator[Claim]:
        """Judge a figure, if it is there; see Claim.judge."""
        found = self.figure(*cell)
        if found is not None:
            what = f"{self.label(cell[0])}, {self.title(cell[1])}"
            judged = Claim.judge(text, what, found, digits=digits, **bound)
            yield self.qualified(judged, cell)

    def qualified(self, claim: Claim, *cells: Cell) -> Claim:
        """Leave a claim open if the figures of some cells cannot settle it, whatever they are."""
        trained = [facts for facts in map(self._facts, cells) if "training" in facts]
        cut = any(is_brief(facts["training"]) for facts in trained)
        apart = len(trained) > 1 and not self.one_training
        once = apart and any(facts.get("trainings", 1) < 2 for facts in trained)
        return left_open(claim, self.cut if cut else "", self.doubt, ONCE if once else "")

    def _facts(self, cell: Cell) -> Mapping[str, Any]:
        """Return how the network of a cell was trained, which some rows say by column."""
        row = self.row(cell[0])
        facts: Mapping[str, Any] = {} if row is None else row.facts
        return facts if "training" in facts else facts.get(self.used(cell[1]), {})
