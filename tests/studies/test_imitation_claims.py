"""The claims of paper 1, judged on its own figures, and on figures that say the opposite."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank import studies
from outflank.studies import Claim, Column, Estimate, Result, Row
from outflank.studies.doubts import ONCE, left_open
from outflank.studies.imitation import claims, strength
from outflank.studies.imitation.effort import EFFORTS
from outflank.studies.imitation.evidence import ENOUGH, Table

EXAMPLES = 2_000_000  # in the paper's test set of Unique-S
LITTLE = "they learned little"
PAPER = json.loads((Path(studies.__file__).parent / "papers.json").read_text())["1"]
Judge = Callable[[Table], Sequence[Claim]]
Figures = Mapping[str, Mapping[str, float]]


def table_of(
    rows: Figures, count: int = EXAMPLES, sign: int = 1, learned: int = ENOUGH, trainings: int = 3
) -> Table:
    """A table of ours with such figures; with another sign, those on the other side of 50%."""
    facts = {"training": {"examples": learned}, "trainings": trainings}
    figures = {
        name: {
            column: Estimate.of_share((50 + sign * (figure - 50)) / 100, count)
            for column, figure in row.items()
        }
        for name, row in rows.items()
    }
    return Table({name: Row.of(name, row, facts=facts) for name, row in figures.items()})


def printed(number: int) -> dict[str, dict[str, float]]:
    """A table as the paper prints it, without times."""
    table = PAPER[f"table-{number}"]
    return {
        name: {
            column: figure
            for column, figure in zip(table["columns"], figures, strict=True)
            if column != "time"
        }
        for name, figures in table["rows"].items()
    }


TABLES: dict[str, tuple[Figures, Judge, int]] = {
    "2": (printed(2), lambda t: claims.of_training_sets(t, "accuracy"), 12),
    "2, baseline": (printed(2), claims.of_baseline, 1),
    "3": (printed(3), claims.of_encodings, 5),
    "4": (printed(4), claims.of_legal_moves, 9),
    "5": (printed(5), claims.of_regularisation, 3),
    "6": (printed(6), claims.of_skip_connections, 6),
    "7": (printed(7), claims.of_strength, 1),
    "8": (printed(8), lambda t: claims.of_training_sets(t, "strength"), 12),
    "9": (printed(9), claims.of_search, 4),
}
# To stop at less than half a point either way can be true of both.
SPARED = ("plane of ones",)


@pytest.mark.parametrize("number", TABLES)
def test_the_papers_own_figures(number: str) -> None:
    rows, judge, count = TABLES[number]
    found = judge(table_of(rows))
    assert [claim.verdict for claim in found] == [Claim.HOLDS] * count


@pytest.mark.parametrize("number", TABLES)
def test_figures_that_say_the_opposite(number: str) -> None:
    rows, judge, count = TABLES[number]
    found = judge(table_of(rows, sign=-1))
    told = [claim for claim in found if not any(words in claim.text for words in SPARED)]
    spared = len(found) - len(told)
    assert [claim.verdict for claim in told] == [Claim.FAILS] * (count - spared)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("number", TABLES)
def test_networks_that_learned_little_settle_nothing(number: str, sign: int) -> None:
    """Neither what they show nor what they do not show."""
    rows, judge, count = TABLES[number]
    table = table_of(rows, sign=sign, learned=ENOUGH - 1)
    found = judge(dataclasses.replace(table, cut=LITTLE))
    if number in ("2", "8"):  # sets that were cut to one size are not even compared
        assert found == []
        return
    assert len(found) == count
    assert {claim.verdict for claim in found} == {Claim.OPEN}
    assert all(f"; but {LITTLE}" in claim.reason for claim in found)
    enough = dataclasses.replace(table_of(rows, sign=sign), cut=LITTLE)
    assert Claim.OPEN not in {claim.verdict for claim in judge(enough)}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("number", ["2", "3", "5", "6", "8"])
def test_one_training_of_each_settles_no_comparison(number: str, sign: int) -> None:
    rows, judge, count = TABLES[number]
    found = judge(table_of(rows, sign=sign, trainings=1))
    assert [claim.verdict for claim in found] == [Claim.OPEN] * count
    assert all(claim.reason.endswith(f"; but {ONCE}") for claim in found)
    twice = judge(table_of(rows, sign=sign, trainings=2))
    assert Claim.OPEN not in {claim.verdict for claim in twice}


def test_one_training_settles_what_compares_no_networks() -> None:
    for number in ("4", "7", "9"):
        rows, judge, count = TABLES[number]
        if number == "9":  # the engine's own accuracy is of no network
            rows = {depth: {"conv8-bn": row["conv8-bn"]} for depth, row in rows.items()}
            count = 2
        found = judge(table_of(rows, trainings=1))
        assert [claim.verdict for claim in found] == [Claim.HOLDS] * count


@pytest.mark.parametrize("sign", [1, -1])
def test_another_engine_settles_nothing(sign: int) -> None:
    rows, judge, count = TABLES["9"]
    table = dataclasses.replace(table_of(rows, sign=sign), doubt="it is another engine")
    found = judge(table)
    assert [claim.verdict for claim in found] == [Claim.OPEN] * count
    assert all(claim.reason.endswith("; but it is another engine") for claim in found)


def test_reasons_to_leave_a_claim_open() -> None:
    claim = Claim("it is so", Claim.HOLDS, "seen")
    assert left_open(claim, "", "") is claim
    found = left_open(claim, "one", "", "two", "one")
    assert (found.verdict, found.reason) == (Claim.OPEN, "seen; but one; and two")


def test_how_training_was_cut() -> None:
    assert EFFORTS["paper"].cut == ""
    assert EFFORTS["laptop"].cut == "networks learned from 100,000 examples, the paper's from all"


@pytest.mark.parametrize(
    ("number", "judge", "network", "column", "bound"),
    [
        ("4", claims.of_legal_moves, "conv4", "pieces", 99.9),
        ("7", claims.of_strength, "conv8-bn", "average-white", 90.0),
        ("9", claims.of_search, "2", "conv8-bn", 50.0),
        ("2, baseline", claims.of_baseline, "conv8", "unique-s", 53.0),
    ],
)
def test_the_bounds_of_shares(
    number: str, judge: Judge, network: str, column: str, bound: float
) -> None:
    """A hair's breadth on either side of a bound decides."""
    for step, verdict in ((0.02, Claim.HOLDS), (-0.02, Claim.FAILS)):
        table = table_of({network: {column: bound + step}}, count=1_000_000_000)
        assert [claim.verdict for claim in judge(table)] == [verdict], number


