"""The network of patterns in training: what it learns from, and that it learns."""

from __future__ import annotations

import json
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
from outflank.nets.files import Tensors, load_card, load_tensors, save_tensors
from outflank.nets.pattern_value import PatternValue
from outflank.othello import BLACK, PASS
from outflank.othello.boards import Boards
from strategies import random_game

pytest.importorskip("torch", reason="needs PyTorch (the extra train)")

LEARNER = find_learner("value")
GAMES = [random_game(seed) for seed in range(40)]


def small(*settings: str) -> ValueConfig:
    return preset("fast-smoke").with_settings(
        ["states=2000", "held_out=0.2", "batch=64", *settings]
    )


def positions(held_out: int = 0) -> GamePositions:
    """All positions of GAMES; the first games are held out."""
    examples = examples_of(GAMES)
    score = examples.score.astype(np.float32)
    out = examples.game < held_out
    return GamePositions(
        examples.own, examples.other, examples.value, score, score, examples.game, out, {}
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


def weights_in(folder: Path) -> Tensors:
    """The unrounded weights that a run exported."""
    return load_tensors(folder / "network-exact.safetensors", kind="training")[0]


def saved_weights(checkpoint: Path) -> Tensors:
    """The weights with which a checkpoint goes on."""
    state, _ = load_tensors(checkpoint / "training.safetensors", kind="training")
    return {name[4:]: array for name, array in state.items() if name.startswith("now.")}


def same(one: Tensors, other: Tensors) -> bool:
    return one.keys() == other.keys() and all((one[name] == other[name]).all() for name in one)


def test_an_interrupted_run_ends_like_an_uninterrupted_one(
    tmp_path: Path, weighted_wthor: Path
) -> None:
    config = small("epochs=4", "pattern_dropout=0.1", "learning_rate=0.03")
    trained(tmp_path / "whole", weighted_wthor, config)
    part = tmp_path / "part"
    ending = trained(part, weighted_wthor, config, hours=1e-9)
    while not ending.finished:
        ending = trained(part, weighted_wthor, None, hours=4e-4)
    assert same(weights_in(tmp_path / "whole"), weights_in(part))
    lines = [
        [{k: v for k, v in line.items() if k != "seconds"} for line in Run.open(run).metrics()]
        for run in (tmp_path / "whole", part)
    ]
    assert lines[0] == lines[1]


def test_a_training_that_is_resumed_again_and_again_exports_the_same(tmp_path: Path) -> None:
    """In the middle of passes, at their ends, and after the lowest error was found."""
    from outflank.learn.value.patterns import PatternTrainer

    config = small("epochs=8", "learning_rate=0.005", "td_lambda=0.9", "patience=3")
    found = positions(held_out=20)
    lines: list[list[Any]] = [[], []]
    for run, (name, stops) in enumerate({"whole": 1, "part": 3}.items()):
        trainer = PatternTrainer(config, found)
        while trainer.step < trainer.steps:
            begun = trainer.step
            for stop in range(1, stops + 1):
                trainer.train_until(begun + trainer.steps_per_epoch * stop // stops)
                if stop == stops:
                    lines[run].append(dict(trainer.measure()))
                if stops > 1:
                    folder = tmp_path / f"{name}-{trainer.step}"
                    folder.mkdir()
                    trainer.save(folder)
                    trainer = PatternTrainer(config, found)
                    trainer.load(folder)
        (tmp_path / name).mkdir()
        trainer.export(tmp_path / name, lines[run][-1])
    errors = [line["held_out_error"] for line in lines[0]]
    best = errors.index(min(errors))
    assert best > 0
    assert len(errors) == best + 1 + 3 < 8  # patience ended it
    assert lines[0] == lines[1]
    for file in ("network.safetensors", "network-exact.safetensors"):
        assert (tmp_path / "whole" / file).read_bytes() == (tmp_path / "part" / file).read_bytes()


def test_the_weights_of_the_lowest_error_are_exported(tmp_path: Path, weighted_wthor: Path) -> None:
    """Enough positions are held out for each stage to get its own scale."""
    config = small("held_out=0.7", "epochs=6", "learning_rate=0.003", "td_lambda=1")
    trained(tmp_path / "run", weighted_wthor, config)
    run = Run.open(tmp_path / "run")
    lines = run.metrics()
    lowest = min(lines, key=lambda line: line["held_out_error"])
    assert lines[0]["held_out_error"] > lowest["held_out_error"] < lines[-1]["held_out_error"]
    assert [line["lowest_error"] for line in lines] == [
        min(line["held_out_error"] for line in lines[: number + 1]) for number in range(len(lines))
    ]

    best, last = run.best_checkpoint(), run.last_checkpoint()
    assert best is not None
    assert last is not None
    exported = weights_in(tmp_path / "run")
    assert same(exported, saved_weights(best.folder))
    assert not same(exported, saved_weights(last.folder))

    network = PatternValue.load(tmp_path / "run" / "network.safetensors")
    held_out = gather_positions(config, wthor=weighted_wthor)
    own, other = held_out.own[held_out.held_out], held_out.other[held_out.held_out]
    values = network.predict(Boards(own, other, np.zeros(len(own), np.bool_))).values
    assert values is not None
    error = ((values - held_out.value[held_out.held_out]) ** 2).mean()
    assert error == pytest.approx(lowest["held_out_error"], abs=1e-6)
    unscaled = exported["outer"][:, :, 0] * 256
    assert np.abs(network.tensors["outer"] - unscaled).max() > 1

    assert network.card.training["step"] == lowest["step"]
    assert network.card.measured["held_out_error"] == lowest["held_out_error"]


def test_it_stops_when_the_error_falls_no_more(tmp_path: Path, weighted_wthor: Path) -> None:
    config = small("epochs=500", "patience=2", "learning_rate=0")
    ending = trained(tmp_path / "run", weighted_wthor, config)
    assert ending.finished
    assert ending.metrics["epoch"] == 3  # the first, and two that were not better
    again = trained(tmp_path / "run", weighted_wthor, None)
    assert (again.finished, again.step) == (True, ending.step)


def test_the_last_weights_are_exported_if_nothing_is_held_out(
    tmp_path: Path, weighted_wthor: Path
) -> None:
    ending = trained(tmp_path / "run", weighted_wthor, small("held_out=0", "patience=1"))
    assert ending.step == ending.steps
    last = Run.open(tmp_path / "run").last_checkpoint()
    assert last is not None
    assert same(weights_in(tmp_path / "run"), saved_weights(last.folder))


def test_a_checkpoint_without_the_best_weights_goes_on(tmp_path: Path) -> None:
    """As runs had them before the best weights were kept."""
    from outflank.learn.value.patterns import PatternTrainer

    config, found = small("epochs=2"), positions(held_out=20)
    trainer = PatternTrainer(config, found)
    trainer.train_until(trainer.steps_per_epoch)
    trainer.measure()
    trainer.save(tmp_path)
    file = tmp_path / "training.safetensors"
    state, facts = load_tensors(file, kind="training")
    state = {name: array for name, array in state.items() if not name.startswith("best.")}
    for name in ("best", "steps", "waited"):
        del facts[name]
    save_tensors(file, state, kind="training", facts=facts)

    resumed = PatternTrainer(config, found)
    resumed.load(tmp_path)
    resumed.export(tmp_path, {})
    assert same(weights_in(tmp_path), saved_weights(tmp_path))
    assert resumed.steps == trainer.steps
    resumed.train_until(resumed.steps)
    measured = resumed.measure()
    assert measured["lowest_error"] == measured["held_out_error"]
    resumed.export(tmp_path, measured)
    assert load_card(tmp_path / "network.safetensors").training["step"] == resumed.steps


@pytest.mark.parametrize("held_out", ["held_out=0.2", "held_out=0"])
def test_a_training_that_diverges_is_stopped(
    tmp_path: Path, weighted_wthor: Path, monkeypatch: pytest.MonkeyPatch, held_out: str
) -> None:
    """The last step of a pass spoils the weights: no loss shows it, and rounding would hide it."""
    from outflank.learn.value.patterns import PatternTrainer

    learn = PatternTrainer._learn

    def spoil(self: PatternTrainer, index: Any, targets: Any) -> None:
        learn(self, index, targets)
        if self.step == self.steps - 1:
            self.module.inner.data[3, 0, 0] = np.nan

    monkeypatch.setattr(PatternTrainer, "_learn", spoil)
    config = small("epochs=1", held_out)
    with pytest.raises(
        DataError, match=r"^step \d+: the weights are no longer numbers; try a lower learning rate$"
    ):
        trained(tmp_path / "run", weighted_wthor, config)
    status = json.loads((tmp_path / "run" / "status.json").read_text())
    assert status["state"] == "failed"
    assert not list((tmp_path / "run").rglob("*.safetensors"))


def test_weights_that_are_no_numbers_are_not_begun_with(
    tmp_path: Path, weighted_wthor: Path
) -> None:
    trained(tmp_path / "first", weighted_wthor, small("epochs=1"))
    weights = weights_in(tmp_path / "first")
    weights["inner"] = np.full_like(weights["inner"], np.nan)
    exact = tmp_path / "first" / "network-exact.safetensors"
    save_tensors(exact, weights, kind="training", facts={})
    with pytest.raises(DataError, match="inner has weights that are no numbers"):
        trained(tmp_path / "second", weighted_wthor, small(f"start={tmp_path / 'first'}"))
    assert not (tmp_path / "second").exists()


def test_a_momentum_of_one_is_named(tmp_path: Path, weighted_wthor: Path) -> None:
    with pytest.raises(DataError, match="momentum: 1; accepted is less than 1"):
        trained(tmp_path / "run", weighted_wthor, small("momentum=1"))
    assert not (tmp_path / "run").exists()


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
