"""One generation: who varies how, who meets whom, who survives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from outflank.learn.coevolution import (
    CoevolutionConfig,
    Crew,
    Networks,
    Rival,
    contest,
    first_parents,
    offspring,
    preset,
    selection,
)
from outflank.learn.coevolution.contest import Games, GamesWork, Outcomes
from outflank.learn.coevolution.selection import (
    best_of_all,
    count_points,
    draw_openings,
    draw_pairings,
    hold_tournament,
    keep_better_children,
    select,
)

SMOKE = preset("smoke")


def test_the_first_parents_are_within_their_range_and_differ() -> None:
    parents = first_parents(preset("paper"))
    assert parents.weights.shape == parents.steps.shape == (10, 5900)
    assert np.abs(parents.weights).max() <= 0.2
    assert parents.weights.std() == pytest.approx(0.2 / np.sqrt(3), rel=0.02)
    assert (parents.steps == np.float32(0.05)).all()
    assert len(np.unique(parents.weights[:, 0])) == 10


def children_of(**settings: object) -> tuple[CoevolutionConfig, Networks, Networks]:
    config = replace(preset("paper"), **settings)  # type: ignore[arg-type]
    parents = first_parents(config)
    return config, parents, offspring(config, parents, 0)


def test_each_weight_has_its_own_step() -> None:
    config, parents, children = children_of()
    change = np.log(children.steps / parents.steps)
    assert change.std() == pytest.approx(config.tau, rel=0.02)
    assert change.mean() == pytest.approx(0, abs=0.002)
    # Changed by the new steps, not by the old ones.
    moved = (children.weights - parents.weights) / children.steps
    assert moved.std() == pytest.approx(1, rel=0.01)
    assert np.abs(np.corrcoef(moved.ravel(), change.ravel())[0, 1]) < 0.02
    assert children.parent.tolist() == parents.number.tolist()
    assert (children.born == 1).all()


def test_a_single_step_is_the_same_for_all_weights() -> None:
    _, parents, children = children_of(variation="single")
    change = children.steps / parents.steps
    assert np.ptp(change, axis=1).max() < 1e-6
    assert len(np.unique(change[:, 0])) == len(parents)


def test_fixed_steps_stay() -> None:
    _, parents, children = children_of(variation="fixed")
    assert np.array_equal(children.steps, parents.steps)
    assert (children.weights - parents.weights).std() == pytest.approx(0.05, rel=0.02)


@pytest.mark.parametrize(("variation", "share"), [("cauchy", 0.2048), ("mean", 0.1082)])
def test_heavy_tails(variation: str, share: float) -> None:
    """How often a weight goes further than three of its steps: 0.27% with Gauss."""
    _, parents, children = children_of(variation=variation)
    far = np.abs(children.weights - parents.weights) > 3 * children.steps
    if variation == "mean":
        # Of 0.5 (N + C): by numerical integration over N.
        normal = np.linspace(-8, 8, 4001)
        density = np.exp(-(normal**2) / 2) / np.sqrt(2 * np.pi)
        tail = 1 - (np.arctan(6 - normal) - np.arctan(-6 - normal)) / np.pi
        assert float(np.trapezoid(density * tail, normal)) == pytest.approx(share, abs=1e-4)
    assert far.mean() == pytest.approx(share, abs=0.006)


def test_differences_of_two_other_parents() -> None:
    config, parents, children = children_of(variation="differential", scale=0.7)
    for own, child in enumerate(children.weights):
        difference = (child - parents.weights[own]) / np.float32(config.scale)
        fits = [
            (a, b)
            for a in range(10)
            for b in range(10)
            if np.allclose(difference, parents.weights[a] - parents.weights[b], atol=1e-6)
        ]
        assert len(fits) == 1
        assert own not in fits[0]
        assert fits[0][0] != fits[0][1]


def test_two_children_of_which_the_better_stays() -> None:
    config, parents, children = children_of(variation="better", population=8, opponents=3)
    assert len(children) == 2 * len(parents)
    with Crew(config) as crew:
        kept = keep_better_children(config, children, crew)
        assert kept.parent.tolist() == parents.number.tolist()
        for place, number in enumerate(kept.number.tolist()):
            pair = np.array([place, place + len(parents)])
            black = np.array([0, 1], np.int32)
            ahead = crew.play(Games(children.weights[pair], black, black[::-1].copy()))
            balance = np.sign(ahead[0]) - np.sign(ahead[1])
            assert number == children.number[pair[0 if balance >= 0 else 1]]


def test_no_two_networks_have_the_same_number() -> None:
    numbers: list[int] = []
    for variation in ("each", "better"):
        config = replace(SMOKE, variation=variation)
        parents = first_parents(config)
        numbers = parents.number.tolist()
        for generation in range(3):
            numbers += offspring(config, parents, generation).number.tolist()
        assert len(set(numbers)) == len(numbers)


def test_everyone_is_black_against_different_others() -> None:
    config = preset("paper")
    seen = set()
    for generation in range(20):
        black, white = draw_pairings(config, 20, generation)
        assert np.bincount(black).tolist() == [5] * 20
        assert (black != white).all()
        for own in range(20):
            assert len(set(white[black == own].tolist())) == 5
        seen.add(tuple(white.tolist()))
    assert len(seen) == 20  # drawn anew in each generation


def test_with_both_colours_every_game_has_its_return() -> None:
    config = replace(SMOKE, both_colours=True, opening=4)
    black, white = draw_pairings(config, 8, 0)
    once, others = draw_pairings(SMOKE, 8, 0)
    half = len(once)
    assert (black[:half].tolist(), white[:half].tolist()) == (once.tolist(), others.tolist())
    assert (black[half:].tolist(), white[half:].tolist()) == (others.tolist(), once.tolist())
    openings = draw_openings(config, len(black), 0)
    assert openings is not None
    assert np.array_equal(openings[:half], openings[half:])
    drawn = draw_openings(replace(SMOKE, opening=4), half, 0)
    assert drawn is not None
    assert np.array_equal(openings[:half], drawn)


@pytest.mark.parametrize("both_colours", [False, True])
def test_in_a_balanced_tournament_all_play_the_same_openings_with_both_colours(
    both_colours: bool,
) -> None:
    config = preset("paper").with_settings(["balanced=yes", "opening=4", "opponents=6"])
    config = replace(config, both_colours=both_colours)
    seen = set()
    for generation in range(5):
        black, white = draw_pairings(config, 20, generation)
        openings = draw_openings(config, len(black), generation)
        assert openings is not None
        games = 12 if both_colours else 6
        for own in range(20):
            others = white[black == own].tolist()
            assert own not in others
            assert len(others) == games
            assert len(set(others[:6])) == 6
            as_black, as_white = (
                sorted(map(tuple, openings[side == own].tolist())) for side in (black, white)
            )
            assert as_black == as_white
        assert len({tuple(opening) for opening in openings.tolist()}) in (
            5,
            6,
        )  # one may come twice
        seen.add((tuple(black.tolist()), tuple(white.tolist())))
    assert len(seen) == 5


def test_clones_get_the_same_points_in_a_balanced_tournament() -> None:
    """In the paper's, chance decides how many games each of them plays."""
    config = replace(SMOKE, opening=4)
    clones = first_parents(replace(SMOKE, population=16)).take(np.zeros(8, np.int64))
    with Crew(config) as crew:
        drawn = hold_tournament(config, clones, 0, crew)
        alike = hold_tournament(replace(config, balanced=True), clones, 0, crew)
    assert len(set(alike.points.tolist())) == 1
    assert len(set(drawn.points.tolist())) > 1