@pytest.mark.parametrize(
    ("judge", "more", "less", "bound"),
    [
        (claims.of_regularisation, ("conv8-bn", "accuracy"), ("conv8", "accuracy"), 2.0),
        (claims.of_regularisation, ("conv8", "accuracy"), ("conv8-dropout", "accuracy"), 0.0),
        (claims.of_skip_connections, ("resnet-32-np", "accuracy"), ("resnet-32", "accuracy"), 0.0),
        (claims.of_comparisons, ("conv4", "bn"), ("conv4", "plain"), 2.0),
        (claims.of_comparisons, ("conv4", "plain"), ("conv4", "dropout"), 0.0),
        (claims.of_comparisons, ("conv4", "mirrored"), ("conv4", "alone"), 0.0),
        (claims.of_comparisons, ("conv6", "plain"), ("conv4", "plain"), 0.0),
    ],
)
def test_the_bounds_of_gains(
    judge: Judge, more: tuple[str, str], less: tuple[str, str], bound: float
) -> None:
    for step, verdict in ((0.02, Claim.HOLDS), (-0.02, Claim.FAILS)):
        rows: dict[str, dict[str, float]] = {more[0]: {}, less[0]: {}}
        rows[more[0]][more[1]] = 50.0 + bound + step
        rows[less[0]][less[1]] = 50.0
        found = judge(table_of(rows, count=1_000_000_000))
        assert [claim.verdict for claim in found] == [verdict]


