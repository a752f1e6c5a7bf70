"""Games of self-play: by the rules, and the same however many are played at once."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mcts.made_evaluators import hashed
from outflank import _core
from outflank._core import Forest, LineNetwork, MctsOptions, SelfPlayOptions, Stop, play_selfplay
from outflank.othello import Position
from outflank.othello.boards import Boards
from strategies import MUST_PASS, random_game

NETWORK = LineNetwork(channels=16, blocks=1, layers=1, hidden=16, seed=3)
Arrays = dict[str, NDArray[Any]]

SETTINGS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "plain": ({}, {"simulations": 12}),
    "alphazero": ({"noise_share": 0.25}, {"simulations": 16, "reuse": False}),
    "katago": (
        {"noise_share": 0.25, "forced_playouts": 2.0},
        {"simulations": 24, "fast_simulations": 6, "full_share": 0.25, "random_plies": 8},
    ),
    "gumbel": ({"gumbel_moves": 8}, {"simulations": 12, "random_plies": 4, "solve_at": 8}),
    "solver": ({"solve_empties": 6}, {"simulations": 12, "solve_at": 5, "count_reused": True}),
    "endings": ({}, {"simulations": 12, "solve_at": 8, "teach_endings": True}),
    "uneven": ({}, {"simulations": 12, "random_plies": 4, "uneven_share": 0.5, "uneven_plies": 20}),
    "wiped": ({"wipe_outs": True}, {"simulations": 12, "random_plies": 4, "wiped_share": 0.5}),
    "batches": ({"leaves": 4, "max_nodes": 60}, {"simulations": 20}),
    "rollouts": ({"selection": "uct", "exploration": 1.0}, {"simulations": 12}),
}


def games(name: str, number: int = 24, seed: int = 1, **more: Any) -> Arrays:
    options, play = SETTINGS[name]
    evaluator: Any = more.pop("evaluator", "rollouts" if name == "rollouts" else NETWORK)
    return play_selfplay(
        evaluator, number, MctsOptions(**options), SelfPlayOptions(**play), seed=seed, **more
    )


def same(left: Arrays, right: Arrays) -> bool:
    return left.keys() == right.keys() and all(
        np.array_equal(left[name], right[name]) for name in left
    )


@pytest.mark.parametrize("name", SETTINGS)
def test_games_do_not_depend_on_how_many_are_played_at_once(name: str) -> None:
    alone = games(name, parallel=1, threads=1)
    for parallel, threads in ((24, 1), (5, 2), (100, 3), (1, 8)):
        assert same(alone, games(name, parallel=parallel, threads=threads))


@pytest.mark.parametrize("name", SETTINGS)
def test_games_depend_on_their_number(name: str) -> None:
    whole = games(name)
    later = games(name, 10, first_game=14)
    part = whole["game"] >= 14
    for field in ("own", "other", "policy", "value", "move", "outcome", "ply", "full", "game"):
        assert np.array_equal(whole[field][part], later[field])
    for field in ("game_number", "game_score", "game_moves", "game_solved"):
        assert np.array_equal(whole[field][14:], later[field])
    assert not same(whole, games(name, seed=2))


@pytest.mark.parametrize("name", SETTINGS)
def test_games_follow_the_rules(name: str) -> None:
    play = SETTINGS[name][1]
    found = games(name)
    assert found["game_number"].tolist() == list(range(24))
    solver = _core.Solver(1)
    for number in range(24):
        own, other, black = 0x810000000, 0x1008000000, True
        rows = np.flatnonzero(found["game"] == number)
        opening = int(found["game_moves"][number]) - len(rows)
        longest = 60 if "wiped_share" in play else play.get("uneven_plies", 0)
        assert 0 <= opening <= max(play.get("random_plies", 0), longest)
        if opening:  # of which nothing is told: begin where the search began
            own, other = int(found["own"][rows[0]]), int(found["other"][rows[0]])
            black = (own | other).bit_count() % 2 == 0
        score = int(found["game_score"][number])
        for row in rows:
            if _core.legal_moves(own, other) == 0:
                own, other = _core.play(own, other, 64)
                black = not black
            assert (own, other) == (found["own"][row], found["other"][row])
            assert found["ply"][row] == (own | other).bit_count() - 4
            solved = play.get("teach_endings") and found["ply"][row] >= 60 - play["solve_at"]
            if solved:
                _check_lesson(found, int(row), solver)
            elif not opening:
                assert found["outcome"][row] == (score if black else -score)
            own, other = _core.play(own, other, int(found["move"][row]))
            black = not black
        outcome = found["outcome"][rows[-1]]
        if play.get("teach_endings"):
            assert _core.is_over(own, other)
        elif found["game_solved"][number]:
            left = 64 - (own | other).bit_count()
            assert 0 < left <= play["solve_at"]
            assert outcome == -solver.solve(own, other).score
        else:
            assert _core.is_over(own, other)
            assert outcome == -_core.final_score(own, other)


def _check_lesson(found: Arrays, row: int, solver: _core.Solver) -> None:
    """What is learned of a solved position: its score, and its best moves, all alike."""
    own, other = int(found["own"][row]), int(found["other"][row])
    scored = dict(solver.solve_moves(own, other)[0])
    score = max(scored.values())
    best = [move for move, one in scored.items() if one == score]
    assert found["outcome"][row] == score
    assert found["value"][row] == np.sign(score)
    assert np.flatnonzero(found["policy"][row]).tolist() == sorted(best)
    assert found["policy"][row][best] == pytest.approx(1 / len(best))
    assert found["move"][row] in scored


def test_endings_that_teach_leave_the_games_as_they_were() -> None:
    options, play = SETTINGS["endings"]
    plain = play_selfplay(
        NETWORK, 24, MctsOptions(**options), SelfPlayOptions(**{**play, "teach_endings": False}),
        seed=1,
    )  # fmt: skip
    taught = games("endings")
    before = taught["ply"] < 60 - play["solve_at"]
    assert taught["game_score"].tolist() == plain["game_score"].tolist()
    for field in ("own", "other", "policy", "value", "move", "outcome", "game"):
        assert np.array_equal(taught[field][before], plain[field])
    slips = [
        taught["outcome"][row] != -taught["outcome"][row + 1]
        for row in np.flatnonzero(~before)[:-1]
        if taught["game"][row] == taught["game"][row + 1]
    ]
    assert 0.02 < np.mean(slips) < 0.5  # it also learns how to go on after mistakes


def test_uneven_openings_leave_one_side_few_discs() -> None:
    def first_boards(share: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        play = SelfPlayOptions(simulations=1, random_plies=20, uneven_share=share, uneven_plies=20)
        found = play_selfplay("uniform", 400, MctsOptions(), play, seed=2)
        first = np.unique(found["game"], return_index=True)[1]
        mine, theirs = (np.bitwise_count(found[side][first]) for side in ("own", "other"))
        return mine.astype(np.int64), theirs.astype(np.int64)

    random, uneven = first_boards(0.0), first_boards(1.0)
    smaller = [np.minimum(*one) / (one[0] + one[1]) for one in (random, uneven)]
    assert smaller[1].mean() < smaller[0].mean() - 0.05
    # Who has few discs is now the one to move, now the other; and nobody is wiped out yet.
    long = uneven[0] + uneven[1] > 18
    ahead = (uneven[0] > uneven[1])[long]
    assert 0.2 < ahead.mean() < 0.8
    assert np.minimum(*uneven).min() > 0


def test_openings_before_a_wipe_out_give_a_choice() -> None:
    """Whose last disc is in danger is to move, or soon will be, and may still save it."""

    def choices(**openings: Any) -> int:
        play = SelfPlayOptions(simulations=1, temperature=0.0, **openings)
        found = play_selfplay("uniform", 300, MctsOptions(), play, seed=2)
        first = np.unique(found["game"], return_index=True)[1]
        own, other = found["own"][first], found["other"][first]
        boards = Boards(own, other, np.zeros(len(own), np.bool_))
        return sum(
            len({_loses_all(position.play(move)) for move in position.legal_moves}) == 2
            for position in boards.positions()
        )

    assert choices(wiped_share=1.0) > 40
    assert choices(uneven_share=1.0, uneven_plies=28) < 20


def _loses_all(position: Position) -> bool:
    """Return whether who is to move can take the opponent's last disc."""
    return any(not position.play(move).own for move in position.legal_moves)


