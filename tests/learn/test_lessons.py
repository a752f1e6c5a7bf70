"""Positions that a search judges: how they are gathered, kept, and learned from."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from outflank import _core
from outflank._core import LineNetwork
from outflank.cli import app
from outflank.data.examples import Examples
from outflank.errors import DataError, SpecError
from outflank.evaluations import evaluation
from outflank.learn.imitation import ImitationConfig
from outflank.learn.imitation.config import PRESETS
from outflank.learn.imitation.lessons import Lessons, LessonsConfig, gather_lessons
from outflank.learn.imitation.line import LineImitation
from outflank.learn.imitation.material import Material, Part, TrainingSet
from outflank.nets import Card
from outflank.nets.line import LinePolicy
from outflank.nets.network import legal_probabilities
from outflank.othello.boards import Boards
from outflank.players import make_player

SMALL = LessonsConfig(
    games=24, others=("greedy", "random"), eval="mobility", depth=2, solve=7, early=0.8, threads=1
)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("net") / "untrained.safetensors"
    LinePolicy(LineNetwork(channels=16, hidden=16, seed=1), Card("line", "pieces")).save(path)
    return str(path)


@pytest.fixture(scope="module")
def lessons(network: str) -> Lessons:
    return gather_lessons(network, SMALL)


def boards_of(lessons: Lessons) -> Boards:
    positions = lessons.positions
    return Boards(positions.own, positions.other, np.zeros(len(lessons), np.bool_))


def policies_of(lessons: Lessons) -> NDArray[np.float32]:
    return lessons.positions.policies(np.arange(len(lessons)))


def moves_of(lessons: Lessons) -> NDArray[np.uint8]:
    """The best moves."""
    best: NDArray[np.uint8] = policies_of(lessons).argmax(axis=1).astype(np.uint8)
    return best


def examples_of(lessons: Lessons, count: int = 100) -> Examples:
    """Some of the lessons, to stand for experts' games."""
    return Examples(
        own=lessons.positions.own[:count],
        other=lessons.positions.other[:count],
        move=moves_of(lessons)[:count],
        score=np.zeros(count, np.int8),
        value=lessons.positions.value[:count],
        count=np.ones(count, np.uint32),
        game=np.arange(count, dtype=np.uint32),
        year=np.full(count, 2000, np.uint16),
        ply=np.zeros(count, np.uint8),
    )


def test_every_lesson_is_a_legal_move_where_there_is_a_choice(lessons: Lessons) -> None:
    legal = boards_of(lessons).legal_mask()
    assert len(lessons) > 24 * 20
    policies = policies_of(lessons)
    assert np.allclose(policies.sum(axis=1), 1, atol=1e-5)
    assert not policies[~legal[:, :64]].any()
    assert (legal.sum(axis=1) > 1).all()
    assert set(np.unique(lessons.positions.value)) <= {-1.0, 0.0, 1.0}


def test_shares_follow_the_values_of_a_search(lessons: Lessons) -> None:
    boards, policies = boards_of(lessons), policies_of(lessons)
    early = np.flatnonzero(np.bitwise_count(boards.own | boards.other) < 64 - SMALL.solve)
    judged = evaluation(SMALL.eval)
    searcher = _core.Searcher(judged)
    for place in early[::40]:
        board = boards[place : place + 1]
        values = {}
        for move in np.flatnonzero(board.legal_mask()[0, :64]).tolist():
            after = board.play([move])
            value, _, _ = searcher.minimax(
                int(after.own[0]), int(after.other[0]), False, SMALL.depth - 1
            )
            values[move] = -value / judged.units
        best = max(values.values())
        shares = {move: math.exp((value - best) / SMALL.softness) for move, value in values.items()}
        shares = {move: share for move, share in shares.items() if share > 0.01}
        for move in values:
            wanted = shares.get(move, 0.0) / sum(shares.values())
            assert policies[place, move] == pytest.approx(wanted, abs=1e-5)


def test_what_the_network_gets_wrong_counts_more(network: str, lessons: Lessons) -> None:
    boards, policies = boards_of(lessons), policies_of(lessons)
    chosen = make_player(f'policy:name="{network}"').choose_many(boards)
    share = policies[np.arange(len(lessons)), chosen] / policies.max(axis=1)
    assert (lessons.weight >= 1).all()
    known = share > 0
    lost = -SMALL.softness * np.log(share[known])
    assert np.allclose(lessons.weight[known], 1 + lost / SMALL.blunder, atol=1e-4)
    assert lessons.weight[~known].min() > lessons.weight[known].mean()
    assert lessons.weight.max() <= 10


