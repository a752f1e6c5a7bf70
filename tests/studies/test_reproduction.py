"""The second look at paper 4: what chance gives, what is varied, runs side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from outflank.learn.coevolution import preset
from outflank.studies import Claim, Result, Row, Workbench, draw, find_study
from outflank.studies.coevolution import reproduction
from outflank.studies.coevolution.reproduction import (
    COLUMNS,
    FACTORS,
    PRINTED,
    VARIANTS,
    chance_points,
    config_of,
    judge_printed,
)
from outflank.studies.coevolution.side_by_side import evolve_all

SMALL = preset("smoke").with_settings(["generations=3", "deepest=2", "top_depth=2"])


def test_coins_give_the_points_that_were_found_elsewhere() -> None:
    """The best half of twenty have the mean and 0.8 of a deviation more, by about ten games."""
    by_hand = 25 + 0.77 * 2.5 * np.sqrt(10)
    assert chance_points(preset("paper"), 0.0) == pytest.approx(by_hand, rel=0.05)
    # A point for each of some ten games: survivors are who was drawn as an opponent most often.
    assert 10 < chance_points(preset("paper"), 1.0) < 13
    assert chance_points(preset("paper"), 0.05) == pytest.approx(31.7, abs=0.5)


def test_more_games_bring_survivors_more_points_by_chance() -> None:
    assert chance_points(preset("paper").with_settings(["opponents=19"]), 0.0) > 95


def test_every_variant_changes_one_thing() -> None:
    laptop = find_study("coevolution-reproduction").scales["laptop"]
    usual = config_of(laptop, PRINTED, 1).to_json()
    assert {name: usual[name] for name in ("sigma", "opponents", "population", "opening")} == {
        "sigma": 0.05, "opponents": 5, "population": 20, "opening": 0,
    }  # fmt: skip
    for factor, variants in FACTORS.items():
        for variant in variants:
            changed = config_of(laptop, variant, 1).to_json()
            differing = {name for name, value in changed.items() if value != usual[name]}
            allowed = {"variation", "sigma"} if factor == "step size, fixed" else differing
            assert differing <= allowed
            assert len(differing) == (len(VARIANTS[variant]) if variant != _FIRST_FIXED else 1)


_FIRST_FIXED = "steps of 0.05, fixed"  # the printed step size, but fixed


def test_runs_side_by_side_are_the_same_as_one_after_the_other(tmp_path: Path) -> None:
    configs = [replace(SMALL, seed=seed) for seed in (1, 2, 3)]
    beside, after = tmp_path / "beside", tmp_path / "after"
    some = evolve_all([*configs, configs[0]], Workbench(beside, workers=2))
    others = [Workbench(after, workers=1).evolve(config) for config in configs]
    assert some[3].network == some[0].network
    for one, other in zip(some, others, strict=False):
        assert one.config == other.config
        drop = ("seconds",)
        for mine, theirs in zip(one.metrics, other.metrics, strict=True):
            assert {k: v for k, v in mine.items() if k not in drop} == {
                k: v for k, v in theirs.items() if k not in drop
            }
        assert one.network.read_bytes() == other.network.read_bytes()


def test_what_was_evolved_is_not_evolved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configs = [replace(SMALL, seed=seed) for seed in (1, 2)]
    evolve_all(configs, Workbench(tmp_path, workers=1))
    monkeypatch.setattr("outflank.studies.workbench.train", None)
    assert len(evolve_all(configs, Workbench(tmp_path, workers=1))) == 2


def result_of(spread: float, ladder: float, points: float, strength: float) -> Result:
    """A result whose ten seeds lie around some figures."""
    usual = dict.fromkeys((column.name for column in COLUMNS), 50.0)
    seeds = {
        str(seed): usual | {"ladder-4": ladder + x, "points": points + x, "strength": strength + x}
        for seed, x in enumerate(np.linspace(-spread, spread, 10).tolist(), 1)
    }
    rows = (Row(PRINTED, {"ladder-4": ladder}, facts={"seeds": seeds}), Row("another", {}))
    return Result(
        "coevolution-reproduction", 4, "", "laptop", {}, (), rows, (), None, "", 1.0, {}, ""
    )


def test_claims_of_what_is_printed() -> None:
    still = judge_printed(result_of(1.0, 18.0, 0.0, 50.0))
    assert [claim.verdict for claim in still] == [Claim.FAILS, Claim.OPEN, Claim.OPEN]
    rising = judge_printed(result_of(1.0, 70.0, 3.0, 80.0))
    assert [claim.verdict for claim in rising] == [Claim.HOLDS] * 3
    fooled = judge_printed(result_of(0.1, 82.0, -1.0, 49.0))
    assert [claim.verdict for claim in fooled] == [Claim.HOLDS, Claim.FAILS, Claim.FAILS]


def test_smoke_names_the_best_and_the_worst_seed(tmp_path: Path) -> None:
    result = find_study("coevolution-reproduction").run("smoke", Workbench(tmp_path, workers=1))
    for row in result.rows:
        fair = {seed: values["fair"] for seed, values in row.facts["seeds"].items()}
        assert fair[str(row.facts["best seed in the fair match"])] == max(fair.values())
        assert fair[str(row.facts["worst"])] == min(fair.values())
        assert set(row.values) == {column.name for column in COLUMNS}
    assert len(result.claims) == 3
    pytest.importorskip("matplotlib", reason="needs matplotlib (the extra train)")
    draw(result, tmp_path / "seeds.svg")
    assert reproduction.PRINTED in (tmp_path / "seeds.svg").read_text()