def test_ten_layers_may_not_be_better_at_all() -> None:
    for gain, verdict in ((-0.02, Claim.HOLDS), (0.02, Claim.FAILS)):
        rows = {"conv10": {"pieces": 60.0 + gain}, "conv8": {"pieces": 60.0}}
        (claim,) = claims.of_encodings(table_of(rows, count=1_000_000_000))
        assert claim.verdict == verdict


def test_a_plane_of_ones_changes_little_up_to_half_a_point() -> None:
    for gain, verdict in ((0.48, Claim.HOLDS), (-0.48, Claim.HOLDS), (0.52, Claim.FAILS),
                          (-0.52, Claim.FAILS)):  # fmt: skip
        rows = {"conv4": {"pieces": 60.0, "ones": 60.0 + gain}}
        (claim,) = claims.of_encodings(table_of(rows, count=1_000_000_000))
        assert claim.verdict == verdict


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
    found = judge(table_of(rows, count=100))
    assert {claim.verdict for claim in found} == {Claim.OPEN}
    assert not any(ONCE in claim.reason for claim in found)


@pytest.mark.parametrize("number", TABLES)
def test_what_was_not_measured_is_not_judged(number: str) -> None:
    _, judge, _ = TABLES[number]
    assert list(judge(Table({}))) == []
    assert list(judge(Table({"line": Row.of("line", {"accuracy": 60.0})}))) == []


def test_a_stand_in_is_judged_in_its_place() -> None:
    table = table_of({"conv4": {"accuracy": 50.0}, "conv4-bn": {"accuracy": 53.0}})
    assert claims.of_regularisation(table) == []
    standing = dataclasses.replace(table, stand_ins={"conv8": "conv4", "conv8-bn": "conv4-bn"})
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


def points_of(
    slope: float, scatter: float, count: int = 20, first: float = 57.0
) -> list[tuple[float, float]]:
    """Points from an accuracy on, a third of a point apart, now above a line and now below it."""
    places = [first + place / 3 for place in range(count)]
    return [(x, 90 + slope * (x - 57) + scatter * (-1) ** n) for n, x in enumerate(places)]


@pytest.mark.parametrize(
    ("slope", "scatter", "verdicts"),
    [
        (1.7, 0.05, (Claim.HOLDS, Claim.HOLDS)),
        (1.7, 3.0, (Claim.FAILS, Claim.OPEN)),
        (1.7, 0.37, (Claim.OPEN, Claim.HOLDS)),
        (2.2, 0.05, (Claim.HOLDS, Claim.FAILS)),
        (1.88, 0.01, (Claim.HOLDS, Claim.HOLDS)),
        (1.92, 0.01, (Claim.HOLDS, Claim.FAILS)),
        (1.48, 0.01, (Claim.HOLDS, Claim.FAILS)),
        (-1.7, 0.05, (Claim.FAILS, Claim.FAILS)),
    ],
)
def test_points_on_a_line(slope: float, scatter: float, verdicts: tuple[str, str]) -> None:
    points = points_of(slope, scatter, 18)  # all below 63%
    linear, rises, full = claims.of_correlation("league", points, "")
    assert (linear.verdict, rises.verdict) == verdicts
    assert (full.verdict, full.reason[:21]) == (Claim.OPEN, "0 networks beyond 63%")
    for doubts in ((LITTLE,), ("", "it is another engine")):
        found = claims.of_correlation("league", points, *doubts)
        assert {claim.verdict for claim in found} == {Claim.OPEN}


def test_the_line_against_the_engine_is_steeper() -> None:
    for slope, verdict in ((3.4, Claim.HOLDS), (1.7, Claim.FAILS)):
        _, rises, _ = claims.of_correlation("engine", points_of(slope, 0.05, 18), "")
        assert rises.verdict == verdict


