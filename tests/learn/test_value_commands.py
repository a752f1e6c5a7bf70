"""`outflank learn value test` and `refine`: what they print, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from learn.weighted_games import weighted_games
from nets.pattern_values import save_pattern_value
from outflank import Position, records
from outflank.arena import Store, Tournament, TournamentRunner, find_openings
from outflank.arena.results import PairResult, Score
from outflank.cli import app
from outflank.errors import DataError, FileError
from outflank.learn import Run, find_learner, train_run
from outflank.learn.session import Ending
from outflank.learn.value import preset, refining
from outflank.learn.value.refining import collect_games, refine, refining_config
from outflank.learn.value.sets import all_states, gather_games
from outflank.learn.value.testing import measure_values
from outflank.models import load_network
from outflank.nets.files import load_tensors

runner = CliRunner()


def test_one_network_on_all_positions(tmp_path: Path, weighted_wthor: Path) -> None:
    path = save_pattern_value(tmp_path / "n.safetensors")
    command = ["learn", "value", "test", str(path), "--wthor", str(weighted_wthor)]
    answer = json.loads(runner.invoke(app, [*command, "--years", "2001-2002", "--json"]).stdout)
    states = all_states(gather_games("2001-2002", wthor=weighted_wthor).examples)
    values = load_network(path).predict(states.boards()).values
    assert values is not None
    wanted = float(((values.astype(np.float64) - states.value) ** 2).mean())
    assert answer["examples"] == len(states)
    assert answer["mse"] == pytest.approx(wanted)
    assert answer["years"] == "2001-2002"


def test_several_networks_on_several_sets(tmp_path: Path, weighted_wthor: Path) -> None:
    one, two = (str(save_pattern_value(tmp_path / f"{n}.safetensors", n)) for n in (1, 2))
    command = ["learn", "value", "test", one, two, "--sets", "1-3", "--wthor", str(weighted_wthor)]
    answer = json.loads(runner.invoke(app, [*command, "--json"]).stdout)
    assert [(row["network"], row["set"]) for row in answer["rows"]] == [
        (name, number) for name in (one, two) for number in (1, 2, 3)
    ]
    assert all(row["examples"] == 240 for row in answer["rows"])
    shown = runner.invoke(app, command, env={"COLUMNS": "200"}).stdout
    assert "set 3" in shown
    assert "mean" in shown


def test_what_cannot_be_tested(tmp_path: Path, weighted_wthor: Path) -> None:
    states = all_states(gather_games("2001", wthor=weighted_wthor).examples)
    network = load_network(save_pattern_value(tmp_path / "n.safetensors"))
    with pytest.raises(DataError, match="there is nothing to test with: no states"):
        measure_values(network, states.take(slice(0)))
    with pytest.raises(DataError, match="has no values to test"):
        measure_values(load_network("imitation-conv"), states)


def test_games_are_collected(tmp_path: Path) -> None:
    games = weighted_games(6)
    records.write(tmp_path / "games.sgf", [*games, games[0].undo(20)])
    assert len(collect_games(str(tmp_path / "games.sgf"))) == 6
    lab = tmp_path / "lab"
    lab.mkdir()
    start = games[0].start.to_string()
    for number, game in enumerate(games[:2]):
        content = {"start": start, "moves": [move.name for move in game.moves]}
        (lab / f"{number}.json").write_text(json.dumps(content))
    assert [game.moves for game in collect_games("lab", lab=lab)] == [g.moves for g in games[:2]]
    (lab / "9.json").write_text("{}")
    with pytest.raises(DataError, match=r"9\.json: not a game of the lab"):
        collect_games("lab", lab=lab)
    records.write(tmp_path / "short.sgf", [games[0].undo(20)])
    with pytest.raises(DataError, match=r"short\.sgf: no finished game to learn from"):
        collect_games(str(tmp_path / "short.sgf"))


def test_games_of_the_arena_are_collected(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    openings = tuple(find_openings("random:6", 2, seed=1))
    with Store(path) as store:
        TournamentRunner(Tournament(("greedy:seed=1", "random:seed=1"), openings, 4), store).play()
        stored = list(store.games())
    found = collect_games("arena", arena=path)
    assert [game.moves for game in found] == [game.moves for game in stored]
    assert len(found) == 4
    assert all(game.is_over and game.start == Position.start() for game in found)


def test_a_network_is_refined_and_meets_its_ancestor(tmp_path: Path, weighted_wthor: Path) -> None:
    pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    config = preset("fast-smoke").with_settings(["states=1000", "batch=100", "epochs=1"])
    train_run(find_learner("value"), tmp_path / "first", config, options={"wthor": weighted_wthor})
    games = tmp_path / "games.sgf"
    records.write(games, weighted_games(30, seed=7))
    command = ["learn", "value", "refine", str(tmp_path / "first"), "--games", str(games)]
    more = ["--run", "second", "--runs", str(tmp_path), "--match", "4", "--limit", "depth=1"]
    answer = json.loads(runner.invoke(app, [*command, *more, "--json"]).stdout)
    assert answer["games"] == 30
    assert answer["match"]["games"] == 4
    first, second = (load_network(str(tmp_path / run)).fingerprint for run in ("first", "second"))
    assert first != second


@pytest.fixture(scope="module")
def convolutional(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a tiny convolutional network that has learned something."""
    pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    pytest.importorskip("onnx", reason="needs onnx (the extra train)")
    folder = tmp_path_factory.mktemp("convolutional")
    records.write(folder / "games.sgf", weighted_games(1000))
    tiny = ["sets=1-6", "maps=4", "nodes=32", "batch=10", "conv_dropout=0", "dense_dropout=0"]
    learning = ["states=0", "epochs=4", f"games={folder / 'games.sgf'}"]
    train_run(
        find_learner("value"), folder / "first", preset("smoke").with_settings(tiny + learning)
    )
    return folder / "first"


