"""Winning rates, Elo ratings and their intervals."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from outflank.arena.ratings import Bouts, Rating, rate, rate_beside, rate_newcomer
from outflank.arena.results import PairResult, Score, mean_of_pairs, winning_rate_interval

Floats = NDArray[np.float64]


def bouts_of(results: list[tuple[int, int, float, int]]) -> Bouts:
    """Bouts from (first, second, points of the first, games)."""
    first, second, points, games = zip(*results, strict=True)
    return Bouts(np.array(first), np.array(second), np.array(points, np.float64), np.array(games))


def simulate(
    elo: list[float], openings: int, random: np.random.Generator, kind: str = "independent"
) -> Bouts:
    """A round robin of players of known strength; kind: how the games of an opening hang together.

    alike: both games of an opening end alike. draws: as many draws as the strengths allow.
    """
    results = []
    for first, second in itertools.combinations(range(len(elo)), 2):
        chance = 1 / (1 + 10 ** ((elo[second] - elo[first]) / 400))
        luck = random.random((openings, 2))
        if kind == "alike":
            luck[:, 1] = luck[:, 0]
        drawn = min(chance, 1 - chance) if kind == "draws" else 0.0
        points = np.where(
            luck < chance - drawn / 2, 1.0, np.where(luck < chance + drawn / 2, 0.5, 0)
        )
        results += [(first, second, float(sum(pair)), 2) for pair in points]
    return bouts_of(results)


def log_likelihood(elo: tuple[float, ...], bouts: Bouts) -> float:
    """Game by game as the model says it, with a draw against an average player for each."""
    total = 0.0
    for first, second, points, games in zip(
        bouts.first, bouts.second, bouts.points, bouts.games, strict=True
    ):
        chance = 1 / (1 + 10 ** ((elo[second] - elo[first]) / 400))
        total += points * math.log(chance) + (games - points) * math.log(1 - chance)
    for strength in elo:
        chance = 1 / (1 + 10 ** (-strength / 400))
        total += 0.5 * math.log(chance) + 0.5 * math.log(1 - chance)
    return total


@pytest.mark.parametrize(
    "results",
    [
        [(0, 1, 1.5, 2), (0, 1, 1.0, 2), (0, 1, 2.0, 2)],
        [(0, 1, 2.0, 2), (1, 2, 1.0, 2), (0, 2, 0.5, 2), (2, 0, 0.0, 1)],
        [(0, 1, 2.0, 2), (0, 2, 2.0, 2), (1, 2, 2.0, 2)],  # everybody won or lost everything
    ],
)
def test_ratings_are_the_most_likely_ones(results: list[tuple[int, int, float, int]]) -> None:
    """Against brute force: finer and finer grids around the best so far."""
    bouts = bouts_of(results)
    count = 1 + max(max(first, second) for first, second, *_ in results)
    best = (0.0,) * count
    width = 400.0
    while width > 0.01:
        steps = [(-width, 0.0, width)] * count
        grid = [
            tuple(a + b for a, b in zip(best, step, strict=True))
            for step in itertools.product(*steps)
        ]
        better = max(grid, key=lambda elo: log_likelihood(elo, bouts))
        width = width if better != best else width / 2
        best = better
    found = [rating.elo for rating in rate(bouts, count)]
    assert found == pytest.approx([elo - sum(best) / count for elo in best], abs=0.5)


@pytest.mark.parametrize("kind", ["independent", "alike", "draws"])
def test_known_strengths_are_found_again(kind: str) -> None:
    elo = [-400.0, -100.0, 50.0, 150.0, 300.0]
    found = rate(simulate(elo, 5000, np.random.default_rng(1), kind), 5)
    assert [rating.elo for rating in found] == pytest.approx(elo, abs=15)


@pytest.mark.parametrize("kind", ["independent", "alike", "draws"])
@pytest.mark.parametrize(
    ("elo", "openings"), [([-60.0, 60.0], 10), ([-300.0, -50.0, 100.0, 250.0], 25)]
)
def test_intervals_hold_the_truth_in_95_of_100_cases(
    elo: list[float], openings: int, kind: str
) -> None:
    """Of 300 tournaments; by chance alone, a share of 0.95 comes out above 0.91."""
    random = np.random.default_rng(2)
    held = np.array(
        [
            [
                rating.low <= truth <= rating.high
                for rating, truth in zip(
                    rate(simulate(elo, openings, random, kind), len(elo)), elo, strict=True
                )
            ]
            for _ in range(300)
        ]
    )
    assert held.mean(axis=0).min() > 0.91


def test_intervals_are_no_wider_than_they_must_be() -> None:
    """Two equal players, n independent games: the error of their difference is known."""
    (rating, _) = rate(simulate([0.0, 0.0], 500, np.random.default_rng(3)), 2)
    expected = 1.96 * (400 / math.log(10)) * math.sqrt(4 / 1000) / 2
    assert (rating.high - rating.low) / 2 == pytest.approx(expected, rel=0.1)


def test_draws_make_intervals_narrower_and_games_that_end_alike_wider() -> None:
    widths = {}
    for kind in ("independent", "alike", "draws"):
        (rating, _) = rate(simulate([0.0, 0.0], 500, np.random.default_rng(3), kind), 2)
        widths[kind] = rating.high - rating.low
    assert widths["draws"] < 0.8 * widths["independent"]
    assert widths["alike"] > 1.3 * widths["independent"]


def test_somebody_who_won_everything_has_a_rating() -> None:
    few = rate(bouts_of([(0, 1, 2.0, 2)] * 5), 2)
    many = rate(bouts_of([(0, 1, 2.0, 2)] * 500), 2)
    assert 0 < few[0].elo < many[0].elo < 2000
    assert few[0].low < few[0].elo < few[0].high
    loser = few[1].elo, few[1].low, few[1].high
    assert loser == pytest.approx((-few[0].elo, -few[0].high, -few[0].low))


def test_the_mean_or_the_anchor_is_zero() -> None:
    bouts = simulate([-200.0, 0.0, 300.0], 50, np.random.default_rng(4))
    free, anchored = rate(bouts, 3), rate(bouts, 3, anchor=0)
    assert sum(rating.elo for rating in free) == pytest.approx(0, abs=1e-6)
    assert anchored[0] == Rating(0.0, 0.0, 0.0)
    for a, b in zip(free, anchored, strict=True):
        assert b.elo - a.elo == pytest.approx(-free[0].elo)


def test_the_order_of_players_and_games_does_not_matter() -> None:
    bouts = simulate([-200.0, 0.0, 300.0], 20, np.random.default_rng(5))
    turned = Bouts(
        2 - bouts.second[::-1],
        2 - bouts.first[::-1],
        (bouts.games - bouts.points)[::-1],
        bouts.games[::-1],
    )
    for a, b in zip(rate(bouts, 3), rate(turned, 3)[::-1], strict=True):
        assert (a.elo, a.low, a.high) == pytest.approx((b.elo, b.low, b.high), abs=1e-6)


def test_players_without_games_and_strangers_are_rated_too() -> None:
    nobody = Bouts(*(np.array([], np.int64) for _ in range(4)))  # type: ignore[arg-type]
    assert [rating.elo for rating in rate(nobody, 3)] == [0, 0, 0]
    strangers = rate(bouts_of([(0, 1, 2.0, 2), (2, 3, 2.0, 2)]), 4)
    assert strangers[0].elo == pytest.approx(strangers[2].elo)
    assert strangers[0].low < strangers[1].elo


@pytest.mark.parametrize("openings", [10, 50, 200])
@pytest.mark.parametrize("kind", ["independent", "alike", "mostly split"])
@pytest.mark.parametrize("chance", [0.5, 0.9])
def test_winning_rate_intervals_hold_the_truth(openings: int, kind: str, chance: float) -> None:
    random = np.random.default_rng(6)
    held = 0
    for _ in range(500):
        if kind == "independent":
            pairs, truth = (random.random((openings, 2)) < chance).mean(axis=1), chance
        elif kind == "alike":
            pairs, truth = (random.random(openings) < chance).astype(np.float64), chance
        else:
            decided = random.random(openings) < 0.3
            pairs = np.where(decided, random.random(openings) < chance, 0.5).astype(np.float64)
            truth = 0.5 + 0.3 * (chance - 0.5)
        low, high = winning_rate_interval(pairs)
        held += low <= truth <= high
    assert held / 500 > 0.92


def test_a_winning_rate_interval_holds_the_rate_itself_and_stays_in_bounds() -> None:
    for openings in (1, 2, 10, 1000):
        for rate_ in (0.0, 0.25, 0.5, 1.0):
            low, high = winning_rate_interval(np.full(openings, rate_))
            assert 0 <= low <= rate_ <= high <= 1
            assert low < high
    low, high = winning_rate_interval(np.tile([0.0, 1.0], 5000))
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.005, 0.5 + 1.96 * 0.005), abs=1e-4)


def score(number: int, score: int, reason: str = "", **more: object) -> Score:
    return Score(number, score, reason, 1.0, 4.0, 10, 20, **more)  # type: ignore[arg-type]


def test_a_result_is_the_first_players() -> None:
    """The first player has black in even games."""
    games = [score(0, 10), score(1, 10), score(2, 0), score(3, -6), score(4, -64, "gone")]
    result = PairResult.of("a", "b", [*games, score(5, 4, moves="f5")])
    assert (result.games, result.wins, result.draws, result.losses) == (6, 2, 1, 3)
    assert result.winning_rate == 2.5 / 6
    assert (result.black_rate, result.white_rate) == (0.5, 1 / 3)
    assert result.discs == pytest.approx((10 - 10 + 0 + 6 - 4) / 5)  # without the lost by error
    assert result.seconds_per_move == pytest.approx((15 / 90, 15 / 90))
    assert [(error.number, error.player, error.reason) for error in result.errors] == [
        (4, "a", "gone")
    ]
    assert result.different == 3
    assert result.interval == winning_rate_interval(np.array([0.5, 0.75, 0.0]))


def test_the_winner_does_not_lose_by_the_others_error() -> None:
    result = PairResult.of("a", "b", [score(1, -64, "gone"), score(3, 64, "ill")])
    assert [error.player for error in result.errors] == ["b", "a"]


def test_a_result_without_games() -> None:
    result = PairResult.of("a", "b", [])
    assert (result.games, result.winning_rate, result.discs) == (0, None, None)
    assert result.interval[0] < 0.5 < result.interval[1]


def test_games_of_one_opening_are_one_observation() -> None:
    numbers, points = np.array([0, 1, 2, 7, 6]), np.array([1.0, 0.0, 1.0, 0.5, 0.0])
    assert mean_of_pairs(numbers, points).tolist() == [0.5, 1.0, 0.25]


def test_a_newcomer_among_players_whose_ratings_are_known() -> None:
    elo = np.array([0.0, 400.0, 800.0])
    games = np.full(3, 1000.0)
    points = games / (1 + 10 ** ((elo - 500.0) / 400))  # what a player of 500 makes of them
    found = rate_newcomer(points, games, elo)
    assert found.elo == pytest.approx(500.0, abs=1e-6)
    assert found.low < 480 < 520 < found.high
    fewer = rate_newcomer(points / 100, games / 100, elo)
    assert fewer.high - fewer.low == pytest.approx(10 * (found.high - found.low), rel=1e-6)
    for nothing in (np.zeros(3), games):
        with pytest.raises(ValueError, match="no rating"):
            rate_newcomer(nothing, games, elo)


def test_others_are_rated_beside_known_players() -> None:
    """As one newcomer is, if it is the only one; and all on the scale of the known."""
    truth = [0.0, 300.0, 600.0, 450.0, 700.0]
    bouts = simulate(truth, 400, np.random.default_rng(3))
    known = [0.0, 300.0, 600.0, None, None]
    found = rate_beside(bouts, known)
    assert found[:3] == [None] * 3  # theirs are known
    for elo, rating in zip(truth[3:], found[3:], strict=True):
        assert rating is not None
        assert rating.low < elo < rating.high
        assert rating.high - rating.low < 100
    shifted = rate_beside(bouts, [1000.0, 1300.0, 1600.0, None, None])
    for before, after in zip(found[3:], shifted[3:], strict=True):
        assert before is not None
        assert after is not None
        assert after.elo == pytest.approx(before.elo + 1000.0)


def test_nothing_is_known_of_players_apart() -> None:
    """Players whom no chain of games connects with a known one have no rating."""
    bouts = bouts_of([(0, 1, 1.5, 2), (1, 2, 1.0, 2), (3, 4, 2.0, 2)])
    found = rate_beside(bouts, [100.0, None, None, None, None])
    assert [rating is None for rating in found] == [True, False, False, True, True]
    assert rate_beside(bouts, [None] * 5) == [None] * 5