def test_clones_play_one_game() -> None:
    strangers = first_parents(replace(SMOKE, population=16))
    clones = strangers.take(np.zeros(8, np.int64))
    with Crew(SMOKE) as crew:
        among = hold_tournament(SMOKE, strangers, 0, crew)
        alike = hold_tournament(SMOKE, clones, 0, crew)
    assert alike.distinct_games == 1 / 24
    assert 0.5 < among.distinct_games <= 1
    assert alike.draws in (0.0, 1.0)


def test_a_tournament_may_have_more_games_than_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As with a population of 10,000."""
    everyone = first_parents(replace(SMOKE, population=16))
    with Crew(SMOKE) as crew:
        wanted = hold_tournament(SMOKE, everyone, 0, crew)
    monkeypatch.setattr(contest, "_MOST_REMEMBERED", 5)
    with Crew(SMOKE) as crew:
        found = hold_tournament(SMOKE, everyone, 0, crew)
    assert found.distinct_games == wanted.distinct_games
    assert found.points.tolist() == wanted.points.tolist()


def test_points_go_to_both_sides() -> None:
    black, white = np.array([0, 0, 1], np.int32), np.array([1, 2, 2], np.int32)
    points = count_points(preset("paper"), 3, black, white, np.array([12, 0, -2], np.int32))
    assert points.tolist() == [6, 0, 6]


def test_those_with_the_most_points_survive() -> None:
    everyone = first_parents(replace(SMOKE, population=16))
    with Crew(SMOKE) as crew:
        parents, points, contest = select(SMOKE, everyone, 3, crew)
        black, white = draw_pairings(SMOKE, 8, 3)
        scores = crew.play(Games(everyone.weights, black, white))
    every = count_points(SMOKE, 8, black, white, scores)
    assert points.tolist() == sorted(every, reverse=True)[:4]
    assert every[parents.number].tolist() == points.tolist()
    assert contest.points.tolist() == every.tolist()


def test_the_best_of_all_is_kept() -> None:
    everyone = first_parents(replace(SMOKE, population=16))
    config = replace(SMOKE, keep_best=True)
    with Crew(config) as crew:
        best = best_of_all(config, everyone.weights, 0, crew)
        kept, *_ = select(config, everyone, 3, crew)
        others, *_ = select(SMOKE, everyone, 3, crew)
    assert kept.number[-1] == best
    assert kept.number[:-1].tolist() == others.number[:-1].tolist()


def test_the_best_of_all_is_there_twice_if_it_survived_as_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Figure 13: a second copy, not the same one in its own place."""
    everyone = first_parents(replace(SMOKE, population=16))
    config = replace(SMOKE, keep_best=True)
    with Crew(config) as crew:
        others, _, _ = select(SMOKE, everyone, 3, crew)
        for place, number in enumerate(others.number.tolist()):
            monkeypatch.setattr(selection, "best_of_all", lambda *_, best=number: best)
            kept, _, _ = select(config, everyone, 3, crew)
            assert kept.number.tolist().count(number) == 2, place
            assert len(kept) == len(others)
        outside = next(n for n in range(len(everyone)) if n not in others.number)
        monkeypatch.setattr(selection, "best_of_all", lambda *_: outside)
        kept, _, _ = select(config, everyone, 3, crew)
    assert kept.number.tolist() == [*others.number[:-1].tolist(), outside]