@pytest.mark.parametrize(
    ("slope", "verdict"), [(0.0, Claim.HOLDS), (0.48, Claim.HOLDS), (0.52, Claim.FAILS)]
)
def test_where_accuracy_brings_no_more(slope: float, verdict: str) -> None:
    low, high = points_of(1.7, 0.01, 10), points_of(slope, 0.001, 5, 63.1)
    found = claims.of_correlation("league", low + high, "")
    assert found[-1].verdict == verdict
    assert "slope of 5 networks beyond 63%" in found[-1].reason
    found = claims.of_correlation("league", low + high[:4], "")
    assert (found[-1].verdict, found[-1].reason[:10]) == (Claim.OPEN, "4 networks")


@pytest.mark.parametrize("count", [2, 3, 4])
def test_few_networks_are_always_nearly_on_a_line(count: int) -> None:
    found = claims.of_correlation("league", points_of(1.7, 0.0, count), "")
    assert [claim.verdict for claim in found] == [Claim.OPEN] * 2
    linear, *_ = claims.of_correlation("league", points_of(1.7, 0.0, 5), "")
    assert linear.verdict == Claim.HOLDS


def test_the_slope_and_its_interval_are_those_of_the_textbook() -> None:
    # x = 0..4, y = 0, 1, 2, 3, 9: slope 2, residual sum of squares 10, so 2 +- 3.182 sqrt(10/3/10)
    found = claims._slope([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 9.0)])
    assert (found.value, found.margin) == pytest.approx((2.0, 3.182 * (1 / 3) ** 0.5))


def test_the_interval_of_r2_is_fishers() -> None:
    loose = [(0.0, 0.0), (1.0, 3.0), (2.0, 1.0), (3.0, 2.0), (4.0, 3.0)]
    r = float(np.corrcoef(np.array(loose).T)[0, 1])
    found = claims._determination(loose)
    assert (found.value, found.low) == pytest.approx((r * r, 0.0))  # its interval reaches zero
    assert found.high == pytest.approx(np.tanh(np.arctanh(r) + 1.96 / np.sqrt(2)) ** 2)
    close = [(float(x), x + 0.3 * (-1) ** x) for x in range(12)]
    r = float(np.corrcoef(np.array(close).T)[0, 1])
    found = claims._determination(close)
    assert found.low == pytest.approx(np.tanh(np.arctanh(r) - 1.96 / 3) ** 2)
    assert 0.9 < found.low < r * r < found.high < 1
    assert claims._determination([(x, -y) for x, y in close]).value == 0


def test_the_mean_of_samples_beside_each() -> None:
    def row(label: str, accuracy: float) -> Row:
        return Row.of(label, {"accuracy": Estimate.of_share(accuracy / 100, 50_000_000)})

    singles = [row(f"net, a, b, sample {n}", value) for n, value in enumerate((30.0, 32.0, 31.0))]
    others = [row("net, a, b", 90.0), row("nets, a, b, sample 1", 90.0)]
    (claim,) = claims.of_samples([*singles, *others, row("net+bagging, a, b", 32.0)], "")
    assert claim.verdict == Claim.OPEN
    # The standard deviation of three trainings is 1: 4.303 / sqrt(3) = 2.48 either way.
    assert "interval between trainings: 1.0 (95%: -1.5 to 3.5)" in claim.reason
    assert claims.of_samples([singles[0], row("net+bagging, a, b", 32.0)], "") == []


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
    for rates_of in (rising, falling):
        for doubts in (("cut",), ("", "engine"), ("cut", "engine")):
            found = claims.of_stages("net", alone, rates_of, *doubts)
            assert {claim.verdict for claim in found} == {Claim.OPEN}
    one_depth = {"3": alone["3"]}
    assert len(claims.of_stages("net", one_depth, {"46-60": rates(0.0, 40.0)}, "")) == 1


