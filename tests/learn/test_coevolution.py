"""Evolution: who varies how, who meets whom, who survives; resuming; observers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from outflank import arena, cli
from outflank._core import random_moves
from outflank.arena import Store, Tournament, random_openings
from outflank.arena.keys import key_of
from outflank.errors import DataError, OutflankError
from outflank.evaluations.evolved import EvolvedNetwork
from outflank.learn import Run, train
from outflank.learn.coevolution import (
    PRESETS,
    CoevolutionConfig,
    Crew,
    Evolution,
    Networks,
    Rival,
    ancestors,
    contest,
    first_parents,
    level,
    load_population,
    observe,
    offspring,
    preset,
)
from outflank.learn.coevolution.contest import Games, GamesWork
from outflank.learn.coevolution.drawing import counts_at_least, counts_of_level, smoothed
from outflank.learn.coevolution.play import game_of
from outflank.learn.coevolution.selection import (
    best_of_all,
    count_points,
    draw_openings,
    draw_pairings,
    keep_better_children,
    select,
)
from outflank.learn.coevolution.strategy import Strategy
from outflank.models import shipped_models
from outflank.othello import Game
from outflank.othello.boards import Boards
from outflank.players import make_player

SMOKE = preset("smoke")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_configuration(name: str) -> None:
    config = preset(name)
    assert CoevolutionConfig.from_json(config.to_json()) == config


def test_the_papers_figures() -> None:
    paper = preset("paper")
    assert (paper.population, paper.parents, paper.opponents) == (20, 10, 5)
    assert (paper.weights, paper.generations, paper.depth) == (5900, 1000, 2)
    assert paper.learning_rate == pytest.approx(0.0806811, abs=1e-7)
    assert paper.rungs == (2, 4, 6)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("population=7", "even"),
        ("population=2", "4 to"),
        ("opponents=8", "less than the population"),
        ("shape=round", "spatial, flat, only, filter"),
        ("variation=none", "accepted is each"),
        ("depth=0", "1 to 12"),
        ("observers=discs,nobody", "unknown evaluation 'nobody'"),
    ],
)
def test_what_cannot_be_is_explained(setting: str, message: str) -> None:
    with pytest.raises(OutflankError, match=message):
        SMOKE.with_settings([setting])


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
    assert change.std() == pytest.approx(config.learning_rate, rel=0.02)
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


def test_points_go_to_both_sides() -> None:
    black, white = np.array([0, 0, 1], np.int32), np.array([1, 2, 2], np.int32)
    points = count_points(preset("paper"), 3, black, white, np.array([12, 0, -2], np.int32))
    assert points.tolist() == [6, 0, 6]


def test_those_with_the_most_points_survive() -> None:
    everyone = first_parents(replace(SMOKE, population=16))
    with Crew(SMOKE) as crew:
        parents, points = select(SMOKE, everyone, 3, crew)
        black, white = draw_pairings(SMOKE, 8, 3)
        scores = crew.play(Games(everyone.weights, black, white))
    every = count_points(SMOKE, 8, black, white, scores)
    assert points.tolist() == sorted(every, reverse=True)[:4]
    assert every[parents.number].tolist() == points.tolist()


def test_the_best_of_all_is_kept() -> None:
    everyone = first_parents(replace(SMOKE, population=16))
    config = replace(SMOKE, keep_best=True)
    with Crew(config) as crew:
        best = best_of_all(config, everyone.weights, 0, crew)
        kept, _ = select(config, everyone, 3, crew)
        others, _ = select(SMOKE, everyone, 3, crew)
    assert kept.number[-1] == best
    assert kept.number[:-1].tolist() == others.number[:-1].tolist()


def test_a_game_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What differs in a network, a colour, a rival, its depth or an opening is another game."""
    played = []

    def do(work: GamesWork, task: Games) -> NDArray[np.int32]:
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


def test_the_ladder_is_climbed_until_a_game_is_not_won() -> None:
    parents = first_parents(preset("paper")).weights
    config = replace(preset("paper"), observers="discs", deepest=6)
    with Crew(config) as crew:
        seen = observe(config, parents, crew)
        won = []
        for depth in (2, 4, 6):
            black = np.arange(10, dtype=np.int32)
            rival = Rival("discs", depth)
            won.append(crew.play(Games(parents, black, np.full(10, -1, np.int32), rival)) > 0)
    climbs = np.cumprod(won, axis=0).sum(axis=0)
    assert seen.rungs["discs"].tolist() == climbs.tolist()
    assert 0 < climbs.sum() < 30
    assert seen.top_won == won[2][0]
    assert [level(rungs) for rungs in (0, 1, 2, 3, 4, 7)] == [
        "beginner", "novice", "intermediate", "master", "master", "master"
    ]  # fmt: skip


