"""The claims of paper 1, judged on its own figures, and on figures that say the opposite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from outflank.studies import Claim, Estimate, Row
from outflank.studies.imitation import accuracy, architectures, claims, search, strength
from outflank.studies.imitation.claims import Table
from outflank.studies.imitation.printed import Printed

EXAMPLES = 2_000_000  # in the paper's test set of Unique-S
Judge = Callable[[Table], Sequence[Claim]]


def table_of(
    rows: Mapping[str, Mapping[str, float]], count: int = EXAMPLES, sign: int = 1
) -> Table:
    """A table of ours with such figures; with another sign, those on the other side of 50%."""
    figures = {
        name: {
            column: Estimate.of_share((50 + sign * (figure - 50)) / 100, count)
            for column, figure in row.items()
        }
        for name, row in rows.items()
    }
    return Table({name: Row.of(name, row) for name, row in figures.items()})


def printed(table: Printed) -> dict[str, dict[str, float]]:
    return {
        name: {column: figure for column, figure in table.figures(name).items() if column != "time"}
        for name in table.rows
    }


SEARCH = {
    str(depth): {"conv8-bn": rate, "accuracy": predicted}
    for depth, (rate, _, predicted) in search._TABLE_9.items()
}
TABLES: dict[str, tuple[dict[str, dict[str, float]], Judge, int]] = {
    "2": (printed(accuracy._TABLE_2), lambda t: claims.of_training_sets(t, "accuracy"), 4),
    "3": (printed(accuracy._TABLE_3), claims.of_encodings, 4),
    "4": (printed(accuracy._TABLE_4), claims.of_legal_moves, 6),
    "5": (printed(architectures._TABLE_5), claims.of_regularisation, 3),
    "6": (printed(architectures._TABLE_6), claims.of_skip_connections, 5),
    "7": (printed(strength._TABLE_7), claims.of_strength, 1),
    "8": (printed(strength._TABLE_8), lambda t: claims.of_training_sets(t, "strength"), 4),
    "9": (SEARCH, claims.of_search, 3),
}


@pytest.mark.parametrize("number", TABLES)
def test_the_papers_own_figures(number: str) -> None:
    rows, judge, count = TABLES[number]
    found = judge(table_of(rows))
    assert [claim.verdict for claim in found] == [Claim.HOLDS] * count


@pytest.mark.parametrize("number", TABLES)
def test_figures_that_say_the_opposite(number: str) -> None:
    rows, judge, count = TABLES[number]
    found = judge(table_of(rows, sign=-1))
    # Better by no more than half a point: that a plane of ones does little can be true of both.
    spared = [claim for claim in found if "plane of ones" in claim.text]
    assert [claim.verdict for claim in found if claim not in spared] == [Claim.FAILS] * (
        count - len(spared)
    )


def test_few_examples_tell_nothing() -> None:
    rows, judge, _ = TABLES["6"]
    assert {claim.verdict for claim in judge(table_of(rows, count=100))} == {Claim.OPEN}


@pytest.mark.parametrize("number", TABLES)
def test_what_was_not_measured_is_not_judged(number: str) -> None:
    _, judge, _ = TABLES[number]
    assert list(judge(Table({}))) == []
    assert list(judge(Table({"line": Row.of("line", {"accuracy": 60.0})}))) == []


def test_a_stand_in_is_judged_in_its_place() -> None:
    table = table_of({"conv4": {"accuracy": 50.0}, "conv4-bn": {"accuracy": 53.0}})
    assert claims.of_regularisation(table) == []
    standing = Table(table.rows, {"conv8": "conv4", "conv8-bn": "conv4-bn"})
    (claim,) = claims.of_regularisation(standing)
    assert claim.verdict == Claim.HOLDS
    assert claim.reason.startswith("conv4-bn less conv4: 3.0 (95%: 2.9 to 3.1)")


def test_points_on_a_line() -> None:
    assert claims.of_correlation("league", 0.997, 20).verdict == Claim.HOLDS
    assert claims.of_correlation("league", 0.9, 20).verdict == Claim.FAILS


def test_help_in_stages() -> None:
    def gain(value: float) -> Estimate:
        return Estimate(value, value - 1, value + 1, 200)

    rising = {"1-15": gain(2.0), "16-30": gain(3.0), "46-60": gain(9.0)}
    found = claims.of_stages("net", rising)
    assert [claim.verdict for claim in found] == [Claim.HOLDS, Claim.HOLDS]
    assert found[0].reason.startswith("net, least gain, moves 1-15: 2.0")
    falling = {"1-15": gain(9.0), "46-60": gain(-2.0)}
    assert [claim.verdict for claim in claims.of_stages("net", falling)] == [Claim.FAILS] * 2
    assert len(claims.of_stages("net", {"46-60": gain(1.0)})) == 1


def test_the_mean_of_gains_may_be_negative() -> None:
    mean = Estimate.mean_gain([Estimate(-4.0, -7.0, -1.0, 10), Estimate(-2.0, -6.0, 2.0, 10)])
    assert (mean.value, mean.count) == (-3.0, 20)
    assert (mean.low, mean.high) == (-5.5, -0.5)
