"""`outflank learn value test` and `refine`: what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from learn.weighted_games import weighted_games
from nets.pattern_values import save_pattern_value
from outflank import records
from outflank.cli import app
from outflank.errors import DataError
from outflank.learn import find_learner, train_run
from outflank.learn.value import preset
from outflank.learn.value.refining import collect_games, refining_config
from outflank.learn.value.sets import all_states, gather_games
from outflank.learn.value.testing import measure_values
from outflank.models import load_network

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


def test_other_networks_are_not_refined() -> None:
    with pytest.raises(DataError, match="is no network of outflank learn value"):
        refining_config("imitation-fast", "games.sgf", [])