def evolve(config: CoevolutionConfig, folder: Path, workers: int = 1) -> Networks:
    there = (folder / "config.json").exists()
    with (
        Run.resume(folder) if there else Run.create(folder, config.to_json()) as run,
        Crew(config, workers) as crew,
    ):
        assert train(run, Evolution(config, crew, folder))
    return load_population(folder / "population.safetensors")[0]


@pytest.fixture(scope="module")
def evolved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole run."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    evolve(SMOKE, folder)
    return folder


def same(one: Networks, other: Networks) -> bool:
    pairs = zip(one.arrays().values(), other.arrays().values(), strict=True)
    return all(np.array_equal(*pair) for pair in pairs)


def test_neither_workers_nor_observers_change_evolution(evolved: Path, tmp_path: Path) -> None:
    whole = load_population(evolved / "population.safetensors")[0]
    assert same(evolve(SMOKE, tmp_path / "two", workers=2), whole)
    unseen = replace(SMOKE, observe_every=20, deepest=2, observers="discs", top_depth=2)
    assert same(evolve(unseen, tmp_path / "unseen"), whole)
    assert not same(evolve(replace(SMOKE, seed=2), tmp_path / "other"), whole)


@pytest.mark.parametrize(
    "settings", [["variation=strategy", "opening=4", "averaging=0.9"], ["shape=hybrid", "depth=3"]]
)
def test_other_ways_to_evolve_resume_exactly(settings: list[str], tmp_path: Path) -> None:
    config = SMOKE.with_settings([*settings, "generations=6", "checkpoint_every=2"])
    whole = evolve(config, tmp_path / "whole", workers=2)
    with Crew(config) as crew:
        with Run.create(tmp_path / "cut", config.to_json()) as run:
            assert not train(run, Evolution(config, crew, tmp_path / "cut"), hours=0)
        cut = Evolution(config, crew)
        cut.train_until(3)
        (tmp_path / "three").mkdir()
        cut.save(tmp_path / "three")
        again = Evolution(config, crew)
        again.load(tmp_path / "three")
        again.train_until(6)
    assert same(again.parents, whole)
    assert same(evolve(config, tmp_path / "cut"), whole)


def test_a_strategys_mean_goes_where_more_points_are() -> None:
    """Points for the sum of the weights: the mean's sum grows."""
    config = replace(preset("strategy"), rate=0.01)
    strategy = Strategy(config)
    before = strategy.mean.sum()
    for generation in range(10):
        drawn = strategy.sample(generation)
        assert np.allclose(drawn.weights[:10] + drawn.weights[10:], 2 * strategy.mean, atol=1e-5)
        strategy.learn(generation, drawn.weights.sum(axis=1).astype(np.float64))
    assert strategy.mean.sum() > before + 5
    still = strategy.mean.copy()
    strategy.first[:] = 0
    strategy.learn(10, np.ones(20))
    assert np.array_equal(strategy.mean, still)


def test_openings_leave_a_game_to_play() -> None:
    """Some random games end within 40 moves; these are drawn again."""
    config = replace(SMOKE, opening=40)
    drawn = draw_openings(config, 20_000, 0)
    assert drawn is not None
    boards, naive, ended = Boards.start(len(drawn)), Boards.start(len(drawn)), 0
    for ply in range(40):
        boards = boards.play(drawn[:, ply])
        assert not boards.is_over().any()
        key = key_of("coevolution", config.seed, "openings", 0, ply)
        naive = naive.play(random_moves(naive.own, naive.other, key, threads=1))
        ended += int(naive.is_over().sum())
        naive = naive[~naive.is_over()]
    assert ended
    again = draw_openings(config, 20_000, 0)
    assert again is not None
    assert np.array_equal(drawn, again)


def test_a_strategys_player_is_the_average_of_its_means() -> None:
    config = replace(preset("strategy"), averaging=0.5)
    strategy, means = Strategy(config), []
    expected = strategy.mean
    for generation in range(20):
        drawn = strategy.sample(generation)
        strategy.learn(generation, drawn.weights.sum(axis=1).astype(np.float64))
        kept = min(0.5, (1 + generation) / (10 + generation))
        expected = kept * expected + (1 - kept) * strategy.mean
        means.append(strategy.mean.sum())
    assert np.allclose(strategy.center().weights[0], expected, atol=1e-6)
    assert means[-4] < strategy.average.sum() < means[-1]  # it lags behind what grows


