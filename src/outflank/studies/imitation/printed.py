"""Tables of paper 1 as they are printed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from outflank.studies.estimate import Estimate
from outflank.studies.imitation.effort import label_of
from outflank.studies.papers import printed_columns, printed_rows
from outflank.studies.result import Row


@dataclass(frozen=True)
class Printed:
    """The paper's own figures: by network, in the order of some columns of our table."""

    columns: Sequence[str]
    rows: Mapping[str, Sequence[float]]

    @classmethod
    def table(cls, number: int) -> Printed:
        """Return a table of the paper by its number."""
        name = f"table-{number}"
        return cls(printed_columns(1, name), printed_rows(1, name))

    def figures(self, network: str) -> dict[str, float]:
        """Return what is printed of a network, by column."""
        if network not in self.rows:
            return {}
        return dict(zip(self.columns, self.rows[network], strict=True))

    def left(self, trained: Collection[str]) -> list[str]:
        """Return the networks that are printed but were not trained here."""
        return [name for name in self.rows if name not in trained]

    def others(self, trained: Collection[str]) -> list[Row]:
        """Return rows of these."""
        return [self.other(name, {}) for name in self.left(trained)]

    def other(self, name: str, figures: Mapping[str, Estimate | float | None]) -> Row:
        """Return the row of one of these, with what is known of it without training."""
        what = "not trained" if figures else "the paper's figures only"
        return Row.of(f"{label_of(name)} ({what})", figures, self.figures(name))
