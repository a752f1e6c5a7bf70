"""The network of patterns in training: what it learns from, and that it learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank.errors import DataError
from outflank.learn import Run, find_learner, train_run
from outflank.learn.value import ValueConfig, preset
from outflank.learn.value.played import examples_of
from outflank.learn.value.positions import (
    GamePositions,
    colours,
    gather_positions,
    lambda_returns,
)
from outflank.models import load_network
from outflank.nets.files import load_tensors
from outflank.othello import BLACK, PASS
from strategies import random_game

pytest.importorskip("torch", reason="needs PyTorch (the extra train)")

LEARNER = find_learner("value")
GAMES = [random_game(seed) for seed in range(40)]


def small(*settings: str) -> ValueConfig:
    return preset("fast-smoke").with_settings(
        ["states=2000", "held_out=0.2", "batch=64", *settings]
    )


def positions() -> GamePositions:
    examples = examples_of(GAMES)
    score = examples.score.astype(np.float32)
    nothing = np.zeros(len(examples), np.bool_)
    return GamePositions(
        examples.own, examples.other, examples.value, score, score, examples.game, nothing, {}
    )


def test_colours_are_those_of_the_games() -> None:
    wanted = [
        1 if position.turn is BLACK else -1
        for game in GAMES
        for position, move in zip(game.positions(), game.moves, strict=False)
        if move != PASS
    ]
    examples = examples_of(GAMES)
    assert colours(examples.own, examples.game).tolist() == wanted
    passes = sum(PASS in game.moves for game in GAMES)
    assert passes > 0


def test_lambda_returns_are_means_of_what_follows() -> None:
    found = positions()
    values = np.random.default_rng(1).uniform(-1, 1, len(found)).astype(np.float32)
    black = colours(found.own, found.game)
    for share in (0.0, 0.7, 1.0):
        returns = lambda_returns(found, values, share)
        for game in range(len(GAMES)):
            here = np.flatnonzero(found.game == game)
            wanted = found.value[here[-1]] * black[here[-1]]  # from black's view, backwards
            assert returns[here[-1]] == found.value[here[-1]]
            for place in here[-2::-1]:
                after = values[place + 1] * black[place + 1]
                wanted = share * wanted + (1 - share) * after
                assert returns[place] == pytest.approx(wanted * black[place], abs=1e-5)
    np.testing.assert_array_equal(lambda_returns(found, values, 1.0), found.value)


def test_perfect_scores_are_the_movers(weighted_wthor: Path) -> None:
    found = gather_positions(small(), wthor=weighted_wthor)
    assert len(found) > 240 * 40
    known = np.isfinite(found.perfect)
    assert known.all()
    # The made files have no perfect scores of their own, but what the writer puts there.
    assert set(np.abs(found.perfect[found.game == 0])) == {np.abs(found.perfect[0])}
    by_games = [set(found.game[found.held_out == out].tolist()) for out in (True, False)]
    assert by_games[0].isdisjoint(by_games[1])


def trained(folder: Path, wthor: Path, config: ValueConfig | None, **session: Any) -> Any:
    return train_run(LEARNER, folder, config, options={"wthor": wthor}, **session)


def test_it_learns_who_wins(tmp_path: Path, weighted_wthor: Path) -> None:
    trained(tmp_path / "run", weighted_wthor, small("states=0", "epochs=3", "learning_rate=0.005"))
    errors = [line["held_out_error"] for line in Run.open(tmp_path / "run").metrics()]
    assert min(errors) < 0.9
    network = load_network(str(tmp_path / "run"))
    assert network.evaluation is not None
    assert LEARNER.player(tmp_path / "run") is not None


def test_an_interrupted_run_ends_like_an_uninterrupted_one(
    tmp_path: Path, weighted_wthor: Path
) -> None:
    config = small("epochs=3", "pattern_dropout=0.1")
    trained(tmp_path / "whole", weighted_wthor, config)
    part = tmp_path / "part"
    ending = trained(part, weighted_wthor, config, hours=1e-9)
    while not ending.finished:
        ending = trained(part, weighted_wthor, None, hours=4e-4)
    one, other = (
        load_tensors(folder / "network-exact.safetensors", kind="training")[0]
        for folder in (tmp_path / "whole", part)
    )
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name], err_msg=name)


def test_training_goes_on_from_a_network(tmp_path: Path, weighted_wthor: Path) -> None:
    trained(tmp_path / "first", weighted_wthor, small())
    start = f"start={tmp_path / 'first'}"
    trained(tmp_path / "second", weighted_wthor, small(start, "learning_rate=0"))
    found = [load_network(str(tmp_path / run)).fingerprint for run in ("first", "second")]
    assert found[0] == found[1]
    with pytest.raises(DataError, match="has the shape"):
        trained(tmp_path / "third", weighted_wthor, small(start, "channels=32"))
    played = tmp_path / "played.safetensors"  # as it is shipped: whole numbers alone
    played.write_bytes((tmp_path / "first" / "network.safetensors").read_bytes())
    trained(tmp_path / "fourth", weighted_wthor, small(f"start={played}", "learning_rate=0"))
    assert load_network(str(tmp_path / "fourth")).fingerprint == found[0]
    with pytest.raises(DataError, match="has 16 channels and 8 hidden units, not 32 and 8"):
        trained(tmp_path / "fifth", weighted_wthor, small(f"start={played}", "channels=32"))