def test_no_position_comes_twice_not_even_mirrored(lessons: Lessons) -> None:
    least, _ = boards_of(lessons).canonical()
    assert len(np.unique(np.stack([least.own, least.other], axis=1), axis=0)) == len(lessons)


def test_near_the_end_moves_are_perfect(lessons: Lessons) -> None:
    boards = boards_of(lessons)
    late = np.flatnonzero(np.bitwise_count(boards.own | boards.other) >= 64 - SMALL.solve)
    assert len(late) > 50
    solver = _core.Solver(1)
    for place in late[:50]:
        board = boards[place : place + 1]
        after = board.play(moves_of(lessons)[place : place + 1])
        best = solver.solve(int(board.own[0]), int(board.other[0])).score
        assert -solver.solve(int(after.own[0]), int(after.other[0])).score == best


def test_the_same_seed_gives_the_same_lessons(network: str, lessons: Lessons) -> None:
    again = gather_lessons(network, SMALL)
    assert np.array_equal(again.positions.own, lessons.positions.own)
    assert np.array_equal(policies_of(again), policies_of(lessons))


def test_lessons_are_kept_in_a_file(lessons: Lessons, tmp_path: Path) -> None:
    path = tmp_path / "lessons.safetensors"
    lessons.save(path)
    loaded = Lessons.load(path)
    assert np.array_equal(loaded.positions.own, lessons.positions.own)
    assert np.array_equal(policies_of(loaded), policies_of(lessons))
    assert np.array_equal(loaded.positions.value, lessons.positions.value)
    assert loaded.facts["depth"] == SMALL.depth
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(DataError, match="not a whole"):
        Lessons.load(path)


def test_a_network_learns_from_them(lessons: Lessons, tmp_path: Path) -> None:
    path = tmp_path / "lessons.safetensors"
    lessons.save(path)
    examples = examples_of(lessons)
    count = len(examples)
    settings = {"lessons": str(path), "lessons_weight": 1.0, "epochs": 30.0, "batch": 32}
    config = ImitationConfig.from_json({**PRESETS["line-smoke"].changes, **settings})
    material = Material(TrainingSet(Part(examples), 1), examples.take(slice(0, 0)), {})
    trainer = LineImitation(config, material)
    assert len(trainer.positions) == count + len(lessons)
    trainer.train_until(trainer.steps)
    found = trainer.network().predict(boards_of(lessons)).logits.argmax(axis=1)
    policies = policies_of(lessons)
    good = policies[np.arange(len(lessons)), found] > 0.5 * policies.max(axis=1)
    assert good.mean() > 0.8


def test_networks_teach_a_network(lessons: Lessons, network: str, tmp_path: Path) -> None:
    """Distillation: the target is partly what was played, partly the mean of others' opinions."""
    second = tmp_path / "second.safetensors"
    LinePolicy(LineNetwork(channels=16, hidden=16, seed=2), Card("line", "pieces")).save(second)
    examples = examples_of(lessons, 40)
    material = Material(TrainingSet(Part(examples), 1), examples.take(slice(0, 0)), {})
    settings = {"teacher": f"{network}+{second}", "epochs": 150.0, "batch": 32, "seed": 5}
    config = ImitationConfig.from_json(
        {**PRESETS["line-smoke"].changes, **settings, "teacher_weight": 0.25}
    )
    trainer = LineImitation(config, material)
    boards = Boards(trainer.positions.own, trainer.positions.other, np.zeros(40, np.bool_))
    opinions = [
        legal_probabilities(boards, LinePolicy.load(path).predict(boards))
        for path in (network, second)
    ]
    mean = (opinions[0] + opinions[1]) / 2
    played = trainer.positions.policies(np.arange(40))
    assert np.allclose(trainer._targets(np.arange(40)), 0.75 * played + 0.25 * mean, atol=1e-5)

    assert "networks" in trainer.network().card.trainings[1]  # what its teachers saw, it saw

    def distance(share: float) -> float:
        taught = LineImitation(dataclasses.replace(config, teacher_weight=share), material)
        taught.train_until(taught.steps)
        found = legal_probabilities(boards, taught.network().predict(boards))
        return float(np.abs(found - mean).sum(axis=1).mean())

    assert distance(1.0) < 0.5 * distance(0.0)