@pytest.mark.parametrize("name", SETTINGS)
def test_targets_are_shares_of_legal_moves(name: str) -> None:
    found = games(name)
    legal = _core.legal_moves(found["own"], found["other"])
    masks = (legal[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    assert found["policy"].dtype == np.float32
    assert (found["policy"] >= 0).all()
    assert (found["policy"][masks == 0] == 0).all()
    sums = found["policy"].sum(axis=1)
    assert sums[found["full"]] == pytest.approx(1, abs=1e-5)
    assert (sums[~found["full"]] == 0).all()
    assert masks[np.arange(len(legal)), found["move"]].all()
    assert (np.abs(found["value"]) <= 1).all()
    assert (found["surprise"] > -1e-6).all()
    assert found["surprise"].max() > 0
    share = SETTINGS[name][1].get("full_share", 1.0)
    assert found["full"].mean() == pytest.approx(share, abs=0.05 if share < 1 else 0)


def test_the_first_search_is_that_of_a_forest() -> None:
    found = games("plain", 6)
    trees = Forest(hashed, found["own"][:1], found["other"][:1])
    played = games("plain", 6, evaluator=hashed)
    trees.search(12)
    first = np.flatnonzero(played["ply"] == 0)
    assert len(first) == 6
    for row in first:
        assert np.array_equal(played["policy"][row], trees.policy()[0][:64])
        assert played["value"][row] == trees.root_values()[0]


def test_the_temperature_changes_the_draw() -> None:
    def moves(**play: Any) -> Arrays:
        settings = {"simulations": 12, **play}
        return play_selfplay(NETWORK, 30, play=SelfPlayOptions(**settings), seed=4)

    cold = moves(temperature=0, late_temperature=0)
    best = cold["policy"][np.arange(len(cold["move"])), cold["move"]]
    assert np.array_equal(best, cold["policy"].max(axis=1))
    assert len(np.unique(cold["game_score"])) == 1  # without chance all games are the same
    warm = moves(temperature=1, temperature_plies=60)
    drawn = warm["policy"][np.arange(len(warm["move"])), warm["move"]]
    # By its own shares a draw hits the mean square of the shares on average.
    expected = (warm["policy"].astype(np.float64) ** 2).sum(axis=1).mean()
    assert drawn.mean() == pytest.approx(expected, abs=0.02)
    early = moves(temperature=1, temperature_plies=5, late_temperature=0)
    late = early["ply"] >= 5
    best = early["policy"][np.arange(len(early["move"])), early["move"]]
    assert np.array_equal(best[late], early["policy"].max(axis=1)[late])
    assert not np.array_equal(best[~late], early["policy"].max(axis=1)[~late])


def test_random_plies_vary_the_openings() -> None:
    found = games("katago", 60)
    rows = np.searchsorted(found["game"], np.arange(60))
    plies = found["ply"][rows]
    assert set(plies.tolist()) == set(range(9))
    assert len({(a, b) for a, b in zip(found["own"][rows], found["other"][rows], strict=True)}) > 25


def test_games_start_where_they_are_told() -> None:
    starts = [random_game(seed, plies=12).position for seed in range(5)] + [MUST_PASS]
    over = random_game(1).position
    starts.append(over)
    pairs = np.array([position.bits for position in starts], np.uint64)
    own, other = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    found = play_selfplay(
        NETWORK, 7, play=SelfPlayOptions(simulations=5), start_own=own, start_other=other
    )
    for number in range(5):
        row = np.flatnonzero(found["game"] == number)[0]
        assert (found["own"][row], found["other"][row]) == starts[number].bits
    row = np.flatnonzero(found["game"] == 5)[0]
    assert (found["own"][row], found["other"][row]) == MUST_PASS.bits[::-1]
    assert found["outcome"][row] == -found["game_score"][5]
    assert 6 not in found["game"]
    assert found["game_score"][6] == _core.final_score(*over.bits)
    assert found["game_moves"][6] == 0


def test_visits_that_were_kept_count_if_asked() -> None:
    asked = [0]

    def counting(own: NDArray[np.uint64], other: NDArray[np.uint64]) -> Any:
        asked[0] += len(own)
        return hashed(own, other)

    def evaluations(**play: Any) -> int:
        asked[0] = 0
        play_selfplay(counting, 4, play=SelfPlayOptions(simulations=40, **play), threads=1)
        return asked[0]

    assert evaluations(reuse=True, count_reused=True) < 0.8 * evaluations(reuse=True)
    assert evaluations(reuse=True) < evaluations(reuse=False)


def test_stop_keeps_finished_games_only() -> None:
    stop = Stop()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    found = play_selfplay(
        NETWORK, 100_000, play=SelfPlayOptions(simulations=20), stop=stop, parallel=16
    )
    timer.join()
    number = len(found["game_number"])
    assert number < 100_000
    assert set(found["game"].tolist()) == set(found["game_number"].tolist())
    if number:
        again = play_selfplay(
            NETWORK,
            1,
            play=SelfPlayOptions(simulations=20),
            first_game=int(found["game_number"][0]),
        )
        rows = found["game"] == found["game_number"][0]
        assert np.array_equal(found["policy"][rows], again["policy"])


def test_progress_is_reported_and_may_end_the_run() -> None:
    seen: list[tuple[int, int]] = []

    def look(done: int, positions: int) -> None:
        seen.append((done, positions))
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_selfplay(
            NETWORK,
            100_000,
            play=SelfPlayOptions(simulations=20),
            on_progress=look,
            interval=0.01,
        )
    assert len(seen) == 3
    assert seen == sorted(seen)


def test_what_an_evaluator_raises_ends_the_run() -> None:
    def broken(own: NDArray[np.uint64], other: NDArray[np.uint64]) -> Any:
        raise RuntimeError("no weights")

    for threads in (1, 2):
        with pytest.raises(RuntimeError, match="no weights"):
            play_selfplay(broken, 10, threads=threads)


@pytest.mark.parametrize(
    "play",
    [
        {"simulations": 0},
        {"fast_simulations": -1},
        {"full_share": 1.5},
        {"temperature": -1},
        {"temperature": float("nan")},
        {"temperature_plies": 61},
        {"late_temperature": float("inf")},
        {"random_plies": 61},
        {"solve_at": 21},
    ],
)
def test_impossible_options_are_refused(play: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(play))):
        SelfPlayOptions(**play)


@pytest.mark.parametrize(
    "arguments",
    [
        {"games": 0},
        {"games": 2**24 + 1},
        {"first_game": -1},
        {"first_game": 2**31},
        {"parallel": 0},
        {"threads": -1},
        {"interval": -1.0},
        {"on_progress": 3},
        {"start_own": np.zeros(1, np.uint64)},
    ],
)
def test_impossible_arguments_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(arguments))):
        play_selfplay("uniform", **{"games": 1, **arguments})


def test_impossible_starts_and_evaluators_are_refused() -> None:
    one = np.ones(1, np.uint64)
    with pytest.raises(ValueError, match="both sides on one square"):
        play_selfplay("uniform", 1, start_own=one, start_other=one)
    with pytest.raises(ValueError, match="differ in length"):
        play_selfplay("uniform", 2, start_own=one, start_other=one * 2)
    for evaluator in ("magic", None, 5):
        with pytest.raises(ValueError, match="an evaluator is"):
            play_selfplay(evaluator, 1)  # type: ignore[arg-type]