def test_the_course_of_the_game() -> None:
    def judged(*figures: float, **changes: Any) -> list[str]:
        stages = ("6-15", "16-30", "31-45", "46-60")[: len(figures)]
        rows = {stage: {"top1": figure} for stage, figure in zip(stages, figures, strict=True)}
        table = table_of(rows, trainings=1, **changes)
        table = dataclasses.replace(table, one_training=True, cut=LITTLE)
        return [claim.verdict for claim in claims.of_course(table)]

    assert judged(44.0, 54.1, 58.9, 54.5) == [Claim.HOLDS, Claim.HOLDS]
    assert judged(44.0, 54.1, 59.1, 74.7) == [Claim.HOLDS, Claim.FAILS]
    assert judged(44.0, 59.2, 53.9, 56.0) == [Claim.HOLDS, Claim.FAILS]
    assert judged(60.0, 50.0) == [Claim.FAILS]
    assert judged(44.0, 54.1, 74.7, learned=1000) == [Claim.OPEN, Claim.OPEN]
    assert judged() == []


def test_against_rl14() -> None:
    def rate(value: float) -> dict[str, float]:
        return {"value": value, "low": value - 0.01, "high": value + 0.01, "count": 2000}

    for value, verdict in ((93.92, Claim.HOLDS), (93.88, Claim.FAILS)):
        row = Row.of("conv8-bn", {}, facts={"winning_rates_white": {"rl14-iprefn": rate(value)}})
        *_, claim = claims.of_strength(Table({"conv8-bn": row}))
        assert ("RL14" in claim.text, claim.verdict) == (True, verdict)


def test_a_single_board() -> None:
    row = Row.of("conv8", {"time": 2.0, "single": 20.0})
    (claim,) = claims.of_single_boards(Table({"conv8": row, "line": row}))
    assert claim.verdict == Claim.OPEN
    assert claim.reason.startswith("conv8 10.0 times; but the paper's figures are of a GPU")
    assert claims.of_single_boards(Table({"conv8": Row.of("conv8", {"time": 2.0})})) == []


@pytest.mark.parametrize(
    ("training", "verdict"),
    [(60.9, Claim.HOLDS), (61.1, Claim.FAILS), (59.1, Claim.HOLDS), (58.9, Claim.FAILS)],
)
def test_training_and_test_accuracy(training: float, verdict: str) -> None:
    rows = {"conv8": {"accuracy": 60.0, "training": training}}
    (claim,) = claims.of_overfitting(table_of(rows, count=100_000_000, trainings=1))
    assert claim.verdict == verdict


def test_training_accuracy_that_was_not_measured() -> None:
    (claim,) = claims.of_overfitting(table_of({"conv8": {"accuracy": 60.0}}))
    assert claim.verdict == Claim.OPEN
    assert claim.reason == "conv8: the accuracy on its training set was not measured"


def test_rows_of_a_stored_result() -> None:
    rows = (
        Row.of("Conv4+BN", {"a": 1.0}),
        Row.of("Conv4+BN+bagging", {"a": 1.0}),
        Row.of("imitation-0ply", {"a": 1.0}),
        Row.of("imitation-fast (looks one move ahead)", {"a": 1.0}),
        Row.of("Conv8 (not trained)", {"a": 1.0}),
        Row.of("Conv6 (the paper's figures only)", {}, {"a": 1.0}),
        Row.of("Conv4, black to move", {"a": 1.0}),
    )
    config = {"effort": dataclasses.asdict(EFFORTS["laptop"])}
    result = Result(
        "x", 1, "", "laptop", config, (Column("a", "A"),), rows, (), None, "", 1.0, {}, ""
    )
    table = Table.of(result)
    assert list(table.rows) == [
        "conv4-bn", "conv4-bn+bagging", "imitation-0ply", "imitation-fast (looks one move ahead)",
    ]  # fmt: skip
    assert list(table.still().rows) == ["conv4-bn", "conv4-bn+bagging", "imitation-0ply"]
    assert (table.label("conv8-bn"), table.title("a")) == ("Conv4+BN", "A")
    assert table.cut == EFFORTS["laptop"].cut


def test_the_mean_of_gains_may_be_negative() -> None:
    mean = Estimate.mean_gain([Estimate(-4.0, -7.0, -1.0, 10), Estimate(-2.0, -6.0, 2.0, 10)])
    assert (mean.value, mean.count) == (-3.0, 20)
    assert (mean.low, mean.high) == (-5.5, -0.5)