def test_of_lessons_the_teacher_says_nothing(
    lessons: Lessons, network: str, tmp_path: Path
) -> None:
    path = tmp_path / "lessons.safetensors"
    lessons.save(path)
    examples = examples_of(lessons, 40)
    material = Material(TrainingSet(Part(examples), 1), examples.take(slice(0, 0)), {})
    config = ImitationConfig.from_json(
        {**PRESETS["line-smoke"].changes, "teacher": network, "lessons": str(path)}
    )
    trainer = LineImitation(config, material)
    everything = np.arange(len(trainer.positions))
    told = trainer.positions.policies(everything)
    differs = np.abs(trainer._targets(everything) - told).max(axis=1) > 0.01
    assert differs[:40].mean() > 0.9
    assert not differs[40:].any()
    assert np.array_equal(trainer._targets(everything), trainer._targets(everything))


def test_half_of_the_games_go_on_with_the_other_side_to_move(network: str) -> None:
    boards = Boards.start(1)
    for _ in range(4):
        owner, move = np.nonzero(boards.legal_mask())
        boards = boards[owner].play(move.astype(np.uint8))

    def pairs(boards: Boards) -> set[tuple[int, int]]:
        return set(zip(boards.own.tolist(), boards.other.tolist(), strict=True))

    real = pairs(boards.canonical()[0])
    turned = pairs(boards.turn(np.ones(len(boards), np.bool_)).canonical()[0])

    def first(share: float) -> set[tuple[int, int]]:
        config = dataclasses.replace(
            SMALL, games=60, opening=(4, 4), early=1.0, solve=0, turned=share
        )
        met = boards_of(gather_lessons(network, config))
        return pairs(met[np.bitwise_count(met.own | met.other) == 8])

    assert first(0.0) <= real
    assert first(1.0) <= turned
    half = first(0.5)
    assert half <= real | turned
    assert len(half - turned) > 5
    assert len(half - real) > 5


def test_only_a_share_of_the_early_positions_is_judged(network: str) -> None:
    few = gather_lessons(network, dataclasses.replace(SMALL, early=0.1))
    many = gather_lessons(network, dataclasses.replace(SMALL, early=1.0))
    discs = [np.bitwise_count(one.positions.own | one.positions.other) for one in (few, many)]
    late, early = ([int((d >= 57).sum()) for d in discs], [int((d < 57).sum()) for d in discs])
    assert late[0] == late[1]
    assert early[0] < 0.2 * early[1]


def test_training_may_begin_with_a_network(lessons: Lessons, network: str) -> None:
    config = ImitationConfig.from_json(
        {**PRESETS["line-smoke"].changes, "blocks": 1, "start": network}
    )
    examples = examples_of(lessons)
    trainer = LineImitation(config, Material(TrainingSet(Part(examples), 1), examples, {}))
    begun = LinePolicy.load(network)
    boards = boards_of(lessons)
    now, before = (one.predict(boards).logits for one in (trainer.network(), begun))
    assert np.allclose(now[np.isfinite(now)], before[np.isfinite(before)], atol=2e-3)
    other = ImitationConfig.from_json(
        {**PRESETS["line-smoke"].changes, "blocks": 0, "start": network}
    )
    with pytest.raises(DataError, match="another shape than the network to train: block"):
        LineImitation(other, Material(TrainingSet(Part(examples), 1), examples, {}))


def test_the_command_writes_them(network: str, tmp_path: Path) -> None:
    out = tmp_path / "lessons.safetensors"
    words = ["learn", "imitation", "teach", network, "--out", str(out), "--games", "4"]
    options = ["--depth", "1", "--eval", "mobility", "--solve", "4", "--threads", "1", "--json"]
    result = CliRunner().invoke(app, [*words, *options], catch_exceptions=False)
    assert result.exit_code == 0
    assert len(Lessons.load(out)) > 50


def test_the_command_learns_patterns(weighted_wthor: Path, tmp_path: Path) -> None:
    out = tmp_path / "patterns.safetensors"
    words = ["learn", "patterns", "--out", str(out), "--wthor", str(weighted_wthor)]
    result = CliRunner().invoke(app, [*words, "--passes", "2", "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    spec = f"alphabeta:eval={out},depth=2"
    moved = CliRunner().invoke(app, ["move", spec, "f5d6c3", "--json"], catch_exceptions=False)
    assert moved.exit_code == 0


def test_a_wrong_evaluation_is_told_before_games_are_played(network: str) -> None:
    heard: list[str] = []
    with pytest.raises(SpecError, match="unknown evaluation 'wrong'"):
        gather_lessons(
            network,
            dataclasses.replace(SMALL, eval="wrong"),
            lambda what, share: heard.append(what),
        )
    assert heard == []


def test_games_without_a_position_to_judge(network: str) -> None:
    with pytest.raises(DataError, match="no position to judge"):
        gather_lessons(network, dataclasses.replace(SMALL, games=2, early=0.0, solve=0))
