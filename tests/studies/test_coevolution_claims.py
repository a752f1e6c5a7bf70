"""The claims of paper 4, judged on runs that went as the paper says, and on runs that did not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from outflank.evaluations.evolved import EvolvedNetwork
from outflank.learn.coevolution import Crew, first_parents, preset
from outflank.models import shipped_models
from outflank.studies import Claim, Estimate
from outflank.studies.coevolution.claims import (
    CLAIMS,
    IAGO,
    Metrics,
    Runs,
    at_the_end,
    judge,
    measure,
    shares,
)
from outflank.studies.coevolution.heredity import _strengths

GENERATIONS = 100
Beaten = Callable[[float], Sequence[int]]  # depths that ten parents beat, at a time from 0 to 1


def metrics_of(beaten: Beaten, top_won: Callable[[float], bool] = lambda t: False) -> Metrics:
    found: list[dict[str, Any]] = []
    for generation in range(GENERATIONS):
        t = generation / (GENERATIONS - 1)
        climbed = list(beaten(t))
        found.append(
            {
                "generation": generation + 1,
                "climbed": {"discs": climbed, IAGO: climbed},
                "winners": {"discs": {"4": sum(depths >= 2 for depths in climbed)}},
                "top_won": top_won(t),
                "points": 35.0,
            }
        )
    return found


def parents(*numbers: int) -> list[int]:
    """Of ten parents, how many beat 0, 1, 2 and 3 depths."""
    return [beaten for beaten, number in enumerate(numbers) for _ in range(number)]


def accelerating(t: float) -> list[int]:
    masters = round(1 + 8 * t * t)
    return parents(10 - masters, 0, 0, masters)


def staged(t: float) -> list[int]:
    if t < 0.4:
        return parents(3, 7, 0, 0)
    return parents(1, 2, 7, 0) if t < 0.8 else parents(1, 1, 1, 7)


def flat(_: float) -> list[int]:
    return parents(6, 2, 1, 1)


def to_novices(t: float) -> list[int]:
    novices = round(8 * t)
    return parents(10 - novices, novices, 0, 0)


def rough(share: float) -> Beaten:
    """Parents that rise and leap to and fro meanwhile; the more, the larger the share."""

    def beaten(t: float) -> list[int]:
        leap = round(share * 3) if round(t * (GENERATIONS - 1)) % 2 else 0
        number = round(1 + 5 * t) + leap
        return parents(10 - number, 0, 0, number)

    return beaten


def late_top(t: float) -> bool:
    return t > 0.7


AS_THE_PAPER_SAYS: dict[str, dict[str, Metrics]] = {
    "figure-3": {"paper": metrics_of(accelerating)},
    "figure-4": {"paper": metrics_of(accelerating, late_top)},
    "figure-5": {"paper": metrics_of(staged)},
    "figure-6": {"paper": metrics_of(staged)},
    "figure-9": {"paper": metrics_of(rough(1.0)), "fig-9": metrics_of(rough(0.0))},
    "figure-10": {"paper": metrics_of(staged), "fig-10": metrics_of(flat)},
    "figure-11": {"paper": metrics_of(staged), "fig-11": metrics_of(accelerating)},
    "figure-12": {
        "paper": metrics_of(accelerating),
        **{name: metrics_of(flat) for name in ("fig-12", "fixed", "fixed-small")},
    },
    "figure-13": {"paper": metrics_of(staged), "fig-13": metrics_of(lambda t: parents(3, 7, 0, 0))},
    "figure-14": {"paper": metrics_of(staged), "fig-14": metrics_of(flat)},
    "filters": {
        "paper": metrics_of(accelerating),
        "filter-50": metrics_of(to_novices),
        "filter-differential": metrics_of(to_novices),
        **{
            name: metrics_of(flat)
            for name in ("filter", "filter-30", "filter-40", "filter-cauchy", "filter-mean",
                         "filter-better")
        },
    },
}  # fmt: skip


def judged(name: str, runs: Runs) -> list[Claim]:
    return judge(name, measure(name, runs))


def test_all_figures_are_here() -> None:
    assert set(AS_THE_PAPER_SAYS) == set(CLAIMS)


@pytest.mark.parametrize("name", CLAIMS)
def test_what_went_as_the_paper_says_holds(name: str) -> None:
    runs = {variant: [metrics] * 3 for variant, metrics in AS_THE_PAPER_SAYS[name].items()}
    for claim in judged(name, runs):
        assert claim.verdict == Claim.HOLDS, claim


# Claims that something does not happen, or not much, hold where nothing happens.
NEGATIVE = ("hardly change", "does not help", "nor does the mean", "nor the better")


@pytest.mark.parametrize("name", CLAIMS)
def test_where_nothing_evolves_and_nothing_differs_no_claim_holds(name: str) -> None:
    runs = {variant: [metrics_of(flat)] * 3 for variant in AS_THE_PAPER_SAYS[name]}
    for claim in judged(name, runs):
        wanted = Claim.HOLDS if any(words in claim.text for words in NEGATIVE) else Claim.FAILS
        if "hardly beyond" in claim.text:  # the novice level, to which nobody came
            wanted = Claim.OPEN
        assert claim.verdict == wanted, claim


def test_beyond_the_novice_level_come_only_those_who_reached_it() -> None:
    for beaten, verdict in ((to_novices, Claim.HOLDS), (lambda t: parents(10, 0, 0, 0), Claim.OPEN),
                            (accelerating, Claim.FAILS)):  # fmt: skip
        runs = {variant: [metrics_of(beaten)] * 3 for variant in AS_THE_PAPER_SAYS["filters"]}
        told = [claim for claim in judged("filters", runs) if "hardly beyond" in claim.text]
        assert [claim.verdict for claim in told] == [verdict] * 2
    assert "it says nothing unless this holds: " not in told[0].reason


@pytest.mark.parametrize(
    ("change", "verdict"),
    [(4.9, Claim.HOLDS), (-4.9, Claim.HOLDS), (5.1, Claim.FAILS), (-5.1, Claim.FAILS)],
)
def test_points_that_fall_change_as_those_that_rise(change: float, verdict: str) -> None:
    metrics = metrics_of(flat)
    late = [{**line, "points": 35.0 + change} for line in metrics[50:]]
    claims = judged("figure-4", {"paper": [[*metrics[:50], *late]] * 3})
    assert [claim.verdict for claim in claims if "points" in claim.text] == [verdict]


def test_how_rough_a_curve_is() -> None:
    """Ten points to and fro around 30%, times the root of ten parents; a flat curve has none."""

    def leaping(t: float) -> list[int]:
        return parents(6, 0, 4, 0) if round(t * (GENERATIONS - 1)) % 2 else parents(8, 0, 2, 0)

    runs = {"paper": [metrics_of(leaping)] * 3, "fig-9": [metrics_of(flat)] * 3}
    found = measure("figure-9", runs)
    rough = next(one for what, one in found.items() if "root" in what)
    assert rough.value == pytest.approx(10 * np.sqrt(10), rel=0.1)


def test_the_first_parent_is_looked_at_in_the_last_fifth() -> None:
    metrics = metrics_of(flat, lambda t: t > 0.795)
    found = measure("figure-4", {"paper": [metrics] * 3})
    assert found["paper: percent of the generations"].value == 100
    metrics = metrics_of(flat, lambda t: t > 0.825)
    found = measure("figure-4", {"paper": [metrics] * 3})
    assert found["paper: percent of the generations"].value == 90


def test_changes_may_be_below_zero() -> None:
    """Runs in which parents forget what they knew: their rise and its acceleration are negative."""

    def forgotten(t: float) -> list[int]:
        masters = round(9 - 8 * t * t)
        return parents(10 - masters, 0, 0, masters)

    runs = {"paper": [metrics_of(forgotten)] * 3}
    for what, found in measure("figure-3", runs).items():
        assert found.low < 0, what
        assert found.low == found.value == found.high


def test_runs_that_differ_leave_it_open() -> None:
    runs = {"paper": [metrics_of(accelerating), metrics_of(flat), metrics_of(flat)]}
    (claim, *_) = judged("figure-3", runs)
    assert claim.verdict == Claim.OPEN
    assert "it would have to be at least 25" in claim.reason


def test_shares_and_their_end() -> None:
    metrics = metrics_of(staged)
    assert shares("novice", metrics)[0] == 0.7
    assert shares("intermediate", metrics)[50] == 0.7
    assert shares("discs-4", metrics)[-1] == 0.8
    assert at_the_end(shares("master", metrics)) == 0.7
    assert at_the_end(np.arange(100.0)) == 94.5


def test_who_lost_at_depth_2_may_still_beat_depth_4() -> None:
    metrics = metrics_of(flat)
    for line in metrics:
        line["winners"]["discs"]["4"] = 9
    assert shares("discs-4", metrics)[-1] == 0.2
    assert shares("all-4", metrics)[-1] == 0.9


def test_a_claim_has_one_bound() -> None:
    found = Estimate(0.0, 0.0, 0.0, 3)
    with pytest.raises(ValueError, match="without a bound"):
        Claim.judge("it rises", "rise", found)
    assert Claim.judge("it is more", "x", found, above=0.0).verdict == Claim.FAILS
    assert Claim.judge("it is no less", "x", found, least=0.0).verdict == Claim.HOLDS
    assert Claim.judge("it is no more", "x", found, most=0.0).verdict == Claim.HOLDS


def test_strength_against_random_networks() -> None:
    config = preset("paper")
    master = EvolvedNetwork.load(shipped_models()["evolved-master"].path)
    judges = first_parents(config).weights[:6]
    with Crew(config) as crew:
        strong, judge = _strengths(np.stack([master.weights, judges[0]]), judges, crew)
    assert strong > 0.8
    assert 0.1 < judge < 0.9