def test_networks_learn_to_play() -> None:
    """Those of the first generation lose to the mean of a later one, from openings new to it."""
    config = preset("strategy").with_settings(
        ["shape=only", "depth=1", "population=60", "opening=4"]
    )
    strangers = first_parents(replace(config, seed=77, population=40)).weights
    openings = draw_openings(replace(config, seed=78, opening=6), 200, 0)
    first, others = np.zeros(200, np.int32), np.arange(200, dtype=np.int32) % 20 + 1

    def strength(evolution: Evolution) -> float:
        weights = np.concatenate([evolution.parents.weights[:1], strangers])
        black = crew.play(Games(weights, first, others, openings=openings))
        white = -crew.play(Games(weights, others, first, openings=openings))
        return float((np.sign(np.concatenate([black, white])) + 1).mean() / 2)

    with Crew(config) as crew:
        evolution = Evolution(config, crew)
        evolution.train_until(1)
        before = strength(evolution)
        evolution.train_until(80)
        assert strength(evolution) > max(0.6, before + 0.1)


def test_a_run_has_its_metrics_and_its_archive(evolved: Path) -> None:
    lines = Run.open(evolved).metrics()
    assert [line["generation"] for line in lines] == list(range(1, 21))
    assert len(lines[0]["climbed"]["discs"]) == SMOKE.parents
    for line in lines:
        counts = [line[name] for name in ("novices", "intermediates", "masters")]
        climbed = line["climbed"]["discs"]
        assert counts == [climbed.count(1), climbed.count(2), 0]
    archived = sorted(path.name for path in (evolved / "archive").iterdir())
    assert archived == [f"generation-{n:06d}.safetensors" for n in (0, 5, 10, 15, 20)]
    last, _, facts = load_population(evolved / "archive" / archived[-1])
    assert same(last, load_population(evolved / "population.safetensors")[0])
    assert facts["generation"] == 20
    assert (last.born > 0).any()


def test_killed_and_resumed_it_comes_out_the_same(evolved: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "outflank", "learn", "coevolution", "--runs", str(tmp_path)]
    begin = [*command, "--preset", "smoke", "--run", "killed", "--workers", "1"]
    for arguments in (begin, [*command, "--run", "killed", "--resume", "--workers", "2"]):
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        before = generations(folder)
        deadline = time.monotonic() + 60
        while generations(folder) < before + 4 and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    assert same(evolve(SMOKE, folder), load_population(evolved / "population.safetensors")[0])
    lines, whole = (Run.open(path).metrics() for path in (folder, evolved))
    assert [{**line, "seconds": 0} for line in lines] == [{**line, "seconds": 0} for line in whole]


def generations(folder: Path) -> int:
    path = folder / "metrics.jsonl"
    return len(path.read_bytes().splitlines()) if path.exists() else 0


