"""The claims of paper 1, judged on its own figures, and on figures that say the opposite."""

from __future__ import annotations

import dataclasses
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
    "2": (printed(accuracy._TABLE_2), lambda t: claims.of_training_sets(t, "accuracy"), 12),
    "3": (printed(accuracy._TABLE_3), claims.of_encodings, 5),
    "4": (printed(accuracy._TABLE_4), claims.of_legal_moves, 9),
    "5": (printed(architectures._TABLE_5), claims.of_regularisation, 3),
    "6": (printed(architectures._TABLE_6), claims.of_skip_connections, 6),
    "7": (printed(strength._TABLE_7), claims.of_strength, 1),
    "8": (printed(strength._TABLE_8), lambda t: claims.of_training_sets(t, "strength"), 12),
    "9": (SEARCH, claims.of_search, 4),
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
    # A change of no more than half a point either way: that can be true of both.
    spared = [claim for claim in found if "plane of ones" in claim.text]
    assert [claim.verdict for claim in found if claim not in spared] == [Claim.FAILS] * (
        count - len(spared)
    )


@pytest.mark.parametrize("number", TABLES)
def test_networks_that_learned_little_refute_nothing(number: str) -> None:
    rows, judge, _ = TABLES[number]
    table = dataclasses.replace(table_of(rows, sign=-1), cut="they learned little")
    found = [claim for claim in judge(table) if "the engine predicts" not in claim.text]
    if number in ("2", "8"):  # sets that were cut to one size are not even compared
        assert found == []
    assert {claim.verdict for claim in found} <= {Claim.OPEN, Claim.HOLDS}
    assert all(
        "; but they learned little" in one.reason for one in found if one.verdict == Claim.OPEN
    )


def test_another_engine_refutes_nothing() -> None:
    table = table_of(SEARCH, sign=-1)
    assert {claim.verdict for claim in claims.of_search(table)} == {Claim.FAILS}
    found = claims.of_search(dataclasses.replace(table, cut="they learned little"), "GRhino")
    assert {claim.verdict for claim in found} == {Claim.OPEN}
    assert [claim for claim in found if "weaker" in claim.text] == []  # no wonder
    assert "; but the paper's engine is Edax" in found[-1].reason


def test_shipped_networks_may_refute() -> None:
    shipped = Row.of(
        "imitation-0ply",
        {"average-white": Estimate.of_share(0.6, 2000)},
        facts={"training": {"shipped": True}},
    )
    table = Table({"imitation-0ply": shipped}, cut="others learned little")
    assert [claim.verdict for claim in claims.of_strength(table)] == [Claim.FAILS]


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
    standing = Table(table.rows, (), {"conv8": "conv4", "conv8-bn": "conv4-bn"})
    (claim,) = claims.of_regularisation(standing)
    assert claim.verdict == Claim.HOLDS
    assert claim.reason.startswith("conv4-bn less conv4: 3.0 (95%: 2.9 to 3.1)")


def test_legal_moves_are_counted() -> None:
    rows = {"conv8": {"vmoves": 99.999}}
    (claim,) = claims.of_legal_moves(table_of(rows, count=100_000))
    assert claim.verdict == Claim.FAILS
    assert claim.reason == "conv8: 1 of 100,000 choices are illegal"


def test_the_hardest_opponent_decides() -> None:
    def rate(value: float) -> dict[str, float]:
        return {"value": value, "low": value - 2, "high": value + 2, "count": 2000}

    for hardest, verdict in ((55.0, Claim.HOLDS), (51.0, Claim.OPEN), (40.0, Claim.FAILS)):
        met = {"a": rate(90.0), "b": rate(hardest)}
        row = Row.of("net", {}, facts={"winning_rates_white": met})
        (claim,) = claims.of_strength(Table({"net": row}))
        assert claim.verdict == verdict
        assert claim.reason.startswith("net, the least winning rate, against b")


@pytest.mark.parametrize(
    ("r2", "count", "slope", "verdict"),
    [
        (0.999, 20, 1.7, Claim.HOLDS),
        (0.9, 20, 1.7, Claim.FAILS),
        (0.99, 20, 1.7, Claim.OPEN),
        (1.0, 4, 1.7, Claim.OPEN),  # two points are always on a line
        (0.999, 20, -1.7, Claim.FAILS),
    ],
)
def test_points_on_a_line(r2: float, count: int, slope: float, verdict: str) -> None:
    points = [(57.0 + place, 80.0) for place in range(count)]
    found = claims.of_correlation("league", points, {"r2": r2, "slope": slope}, "")
    assert found.verdict == verdict
    cut = claims.of_correlation("league", points, {"r2": r2, "slope": slope}, "little was learned")
    assert cut.verdict == (Claim.OPEN if verdict == Claim.FAILS else verdict)


def test_a_line_needs_two_places_each_way() -> None:
    assert strength.fit([(1.0, 2.0), (1.0, 3.0)]) is None
    assert strength.fit([(1.0, 2.0), (2.0, 2.0)]) is None
    fitted = strength.fit([(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)])
    assert fitted == pytest.approx({"slope": 2.0, "intercept": 0.0, "r2": 1.0}, abs=1e-9)


def test_help_in_stages() -> None:
    def rates(*values: float) -> dict[str, Estimate]:
        return {
            str(depth): Estimate(value, value - 1, value + 1, 200)
            for depth, value in enumerate(values, 2)
        }

    alone = rates(60.0, 35.0, 20.0)
    rising = {"1-15": rates(62.0, 41.0, 21.0), "46-60": rates(70.0, 60.0, 30.0)}
    found = claims.of_stages("net", alone, rising, "")
    assert [claim.verdict for claim in found] == [Claim.HOLDS] * 3
    assert found[0].reason.startswith("net, the least gain, moves 1-15: 3.0")
    # What both stages are compared with is no part of their difference.
    assert found[1].reason.startswith("net, gain of moves 46-60 less that of 1-15: 12.0 (95%: 11.2")
    falling = {"1-15": rates(90.0, 36.0, 25.0), "46-60": rates(40.0, 30.0, 10.0)}
    assert [c.verdict for c in claims.of_stages("net", alone, falling, "")] == [Claim.FAILS] * 3
    assert {c.verdict for c in claims.of_stages("net", alone, falling, "cut")} == {Claim.OPEN}
    one_depth = {"3": alone["3"]}
    assert len(claims.of_stages("net", one_depth, {"46-60": rates(0.0, 40.0)}, "")) == 1


def test_the_course_of_the_game() -> None:
    rows = {"6-15": {"top1": 50.0}, "16-30": {"top1": 60.0}, "31-45": {"top1": 10.0}}
    assert [claim.verdict for claim in claims.of_course(table_of(rows))] == [Claim.HOLDS]
    assert [c.verdict for c in claims.of_course(table_of(rows, sign=-1))] == [Claim.FAILS]
    assert claims.of_course(table_of({})) == []


def test_the_mean_of_gains_may_be_negative() -> None:
    mean = Estimate.mean_gain([Estimate(-4.0, -7.0, -1.0, 10), Estimate(-2.0, -6.0, 2.0, 10)])
    assert (mean.value, mean.count) == (-3.0, 20)
    assert (mean.low, mean.high) == (-5.5, -0.5)
