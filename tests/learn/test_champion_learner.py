"""The champion's learner: its games and positions, resuming, and that it learns."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluations.champions import no_weights
from outflank import _core
from outflank.arena import match
from outflank.errors import DataError
from outflank.evaluations.champion import (
    champion_facts,
    champion_regressions,
    champion_weights,
    save_champion,
)
from outflank.evaluations.learned import PLAYER_FILE
from outflank.files import read_bytes
from outflank.learn import Run, find_learner, train_run
from outflank.learn.champion import ChampionConfig, Positions, preset, trainer
from outflank.learn.champion.calibration import CalibrationConfig, out_of_fold
from outflank.learn.champion.games import GamePlayers, Starts
from outflank.learn.champion.positions import distinct_sets
from outflank.learn.training import TrainingObserver
from outflank.othello import Position
from outflank.othello.boards import Boards
from players.fitted_champion import fitted_weights, save_fitted

LEARNER = find_learner("champion")
SMALL = ["games=24", "block=8", "rounds=2", "match_games=4", "threads=1", "passes=1"]


def small(*settings: str) -> ChampionConfig:
    return preset("smoke").with_settings([*SMALL, *settings])


@pytest.fixture(scope="module")
def zeros(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("zeros") / "zeros.safetensors"
    save_champion(path, no_weights(), {})
    return str(path)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_fitted(tmp_path_factory.mktemp("net"), fitted_weights(), {}))


@pytest.fixture(scope="module")
def positions(zeros: str) -> Positions:
    players = GamePlayers(small(), Starts.none(), 1)
    return players.play(zeros, 1, np.arange(20))


def test_scores_are_those_of_the_games(positions: Positions) -> None:
    """Late positions were reached by perfect play: their scores are the exact ones."""
    solver = _core.Solver(4)
    late = positions.take(positions.empties <= 8)
    assert len(late) > 50
    for own, other, score in zip(
        late.own.tolist(), late.other.tolist(), late.score.tolist(), strict=True
    ):
        assert solver.solve(own, other).score == score
    assert np.array_equal(late.value, late.score)
    early = positions.take(positions.empties > 12)
    assert not np.array_equal(early.value, early.score)


def test_after_a_slip_the_end_is_another(zeros: str) -> None:
    """Without slips all solved positions of a game have one score, up to its sign."""

    def have_one_score(slips: float) -> list[bool]:
        players = GamePlayers(small(f"slips={slips}", "endings=0", "siblings=0"), Starts.none(), 1)
        late = players.play(zeros, 1, np.arange(30))
        late = late.take(late.empties <= 8)
        return [len(set(np.abs(late.score[late.game == game]))) <= 1 for game in range(30)]

    assert all(have_one_score(0))
    assert np.mean(have_one_score(1)) < 0.3


def test_a_game_may_have_several_endings(zeros: str) -> None:
    """The game itself stays the same; its other endings follow in the list of positions."""

    def played(endings: int) -> Positions:
        players = GamePlayers(
            small(f"endings={endings}", "slips=0", "siblings=0"), Starts.none(), 1
        )
        return players.play(zeros, 1, np.arange(1))

    one, four = played(0), played(3)
    assert np.array_equal(four.own[: len(one)], one.own)
    assert np.array_equal(four.score[: len(one)], one.score)
    others = four.take(np.arange(len(one), len(four)))
    assert np.all(others.empties < small().solve_from + 1 + 10)
    starts = np.flatnonzero(np.diff(others.empties) > 0) + 1
    assert len(starts) == 2  # three other endings, one behind the other
    assert set(four.game) == {0}


def test_other_moves_are_looked_at_too(net: str) -> None:
    """A sibling is the position after another move, and has the value of a search."""

    def played(siblings: int) -> Positions:
        config = small("endings=0", "slips=0", f"siblings={siblings}")
        return GamePlayers(config, Starts.none(), 1).play(net, 2, np.arange(1))

    game, all_of_them = played(0), played(2)
    # The random moves that are drawn for siblings change the game's end, not its first position.
    first = Position.from_bits(int(all_of_them.own[0]), int(all_of_them.other[0]))
    assert first.bits == (int(game.own[0]), int(game.other[0]))
    assert np.all(np.diff(game.empties) < 0)
    begin = int(np.flatnonzero(np.diff(all_of_them.empties) > 0)[0]) + 1
    siblings = all_of_them.take(np.arange(begin, len(all_of_them)))
    assert len(siblings) > 10
    after = {first.play(move).bits for move in first.legal_moves}
    assert (int(siblings.own[0]), int(siblings.other[0])) in after
    searcher = _core.Searcher(_core.ChampionEvaluation(fitted_weights()), 4, "discs")
    values = searcher.value_many(siblings.own, siblings.other, np.zeros(len(siblings), np.bool_), 1)
    assert np.allclose(siblings.value, values / 128)
    assert np.array_equal(siblings.score, np.clip(np.round(siblings.value), -64, 64))


def test_the_depth_grows_round_by_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    depths: list[int] = []
    play = GamePlayers.play

    def noting(self: GamePlayers, name: str, depth: int, games: NDArray[np.int64]) -> Positions:
        depths.append(depth)
        return play(self, name, depth, games)

    monkeypatch.setattr(GamePlayers, "play", noting)
    config = small("rounds=4", "games=8", "depth=3", "first_depth=1", "match_games=0")
    train_run(LEARNER, tmp_path / "run", config, options={"workers": 1})
    assert depths == [1, 2, 3, 3]


def test_a_known_evaluation_is_trained_further(net: str, tmp_path: Path) -> None:
    """It plays the first round, and training begins with its weights."""
    known = champion_weights(net)
    for name, passes in (("stays", 0), ("changes", 1)):
        config = small("rounds=1", "match_games=0", f"first={net}", f"passes={passes}")
        train_run(LEARNER, tmp_path / name, config, options={"workers": 1})
        played = tmp_path / name / "evaluations/round-000.safetensors"
        assert read_bytes(played) == read_bytes(net)
        same = np.array_equal(champion_weights(tmp_path / name / PLAYER_FILE), known)
        assert same == (passes == 0)


def test_positions_follow_the_opening_and_have_moves(positions: Positions) -> None:
    boards = Boards(positions.own, positions.other, np.zeros(len(positions), np.bool_))
    assert np.all(boards.legal_moves() != 0)
    assert positions.empties.max() <= 60 - small().least_opening
    assert set(np.unique(positions.game)) == set(range(20))


def test_games_do_not_depend_on_the_workers_or_on_each_other(zeros: str) -> None:
    one, two = (GamePlayers(small(), Starts.none(), workers) for workers in (1, 2))
    try:
        together = one.play(zeros, 2, np.arange(150))
        elsewhere = two.play(zeros, 2, np.arange(150))
    finally:
        one.close()
        two.close()
    assert np.array_equal(together.own, elsewhere.own)
    assert np.array_equal(together.score, elsewhere.score)


def test_games_may_begin_in_experts_positions(zeros: str) -> None:
    boards = Boards.start(1)
    for ply in range(24):
        boards = boards.play(_core.random_moves(boards.own, boards.other, ply))
    players = GamePlayers(small("experts=1"), Starts.of(boards.own, boards.other), 1)
    played = players.play(zeros, 1, np.arange(5))
    assert played.empties.max() <= 36
    late = Starts.of(np.full(3, 2**60 - 1, np.uint64), np.zeros(3, np.uint64))
    assert len(late) == 0


def test_mirror_images_count_once_with_their_mean(positions: Positions) -> None:
    mirrored = Positions(
        _core.transform(positions.own, 5),
        _core.transform(positions.other, 5),
        positions.score + 2,
        positions.value + 4,
        positions.game + 100,
    )
    both = Positions.concatenate([positions, mirrored]).distinct()
    alone = positions.distinct()
    assert np.array_equal(both.own, alone.own)
    assert np.allclose(both.score, alone.score + 1)
    assert np.allclose(both.value, alone.value + 2, atol=1e-4)
    assert np.allclose(both.labels(0.25), 0.25 * both.value + 0.75 * both.score, atol=1e-4)
    assert np.array_equal(both.game, alone.game)
    training, held = distinct_sets(positions, mirrored)
    assert len(training) == len(alone)
    assert len(held) == 0


def test_a_game_is_held_out_whole(positions: Positions) -> None:
    learned, held = positions.split(0.3, seed=1)
    assert len(learned)
    assert len(held)
    assert not set(learned.game.tolist()) & set(held.game.tolist())


def test_positions_come_back_from_their_file(tmp_path: Path, positions: Positions) -> None:
    path = tmp_path / "block.npz"
    positions.save(path)
    again = Positions.load(path)
    for name in ("own", "other", "score", "value", "game"):
        assert np.array_equal(getattr(again, name), getattr(positions, name))
    path.write_bytes(read_bytes(path)[:100])
    with pytest.raises(DataError, match="not a file of positions"):
        Positions.load(path)


class _Interrupts(TrainingObserver):
    """Interrupts training after every step, as Ctrl-C does."""

    def advanced(self, step: int, means: Mapping[str, float], seconds: float) -> None:
        signal.raise_signal(signal.SIGINT)


def test_an_interrupted_run_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    options = {"workers": 1}
    assert train_run(LEARNER, whole, small(), options=options).finished
    train_run(LEARNER, parts, small(), options=options, observers=[_Interrupts()])
    sessions = 1
    while not train_run(LEARNER, parts, options=options, observers=[_Interrupts()]).finished:
        sessions += 1
        if sessions == 3:  # a checkpoint older than the blocks: some are found, one is missing
            shutil.rmtree(max((parts / "checkpoints").glob("step-*")))
            max((parts / "positions").rglob("*.npz")).unlink()
    assert sessions > 3
    assert read_bytes(whole / PLAYER_FILE) == read_bytes(parts / PLAYER_FILE)
    first, second = (
        [{**line, "seconds": 0} for line in Run.open(folder).metrics()] for folder in (whole, parts)
    )
    assert first == second
    assert [line["round"] for line in first] == [1, 2]
    assert champion_facts(whole / PLAYER_FILE)["round"] == 2


def test_it_learns_from_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    config = small("games=300", "block=100", "rounds=1", "passes=6", "match_games=0")
    train_run(LEARNER, folder, config, options={"workers": 1})
    spec = LEARNER.player(folder)
    assert spec is not None
    found = match(spec.replace("depth=8", "depth=1"), "random", openings="random:6", games=40)
    assert (found.winning_rate or 0) > 0.65


def test_games_of_later_rounds_are_selective(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "CALIBRATION", CalibrationConfig(10, 4, 12))
    folder = tmp_path / "run"
    config = small("selectivity=1.5", "games=12", "block=12", "depth=4", "match_games=0")
    assert train_run(LEARNER, folder, config, options={"workers": 1}).finished
    first, *later = sorted((folder / "evaluations").iterdir())
    assert not champion_regressions(first, "probcut")
    assert all(champion_regressions(path, "probcut") for path in later)


def test_a_line_that_says_the_opposite_is_not_used() -> None:
    shallow = np.linspace(-10, 10, 50)
    slope, offset, error = out_of_fold(shallow, 2 * shallow + 3)
    assert (slope, offset, error) == pytest.approx((2, 3, 0), abs=1e-9)
    assert out_of_fold(shallow, -shallow)[0] == 1
    assert out_of_fold(np.zeros(50), shallow)[0] == 1


def test_it_learns_from_expert_games(tmp_path: Path, weighted_wthor: Path) -> None:
    folder = tmp_path / "run"
    config = small("source=wthor", "years=", "games=10", "block=10", "rounds=1", "match_games=0")
    train_run(LEARNER, folder, config, options={"workers": 1, "wthor": weighted_wthor})
    assert champion_facts(folder / "evaluations" / "round-000.safetensors")["source"] == "wthor"
    with_experts = Run.open(folder).metrics()[0]["positions"]
    alone = tmp_path / "alone"
    train_run(
        LEARNER,
        alone,
        config.with_settings(["expert_rounds=0"]),
        options={"workers": 1, "wthor": weighted_wthor},
    )
    assert Run.open(alone).metrics()[0]["positions"] < with_experts


@pytest.mark.parametrize(
    "setting", ["source=books", "least_opening=40", "depth=0", "held_out=0", "batch=0"]
)
def test_wrong_settings_are_refused(setting: str) -> None:
    with pytest.raises(DataError, match=setting.partition("=")[0]):
        small(setting)