def test_other_settings_cannot_go_on_with_a_run(
    evolved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--runs", str(evolved.parent), "--run", "whole", "--resume", "--set", "seed=3"]
    assert command(monkeypatch, *words) == 2
    assert "was begun with seed=1, not 3" in capsys.readouterr().err


def test_the_command_from_beginning_to_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--preset", "smoke", "--set", "generations=3", "--run", "a", "--workers", "1"]
    assert command(monkeypatch, *words) == 0
    out = capsys.readouterr().out
    assert "against discs:" in out
    assert "beginner" in out
    assert command(monkeypatch, *words) == 2
    assert "--resume" in capsys.readouterr().err
    assert command(monkeypatch, "--run", "a", "--resume", "--json") == 0
    end = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (end["event"], end["step"]) == ("finished", 3)
    assert command(monkeypatch, "--fields", "--preset", "paper", "--json") == 0
    assert json.loads(capsys.readouterr().out)["generations"] == 1000
    assert command(monkeypatch, "--preset", "smoke") == 2
    assert "which run?" in capsys.readouterr().err


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["outflank", "learn", "coevolution", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return int(ended.value.code or 0)


def test_a_population_of_another_kind_is_refused(evolved: Path, tmp_path: Path) -> None:
    with Crew(SMOKE) as crew:
        other = Evolution(replace(SMOKE, seed=9), crew)
        with pytest.raises(DataError, match="another configuration"):
            other.load(sorted((evolved / "checkpoints").iterdir())[-1])
    (tmp_path / "population.safetensors").write_bytes(os.urandom(40))
    with pytest.raises(DataError, match=r"population\.safetensors"):
        load_population(tmp_path / "population.safetensors")


def test_a_line_leads_back_to_the_first_generation(evolved: Path) -> None:
    line = ancestors(evolved, rank=2)
    assert [one.generation for one in line] == [0, 5, 10, 15, 20]
    assert all(one.born <= one.generation for one in line)
    assert [one.born for one in line] == sorted(one.born for one in line)
    last, family, _ = load_population(evolved / "population.safetensors")
    assert line[-1].number == last.number[1]
    parent_of = {int(number): int(parent) for number, parent, _ in family}
    number = line[-1].number
    seen = {number}
    while parent_of[number] >= 0:
        number = parent_of[number]
        seen.add(number)
    assert {one.number for one in line} <= seen
    assert number == line[0].number
    with pytest.raises(DataError, match="rank 9; accepted is 1 to 4"):
        ancestors(evolved, rank=9)
    with pytest.raises(DataError, match="no run of coevolution"):
        ancestors(evolved / "archive")


def test_a_network_taken_out_of_a_run_plays(
    evolved: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = tmp_path / "mine.safetensors"
    words = ["export", str(evolved), "--generation", "10", "--rank", "3", "--out", str(file)]
    assert command(monkeypatch, *words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["generation"] == 10
    parents, _, _ = load_population(evolved / "archive" / "generation-000010.safetensors")
    assert np.array_equal(EvolvedNetwork.load(file).weights, parents.weights[2])
    player = make_player(f'evolved:"{file}"')
    thought = player.think(Game.from_transcript("f5d6c3").position)
    assert thought.value is not None
    assert -1 < thought.value < 1
    assert make_player(f'alphabeta:eval="{file}",depth=2').choose(Game().position) is not None
    assert command(monkeypatch, *words[:2], "--generation", "3", "--out", str(file)) == 2
    assert "there are 0, 5, 10, 15, 20" in capsys.readouterr().err


def test_a_line_and_a_run_are_shown(
    evolved: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert command(monkeypatch, "lineage", str(evolved), "--every", "10", "--depth", "2") == 0
    assert "generation" in capsys.readouterr().out
    words = ["lineage", str(evolved), "--every", "10", "--depth", "2", "--json"]
    assert command(monkeypatch, *words) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["generation"] for row in rows] == [0, 10, 20]
    for row in rows:
        game = Game.from_transcript(row["game"])
        position = game.position
        assert game.is_over
        assert row["score"] == position.black.bit_count() - position.white.bit_count()
    pytest.importorskip("matplotlib", reason="needs matplotlib (the extra train)")
    picture = tmp_path / "run.png"
    assert command(monkeypatch, "draw", str(evolved), "--out", str(picture)) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    line = tmp_path / "line.svg"
    assert command(monkeypatch, *words[:-1], "--figure", str(line)) == 0
    assert "</svg>" in line.read_text()


def test_families_and_spread_tell_how_unlike_parents_are() -> None:
    config = replace(SMOKE, variation="fixed", step=0.001)
    with Crew(config) as crew:
        evolution = Evolution(config, crew)
        first = evolution.measure()
        assert first["families"] == config.parents
        assert 0.7 < first["spread"] < 1.0  # strangers: nothing but the mean of a few in common
        evolution.train_until(20)
        later = evolution.measure()
    line = {number: parent for number, parent, _ in evolution.family.tolist()}
    founders = set()
    for number in evolution.parents.number.tolist():
        while line[number] >= 0:
            number = line[number]
        founders.add(number)
    assert later["families"] == len(founders) < config.parents
    assert later["spread"] < first["spread"]


def test_neighbours_are_averaged() -> None:
    assert smoothed([0, 0, 3, 0, 0], 3).tolist() == [0, 1, 1, 1, 0]
    assert smoothed([1, 5], 100).tolist() == [3, 3]
    assert smoothed([], 3).tolist() == []


def test_levels_are_counted() -> None:
    lines = [{"climbed": {"discs": [0, 1, 1, 2, 3]}}, {"climbed": {"discs": [3, 4, 2, 2, 0]}}]
    assert [counts_of_level(lines, "discs", k).tolist() for k in (1, 2, 3)] == [
        [2, 0], [1, 2], [1, 2]
    ]  # fmt: skip
    assert counts_at_least(lines, "discs", 2).tolist() == [2, 4]


@pytest.mark.parametrize(("name", "rungs"), [("novice", 1), ("intermediate", 2), ("master", 3)])
def test_shipped_players_are_of_their_level(name: str, rungs: int) -> None:
    """As the paper tells it: black, at two plies, beats the piece differential so much deeper."""
    network = EvolvedNetwork.load(shipped_models()[f"evolved-{name}"].path)
    config = CoevolutionConfig.from_json(network.facts["config"])
    assert config == preset("evolved")
    scores = [
        game_of(config, network.weights, Rival("discs", depth)).score
        for depth in (2, 4, 6, 8)[: rungs + 1]
    ]
    assert [score > 0 for score in scores] == [True] * rungs + [False]


def test_the_shipped_master_beats_discs_at_depth_4_in_a_fair_match() -> None:
    """docs/coevolution.md has the figure on paper 1's openings; here are fewer, random ones."""
    match = Tournament(
        ("evolved:master", "alphabeta:eval=discs,depth=4"),
        tuple(random_openings(6, 50, seed=1)),
        100,
    )
    with Store(":memory:") as store, arena.Run(match, store, workers=1) as run:
        result = run.play().pairs[0]
    assert result.games == 100
    assert (result.winning_rate or 0.0) >= 0.7