def test_a_game_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What differs in a network, a colour, a rival, its depth or an opening is another game."""
    played = []

    def do(work: GamesWork, task: Games) -> Outcomes:
        played.append(len(task.black))
        return once(work, task)

    once = GamesWork.do
    monkeypatch.setattr(GamesWork, "do", do)
    monkeypatch.setattr(contest, "_MOST_REMEMBERED", 21)
    weights = first_parents(replace(SMOKE, population=8)).weights
    black, white = np.array([0, 1, 2], np.int32), np.array([1, 2, 3], np.int32)
    rivals = np.full(3, -1, np.int32)
    openings = np.array([[26, 18], [26, 20], [26, 34]], np.uint8)  # c4 and its three answers
    kinds = [
        Games(weights, black, white),
        Games(weights, white, black),
        Games(weights, black, rivals, Rival("discs", 2)),
        Games(weights, rivals, black, Rival("discs", 2)),
        Games(weights, black, rivals, Rival("discs", 4)),
        Games(weights, black, white, openings=openings),
        Games(weights + np.float32(0.1), black, white),
    ]
    with Crew(SMOKE) as crew:
        first = [scores.tolist() for scores in crew.play_all(kinds)]
        assert played == [3] * len(kinds)
        assert [crew.play(one).tolist() for one in kinds] == first
        # Rows of other numbers may be the same networks.
        moved = Games(weights[::-1], 3 - black, 3 - white)
        assert crew.play(moved).tolist() == first[0]
        assert len(played) == len(kinds)
        crew.play_all([replace(one, weights=one.weights * 2) for one in kinds])
        crew.play(kinds[0])  # forgotten, like all that was long ago
        assert len(played) == 2 * len(kinds) + 1
    with Crew(SMOKE) as crew:
        assert [crew.play(one).tolist() for one in kinds] == first
