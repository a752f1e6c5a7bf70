"""Evolution as a run: observers, resuming, what is kept and shown, and the shipped players."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from outflank import arena, cli
from outflank._core import random_moves
from outflank.arena import Store, Tournament, random_openings
from outflank.chance import key_of
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
    first_parents,
    level,
    load_population,
    observe,
    preset,
)
from outflank.learn.coevolution.contest import Games
from outflank.learn.coevolution.drawing import counts_at_least, counts_of_level, smoothed
from outflank.learn.coevolution.play import game_of
from outflank.learn.coevolution.selection import (
    draw_openings,
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
    assert paper.tau == pytest.approx(0.0806811, abs=1e-7)
    assert paper.observer_depths == (2, 4, 6)


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


def test_observers_get_deeper_until_a_game_is_not_won() -> None:
    parents = first_parents(preset("paper")).weights
    config = replace(preset("paper"), observers="discs", deepest=6)
    with Crew(config) as crew:
        seen = observe(config, parents, crew)
        won = []
        for depth in (2, 4, 6):
            black = np.arange(10, dtype=np.int32)
            rival = Rival("discs", depth)
            won.append(crew.play(Games(parents, black, np.full(10, -1, np.int32), rival)) > 0)
    beaten = np.cumprod(won, axis=0).sum(axis=0)
    assert seen.depths_beaten["discs"].tolist() == beaten.tolist()
    assert 0 < beaten.sum() < 30
    assert seen.top_won == won[2][0]
    assert "winners" not in seen.to_json()
    with Crew(config) as crew:
        everyone = observe(replace(config, all_depths=True), parents, crew)
    assert everyone.depths_beaten["discs"].tolist() == beaten.tolist()
    counts = {depth: int(one.sum()) for depth, one in zip("246", won, strict=True)}
    assert everyone.to_json()["winners"] == {"discs": counts}
    assert [level(depths) for depths in (0, 1, 2, 3, 4, 7)] == [
        "beginner", "novice", "intermediate", "master", "master", "master"
    ]  # fmt: skip


def test_a_drawn_game_beats_nobody() -> None:
    """A parent that draws against an observer comes no further, and a drawn first game is none."""

    class Drawing(Crew):
        """All games are drawn but those at depth 2, which the first three of five parents win."""

        def play_all(self, tasks: Sequence[Games]) -> list[NDArray[np.int32]]:
            return [self.play(task) for task in tasks]

        def play(self, games: Games) -> NDArray[np.int32]:
            assert games.rival is not None
            won = games.black < 3 if games.rival.depth == 2 else np.zeros(len(games.black), bool)
            return won.astype(np.int32)

    config = replace(preset("paper"), observers="discs", deepest=6)
    parents = first_parents(preset("paper")).weights[:5]
    with Drawing(config) as crew:
        seen = observe(config, parents, crew)
    assert seen.depths_beaten["discs"].tolist() == [1, 1, 1, 0, 0]
    assert not seen.top_won


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
    config = replace(preset("strategy"), learning_rate=0.01)
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
    with pytest.raises(DataError, match="not a run of coevolution"):
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
    thought = player.think(Game.from_transcript("f5d6c3"))
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
    config = replace(SMOKE, variation="fixed", sigma=0.001)
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


@pytest.mark.parametrize(("name", "depths"), [("novice", 1), ("intermediate", 2), ("master", 3)])
def test_shipped_players_are_of_their_level(name: str, depths: int) -> None:
    """As the paper tells it: black, at two plies, beats the piece differential so much deeper."""
    network = EvolvedNetwork.load(shipped_models()[f"evolved-{name}"].path)
    config = CoevolutionConfig.from_json(network.facts["config"])
    assert config == preset("evolved")
    scores = [
        game_of(config, network.weights, Rival("discs", depth)).score
        for depth in (2, 4, 6, 8)[: depths + 1]
    ]
    assert [score > 0 for score in scores] == [True] * depths + [False]


def test_the_shipped_master_beats_discs_at_depth_4_in_a_fair_match() -> None:
    """docs/coevolution.md has the figure on paper 1's openings; here are fewer, random ones."""
    match = Tournament(
        ("evolved:master", "alphabeta:eval=discs,depth=4"),
        tuple(random_openings(6, 50, seed=1)),
        100,
    )
    with Store(":memory:") as store, arena.TournamentRunner(match, store, workers=1) as run:
        result = run.play().pairs[0]
    assert result.games == 100
    assert (result.winning_rate or 0.0) >= 0.7