def refined(network: Path, folder: Path, *settings: str) -> Run:
    """Let a network learn from other games of the same kind."""
    games = folder / "games.sgf"
    records.write(games, weighted_games(100, seed=7))
    found = refine(str(network), str(games), folder / "second", settings=["sets=1", *settings])
    assert (found.games, found.ending.finished, found.result) == (100, True, None)
    return Run.open(folder / "second")


def test_a_convolutional_network_is_refined(convolutional: Path, tmp_path: Path) -> None:
    run = refined(convolutional, tmp_path)
    assert run.config["start"] == str(convolutional)
    assert run.config["games"] == str(tmp_path / "second-games.sgf")
    assert run.config["learning_rate"] < 0.01
    assert len(load_network(str(run.folder)).card.trainings) == 2
    last = run.last_checkpoint()
    assert last is not None
    assert not same_weights(last.folder, convolutional)


def test_a_network_that_gets_worse_is_not_exported(convolutional: Path, tmp_path: Path) -> None:
    """What training begins with counts, too."""
    run = refined(convolutional, tmp_path, "held_out=0.4", "learning_rate=0.5", "max_norm=0.5")
    for line in run.metrics():
        assert line["held_out_error"] > line["lowest_error"]
    assert same_weights(run.folder, convolutional)


def same_weights(one: Path, other: Path) -> bool:
    tensors = [load_tensors(run / "network.safetensors", kind="network")[0] for run in (one, other)]
    return all((tensors[0][name] == tensors[1][name]).all() for name in tensors[0])


def test_a_second_run_leaves_the_games_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text("{}")
    kept = tmp_path / "run-games.sgf"
    kept.write_text("the games of the first")
    games = tmp_path / "games.sgf"
    records.write(games, weighted_games(2))
    with pytest.raises(FileError, match="there is one already"):
        refine("value-ng", str(games), tmp_path / "run")
    assert kept.read_text() == "the games of the first"
    with pytest.raises(DataError, match="is no network of outflank learn value"):
        refine("imitation-fast", str(games), tmp_path / "new" / "run")
    assert not (tmp_path / "new").exists()


def refine_with(
    monkeypatch: pytest.MonkeyPatch, folder: Path, ending: Ending, scores: Sequence[int]
) -> tuple[Result, int]:
    """Run the command, in which nothing is trained or played; scores are the new network's.

    Also returns how many matches it asked for.
    """
    matches = 0

    def match(*given: object, **options: object) -> PairResult:
        nonlocal matches
        matches += 1
        played = [Score(2 * n, score, "", 1, 1, 30, 30) for n, score in enumerate(scores)]
        return PairResult.of("new", "old", played)

    games = folder / "games.sgf"
    records.write(games, weighted_games(3))
    monkeypatch.setattr(refining, "train_run", lambda *given, **options: ending)
    monkeypatch.setattr(refining, "find_network_file", lambda name: Path(name))
    monkeypatch.setattr(refining, "refining_config", lambda *given: None)
    monkeypatch.setattr(refining, "match", match)
    command = ["learn", "value", "refine", "old", "--games", str(games), "--run", "new"]
    answer = runner.invoke(app, [*command, "--runs", str(folder)], env={"COLUMNS": "300"})
    return answer, matches


@pytest.mark.parametrize(
    ("scores", "rate", "verdict"),
    [
        ([2] * 40, "100.0%", "(95%: 89.2 to 100.0): stronger"),
        ([-2] * 40, "0.0%", "(95%: 0.0 to 10.8): weaker"),
        ([2, -2] * 20, "50.0%", "(95%: 35.1 to 64.9): inconclusive"),
    ],
    ids=["stronger", "weaker", "inconclusive"],
)
def test_the_verdict_of_the_match(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, scores: list[int], rate: str, verdict: str
) -> None:
    answer, matches = refine_with(monkeypatch, tmp_path, Ending(True, 5, 5, {}, []), scores)
    assert matches == 1
    assert answer.stdout.splitlines() == [
        f"{tmp_path / 'new'}: learned from 3 games",
        f"{rate} of 40 games against the network it comes from {verdict}",
    ]


def test_no_match_is_played_if_training_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ending = Ending(False, 1200, 2400, {}, [])
    answer, matches = refine_with(monkeypatch, tmp_path, ending, [2] * 40)
    assert (answer.exit_code, matches) == (0, 0)
    assert "Stopped at step 1,200 of 2,400, without a match" in answer.stderr
    assert f"--resume --run new --runs {tmp_path} continues from there" in answer.stderr
    assert answer.stdout == ""


def test_other_networks_are_not_refined() -> None:
    with pytest.raises(DataError, match="is no network of outflank learn value"):
        refining_config("imitation-fast", "games.sgf", [])
