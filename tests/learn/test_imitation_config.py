"""Configurations: what is accepted, and the learning rate at each step."""

from __future__ import annotations

import json

import pytest

from outflank.errors import DataError
from outflank.learn.imitation import PRESETS, ImitationConfig, preset
from outflank.learn.imitation.schedule import rate_at


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_back_from_json(name: str) -> None:
    config = preset(name)
    assert ImitationConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


def test_the_paper() -> None:
    config = preset("paper")
    assert config == ImitationConfig()
    assert (config.network, config.dataset, config.batch) == ("conv8-bn", "unique-s", 512)
    assert (config.learning_rate, config.momentum, config.l2) == (0.1, 0.95, 5e-4)
    assert (config.passes, config.held_out_share) == (6, 0.05)
    plain = config.with_settings(["dataset=unique"])
    assert (plain.passes, plain.held_out_share) == (24, 0.25)


def test_settings() -> None:
    config = preset("paper").with_settings(
        ["network=conv4", "epochs=0.5", "held_out=none", "augment=yes", "batch=64", "years=-2000"]
    )
    assert (config.network, config.epochs, config.held_out) == ("conv4", 0.5, None)
    assert (config.augment, config.batch, config.years) == (True, 64, "-2000")


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("colour=red", r"'colour=red': accepted is FIELD=VALUE; fields are network, encoding"),
        ("batch", r"'batch': accepted is FIELD=VALUE"),
        ("batch=many", "batch: 'many'; accepted is a whole number"),
        ("batch=0", "batch: 0; accepted is 1 to"),
        ("learning_rate=fast", "learning_rate: 'fast'; accepted is a number"),
        ("rate=nan", "learning_rate: 'nan'; accepted is a number"),
        ("seed=-1", "seed: -1; accepted is 0 to"),
        ("split_seed=-1", "split_seed: -1; accepted is 0 to"),
        ("augment=perhaps", "augment: 'perhaps'; accepted is yes or no"),
        ("dataset=all", "dataset: 'all'; accepted is original, unique, original-s, unique-s"),
        ("schedule=", "schedule: ''; accepted is halving"),
    ],
)
def test_settings_that_are_not_accepted(setting: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        preset("smoke").with_settings([setting])


def test_files_that_are_not_accepted() -> None:
    with pytest.raises(DataError, match=r"config\.json: no such field: 'x'"):
        ImitationConfig.from_json({"x": 1}, "config.json")
    with pytest.raises(DataError, match=r"config\.json: batch: '1'; accepted is a whole number"):
        ImitationConfig.from_json({"batch": "1"}, "config.json")
    with pytest.raises(DataError, match="no such preset: 'huge'; presets are paper"):
        preset("huge")


def test_halving_as_in_the_paper() -> None:
    config = preset("paper")
    rates = [rate_at(config, step, 600, 100) for step in (0, 49, 50, 99, 100, 599)]
    assert rates == [0.1, 0.1, 0.05, 0.05, 0.025, 0.1 / 2**11]


@pytest.mark.parametrize("schedule", ["cosine", "one-cycle"])
def test_schedules_rise_and_fall(schedule: str) -> None:
    config = preset("paper").with_settings([f"schedule={schedule}", "warm_up=0.2"])
    rates = [rate_at(config, step, 100, 10) for step in range(101)]
    assert max(rates) == rates[19] == rates[20] == pytest.approx(0.1)
    assert rates[:20] == sorted(rates[:20])
    assert rates[20:] == sorted(rates[20:], reverse=True)
    assert 0 < rates[0] < 0.01
    assert rates[100] == pytest.approx(0, abs=1e-12)


def test_a_constant_rate() -> None:
    config = preset("paper").with_settings(["schedule=constant"])
    assert {rate_at(config, step, 10, 5) for step in range(10)} == {0.1}
