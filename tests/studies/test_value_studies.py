"""Value studies: the figures of games, and the papers' figures beside ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from outflank.learn.value.sets import States
from outflank.studies import studies
from outflank.studies.doubts import ONCE
from outflank.studies.estimate import Estimate
from outflank.studies.result import Claim, Result, Row
from outflank.studies.value.claims import (
    judge_figure_12,
    judge_table_1,
    judge_table_2,
    judge_table_4,
)
from outflank.studies.value.networks import EFFORTS, sets_to_test, some_of
from outflank.studies.value.play import PlayConfig, bouts, judge_play
from outflank.studies.value.printed import TABLE_1, TABLE_2, TABLE_3, TABLE_4, label_of
from outflank.studies.value.seven_sets import SevenSetsConfig, judge_seven_sets
from outflank.studies.value.tables import Table, Trainings, _leaks, unseen_years

NAMES = [
    *(f"value-table-{number}" for number in range(1, 5)),
    "value-figure-12",
    "value-style",
    "value-play",
    "value-seven-sets",
]


def test_all_31_networks_and_the_final_three_are_there() -> None:
    assert set(NAMES) <= studies().keys()
    numbers = {*TABLE_1, *TABLE_2, *TABLE_3} - {"/"}
    assert numbers == {str(number) for number in range(1, 32)}
    assert set(TABLE_4) == {"13", "final_network1", "final_network2", "final_network3"}
    assert TABLE_1["13"][1:] == (0.7191, 0.6542)
    assert TABLE_4["final_network2"][1] == 0.6608


def test_labels_say_what_networks_are_like() -> None:
    tables = {**TABLE_1, **TABLE_2, **TABLE_3, **TABLE_4}
    labels = [label_of(name, changes) for name, (changes, _, _) in tables.items()]
    for label in (
        "network /: border, 512 units, dropout 0.3",
        "network 7: corners, 1024 units, dropout 0.4",
        "network 15: corners and moves, 1024 units, dropout 0 and 0.4",
        "network 31: 1 convolution, 3 layers",
        "final_network2: sets 1 to 7",
    ):
        assert label in labels
    assert len({label.partition(": ")[2] for label in labels}) == len(labels)


def test_the_papers_scale_is_the_papers() -> None:
    config = EFFORTS["paper"].config(dict(TABLE_1["13"][0]), "1977-2015")
    assert (config.learning_rate, config.momentum, config.batch) == (0.001, 0.9, 5)
    assert (config.nodes, config.dense_dropout, config.patience) == (512, 0.3, 5)
    assert (config.rate_decay, config.states, config.held_out) == (0.001 / 500, 0, 0.2)
    assert EFFORTS["paper"].config(dict(TABLE_1["1"][0]), "").nodes == 1024


def trainings(network: str, *errors: float, unseen: float | None = None) -> Trainings:
    found = [Estimate(error, error - 0.001, error + 0.001, 500) for error in errors]
    columns = {"test": found, "training": found}
    if unseen is not None:
        columns["unseen"] = [Estimate(unseen, unseen, unseen, 10)]
    return Trainings(network, f"network {network}", columns, [{"training": e} for e in errors])


def test_intervals_cover_the_chance_in_training() -> None:
    """Two groups of two with a spread of 0.02 each: a standard deviation of 0.01 times root two."""
    equal = Table([trainings("13", 0.71, 0.73), trainings("5", 0.75, 0.77)])
    first, second = equal.networks
    found = equal.figure(first, "test")
    margin = 4.303 * 0.01 * 2**0.5 / 2**0.5  # two degrees of freedom
    assert found.value == pytest.approx(0.72)
    assert found.count == 1000
    assert found.high - found.value == pytest.approx(margin)
    gain = equal.figure(second, "test").gain(found)
    assert gain.value == pytest.approx(0.04)
    assert gain.high - gain.value == pytest.approx(margin * 2**0.5)
    whole = Table([trainings("13", 0.70)])
    assert whole.figure(whole.networks[0], "test").low == pytest.approx(0.699)
    rows = [*equal.rows(TABLE_1), *whole.rows(TABLE_1)]
    assert [row.values["test"] for row in rows] == [pytest.approx(e) for e in (0.72, 0.76, 0.70)]


def test_a_network_that_learned_nothing_widens_no_other_interval() -> None:
    calm = [trainings("13", 0.71, 0.73), trainings("5", 0.75, 0.77)]
    alone = Table(calm).figure(calm[0], "test")
    beside = Table([*calm, trainings("3", 0.75, 1.05)])
    assert beside.figure(calm[0], "test") == alone
    assert beside.figure(beside.networks[2], "test").margin > 1


def test_what_knowing_the_games_is_worth() -> None:
    usual, last = (
        trainings("13", 0.71, unseen=0.69), trainings("final_network2", 0.66, unseen=0.68)
    )  # fmt: skip
    (note,) = _leaks(Table([usual, last]))
    assert "0.0500 below that of network 13 on the test sets and 0.0100 below" in note
    assert "0.0400 come from knowing the games" in note
    assert not list(_leaks(Table([usual])))


def test_no_network_is_tested_on_sets_that_it_learned_from() -> None:
    whole = EFFORTS["paper"]
    usual, last = (whole.config(dict(TABLE_4[n][0]), "") for n in ("13", "final_network2"))
    assert sets_to_test(usual, 6) == [2, 3, 4, 5, 6, 7]
    assert sets_to_test(last, 6) == [8, 9, 10, 11, 12, 13]


def test_all_sets_have_more_states_at_every_scale() -> None:
    laptop = EFFORTS["laptop"]
    usual, last = (laptop.config(dict(TABLE_4[n][0]), "") for n in ("13", "final_network2"))
    assert last.states == 7 * usual.states == 210_000


def test_games_that_networks_learned_from_are_not_unseen() -> None:
    assert unseen_years("2016-2020", "1977-2015") == "2016-2020"
    assert unseen_years("2016-2020", "1977-2018") == "2019-2020"
    assert unseen_years("2016-2020", "2018") == "2019-2020"
    assert unseen_years("2016-2020", "1977-2020") == ""
    assert unseen_years("", "1977-2015") == ""


def test_states_to_test_with_are_of_all_games() -> None:
    numbers = np.arange(1000)
    states = States(
        numbers.astype(np.uint64), numbers.astype(np.uint64), numbers.astype(np.float32),
        numbers.astype(np.uint32),
    )  # fmt: skip
    some = some_of(states, 100)
    assert len(set(some.game)) == 100
    assert 400 < some.game.mean() < 600
    assert some_of(states, 0) is states


def result_of(study: str, *rows: Row) -> Result:
    return Result(
        study, 2, study, "laptop", {"effort": {"states": 0}}, (), rows, (), None, "", 1.0, {}, ""
    )


def row_of(
    name: str,
    error: float,
    *,
    margin: float = 0.001,
    count: int = 2,
    training: float = 0.7,
    difference: float = 0.0,
    unseen: float | None = None,
) -> Row:
    def around(value: float) -> Estimate:
        return Estimate(value, value - margin, value + margin, 100)

    figures = {"test": around(error), "difference": around(difference)}
    if unseen is not None:
        figures["unseen"] = around(unseen)
    facts = {"network": name, "trainings": [{"training": training}] * count}
    return Row.of(f"network {name}", dict(figures), facts=facts)


def verdicts(claims: list[Claim]) -> dict[str, str]:
    return {claim.text: claim.verdict for claim in claims}


def test_features_are_judged_by_all_pairs() -> None:
    rows = [row_of("/", 0.75), row_of("5", 0.73), row_of("13", 0.74),
            row_of("1", 0.76), row_of("6", 0.74), row_of("11", 0.73)]  # fmt: skip
    found = verdicts(judge_table_1(result_of("value-table-1", *rows)))
    assert found["corners as a feature lower the error"] == Claim.HOLDS
    assert found["legal moves as a feature lower it further"] == Claim.OPEN  # one way and the other
    assert found["corners and legal moves together lower it"] == Claim.HOLDS
    assert found["no network is better than network 13"] == Claim.FAILS
    assert found["more units mean a lower error"] == Claim.FAILS


def test_that_13_is_best_needs_all_networks() -> None:
    rows = [row_of(name, 0.75) for name in ("/", "5", "11")] + [row_of("13", 0.74)]
    whole = [
        replace(row, label=f"{row.label}, trained as in the paper")
        for row in (rows[0], rows[1], rows[3])
    ]
    text = "no network is better than network 13"
    found = {one.text: one for one in judge_table_1(result_of("value-table-1", *rows, *whole))}
    assert found[text].verdict == Claim.HOLDS
    assert found[f"{text}, trained as in the paper"].verdict == Claim.OPEN
    assert "only 2 of 3 others were trained so" in found[f"{text}, trained as in the paper"].reason


def test_a_single_training_decides_nothing() -> None:
    rows = [row_of("5", 0.73, count=1), row_of("13", 0.70, count=1)]
    claims = judge_table_1(result_of("value-table-1", *rows))
    assert claims
    assert {claim.verdict for claim in claims} == {Claim.OPEN}
    assert all(claim.reason.endswith(ONCE) for claim in claims)


def test_networks_that_learned_nothing_are_no_evidence() -> None:
    rows = [row_of("5", 0.73), row_of("13", 0.72), row_of("8", 0.96, training=0.95),
            row_of("12", 0.73)]  # fmt: skip
    (claim,) = [one for one in judge_table_1(result_of("value-table-1", *rows))
                if "legal moves as a feature" in one.text]  # fmt: skip
    assert claim.verdict == Claim.HOLDS
    assert claim.reason.startswith("error, 13 less 5; without pairs")
    alone = judge_table_1(result_of("value-table-1", *rows[2:]))
    assert alone[0].verdict == Claim.OPEN


def test_that_none_is_better_takes_all_intervals() -> None:
    def judged(*errors: float, margin: float = 0.001) -> str:
        rows = [row_of("13", 0.72, margin=0.0)]
        rows += [row_of(str(20 + i), error, margin=margin) for i, error in enumerate(errors)]
        (claim,) = judge_table_2(result_of("value-table-2", *rows))
        return claim.verdict

    assert judged(0.73, 0.74) == Claim.HOLDS
    assert judged(0.73, 0.7205) == Claim.OPEN
    assert judged(0.73, 0.71) == Claim.FAILS
    assert judged(0.717, margin=0.0028) == Claim.FAILS
    # Of nineteen networks one may well be this low by chance.
    assert judged(0.717, *[0.73] * 18, margin=0.0028) == Claim.OPEN


def test_all_sets_together() -> None:
    rows = [row_of("13", 0.71, difference=-0.03, unseen=0.69),
            row_of("final_network2", 0.66, difference=-0.12, unseen=0.69)]  # fmt: skip
    found = list(verdicts(judge_table_4(result_of("value-table-4", *rows))).values())
    assert found == [Claim.HOLDS, Claim.HOLDS, Claim.OPEN]


def test_seven_sets_are_judged_by_the_papers_error() -> None:
    def judged(error: float, count: int = 2) -> Claim:
        row = replace(row_of("final_network2", error, count=count), paper={"test": 0.6608})
        (claim,) = judge_seven_sets(result_of("value-seven-sets", row))
        return claim

    errors = (0.6590, 0.6600, 0.6610, 0.6620)
    assert [judged(error).verdict for error in errors] == [
        Claim.HOLDS, Claim.OPEN, Claim.OPEN, Claim.FAILS
    ]  # fmt: skip
    assert judged(0.65, count=1).verdict == Claim.OPEN
    assert judged(0.65, count=1).reason.endswith(ONCE)


def test_seven_sets_differ_from_ngs_network_in_dropout_alone() -> None:
    config = studies()["value-seven-sets"].scales["laptop"]
    assert isinstance(config, SevenSetsConfig)
    printed = config.effort.config(dict(TABLE_4["final_network2"][0]), "1977-2015")
    for changes in config.variants.values():
        assert set(changes) <= {"conv_dropout", "dense_dropout"}
        changed = config.effort.config({**TABLE_4["final_network2"][0], **changes}, "1977-2015")
        assert changed.conv_dropout == 0
        assert replace(
            changed, conv_dropout=printed.conv_dropout, dense_dropout=printed.dense_dropout
        ) == printed  # fmt: skip


def test_figure_12() -> None:
    def judged(*errors: float) -> list[str]:
        values = {f"set-{number}": error for number, error in enumerate(errors, 1)}
        values["others"] = sum(errors[1:]) / len(errors[1:])
        claims = judge_figure_12(result_of("value-figure-12", Row("network 5", values)))
        return [claim.verdict for claim in claims]

    assert judged(0.69, 0.731, 0.733) == [Claim.HOLDS, Claim.HOLDS]
    assert judged(0.69, 0.71, 0.733) == [Claim.FAILS, Claim.HOLDS]
    assert judged(0.73, 0.731, 0.733) == [Claim.HOLDS, Claim.FAILS]


def test_matches_are_judged_by_their_bars() -> None:
    def judged(least: float, low: float, high: float) -> str:
        rate = Estimate((low + high) / 2, low, high, 200)
        row = Row.of("a match", {"winning": rate}, facts={"claim": "it wins", "least": least})
        (claim,) = judge_play(result_of("value-play", row))
        return claim.verdict

    assert [judged(80, *ends) for ends in ((80, 95), (79, 95), (60, 79))] == [
        Claim.HOLDS, Claim.OPEN, Claim.FAILS
    ]  # fmt: skip
    assert [judged(50, *ends) for ends in ((50, 60), (51, 60), (40, 50))] == [
        Claim.OPEN, Claim.HOLDS, Claim.FAILS
    ]  # fmt: skip


def test_matches_at_the_scale_laptop() -> None:
    config = studies()["value-play"].scales["laptop"]
    assert isinstance(config, PlayConfig)
    (first, *_, last) = bouts(config)
    assert (first.first, first.second, first.least) == (
        "alphabeta:net=value-fast,time=500ms", "alphabeta:net=value-ng,time=500ms", 80,
    )  # fmt: skip
    assert config.games == 200
    assert last.first == last.second + ",ponder=yes"
    assert last.alone
