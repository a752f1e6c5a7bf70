"""Every study, from the games to the table, at the scale `smoke`."""

from __future__ import annotations

import dataclasses
import json
import statistics
from pathlib import Path

import pytest

from outflank.errors import DataError
from outflank.players import Player
from outflank.studies import SCALES, Claim, Result, Study, Workbench, draw, result_path, studies
from outflank.studies.imitation.architectures import _not_trained
from outflank.studies.imitation.effort import BAGGED, EFFORTS, networks_for
from outflank.studies.imitation.opponents import Engine
from outflank.studies.imitation.printed import Printed
from protocols.called_engines import fake_edax

ALL = list(studies().values())
# Of these the papers claim nothing.
BEYOND = (
    "coevolution-beyond", "coevolution-heredity", "selfplay-curve", "selfplay-ablations",
    "ladder", "champion-data",
)  # fmt: skip
GAMES = "coevolution-figures-7-8"  # two games prove nothing
# Networks of these that the papers' claims are about are not trained at the scale smoke.
TOO_SMALL = tuple(f"imitation-table-{number}" for number in (3, 4, 6, 8, 9))
OF_TORCH = (
    "imitation-table-3", "imitation-table-4", "imitation-table-8", "imitation-comparisons",
)  # fmt: skip
PLAYED = ("imitation-table-9", "imitation-figure-5")  # against an engine


def bench(folder: Path, wthor: Path) -> Workbench:
    return Workbench(folder, wthor=wthor, workers=1)


@pytest.mark.parametrize("study", ALL, ids=lambda study: study.name)
def test_smoke(
    study: Study[object],
    studies_folder: Path,
    wthor: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if study.name in PLAYED:
        monkeypatch.setenv("OUTFLANK_EDAX", str(fake_edax(tmp_path)))
    if study.name == "imitation-figure-4":  # it would let all networks of the others play
        studies_folder = tmp_path
    if study.paper == 2:
        pytest.importorskip("torch", reason="its networks need PyTorch (the extra train)")
    result = study.run("smoke", bench(studies_folder, wthor))
    path = result_path(studies_folder, study.name, "smoke")
    assert Result.load(path) == result
    json.dumps(result.to_json(), allow_nan=False)
    names = {column.name for column in result.columns}
    if study.name in OF_TORCH:
        pytest.importorskip("torch", reason="its rows need PyTorch (the extra train)")
    assert any(row.values for row in result.rows)
    for row in result.rows:
        assert bool(row.values) != row.label.endswith("(the paper's figures only)")
        assert set(row.values) | set(row.paper) <= names
        assert set(row.intervals) == set(row.counts) <= set(row.values)
        for name, (low, high) in row.intervals.items():
            assert low <= row.values[name] <= high
        for name, values in row.facts.get("by seed", {}).items():
            assert statistics.fmean(values) == pytest.approx(row.values[name], abs=0.06)
    verdicts = (Claim.HOLDS, Claim.FAILS, Claim.OPEN)
    assert all(claim.verdict in verdicts for claim in result.claims)
    assert bool(result.claims) == (study.name not in (*BEYOND, GAMES, *TOO_SMALL))
    assert study.judged(result).claims == result.claims
    assert result.command.startswith(f"outflank study run {study.name} --scale smoke --out")
    assert {"outflank", "python", "numpy", "torch"} <= result.versions.keys()
    if study.name == "imitation-figure-4":
        assert result.plot is not None
        drawn = [len(one["points"]) for one in result.plot.data["series"].values()]
        assert sum(drawn) == sum(len(row.values) - 1 for row in result.rows)  # all but accuracy
    if result.plot is not None:
        pytest.importorskip("matplotlib", reason="needs matplotlib (the extra train)")
        draw(result, path.with_suffix(".svg"))
        assert "</svg>" in path.with_suffix(".svg").read_text()


@pytest.mark.parametrize("name", PLAYED)
def test_without_an_engine_what_is_played_against_it_is_left_out(
    name: str, tmp_path: Path, wthor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(spec: str) -> Player:
        raise DataError(f"{spec}: is not there")

    monkeypatch.setattr("outflank.studies.imitation.opponents.make_player", missing)
    (study,) = [one for one in ALL if one.name == name]
    result = study.run("smoke", bench(tmp_path, wthor))
    assert (result.rows, result.claims) == ((), ())
    assert any("left out" in note for note in result.notes)


def test_a_study_that_was_run_trains_and_measures_nothing_again(
    studies_folder: Path, wthor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table,) = [one for one in ALL if one.name == "imitation-table-6"]
    first = table.run("smoke", bench(studies_folder, wthor))
    monkeypatch.setattr("outflank.studies.workbench.train", None)
    monkeypatch.setattr("outflank.learn.imitation.measure", None)
    monkeypatch.setattr("outflank.learn.imitation.seconds_per_position", None)
    assert table.run("smoke", bench(studies_folder, wthor)).rows == first.rows


def test_names_and_scales() -> None:
    tables = [f"imitation-table-{number}" for number in range(2, 10)]
    figures = [f"imitation-figure-{number}" for number in (3, 4, 5)]
    evolved = [f"coevolution-figure-{number}" for number in (3, 4, 5, 6, *range(9, 15))]
    played = [f"selfplay-{name}" for name in ("table-1", "table-2", "table-3", "table-4", "leads")]
    wanted = {*tables, *figures, *evolved, *played, "coevolution-filters"}
    assert {study.name for study in ALL} >= wanted
    for study in ALL:
        assert set(study.scales) == set(SCALES)
        assert len({type(config) for config in study.scales.values()}) == 1


def test_the_papers_scale_is_the_papers() -> None:
    for study in ALL:
        if study.paper == 4:
            assert study.scales["paper"].generations == 1000
        if study.paper != 1:  # test_value_studies and test_selfplay_studies look at theirs
            continue
        effort = study.scales["paper"].effort
        assert (effort.examples, effort.test_examples) == (0, 0)
        assert (effort.left_out, effort.stand_ins) == ((), {})
        assert (effort.openings, effort.openings_slow, effort.bag) == (1000, 1000, 10)
        assert effort.trainings > 1  # of which the paper says nothing
        config = effort.config("conv8")
        assert (config.optimiser, config.learning_rate, config.momentum, config.batch) == (
            "sgd", 0.1, 0.95, 512,
        )  # fmt: skip
        assert (config.dataset, config.split, config.held_out_share) == (
            "unique-s",
            "example",
            0.05,
        )
        assert (config.passes, effort.config("conv8", "unique").passes) == (6, 24)


def test_what_takes_too_long_is_left_out_or_replaced(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the paper's networks need PyTorch (the extra train)")
    hears, laptop = Workbench(tmp_path), EFFORTS["laptop"]
    names = ("conv4", "conv6", "conv8", "conv8-bn", "conv8-bn" + BAGGED, "resnet-32")
    assert networks_for(laptop, names, hears) == [
        "conv4", "conv4-bn", "conv4-bn" + BAGGED, "resnet-32",
    ]  # fmt: skip
    assert hears.notes == [
        "Conv6 is left out at this scale: it would take too long.",
        "Conv8 would take too long at this scale: in its place stands Conv4.",
        "Conv8+BN would take too long at this scale: in its place stands Conv4+BN.",
    ]
    hears = Workbench(tmp_path)
    assert networks_for(EFFORTS["paper"], names, hears) == list(names)
    assert hears.notes == []


def test_times_of_networks_that_were_not_trained(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the paper's networks need PyTorch (the extra train)")
    printed = Printed(("accuracy", "time"), {"conv2": (50.0, 1.0), "conv2" + BAGGED: (51.0, 2.0)})
    effort = dataclasses.replace(EFFORTS["smoke"], time_left_out=True)
    timed, bag = _not_trained(effort, printed, [], Workbench(tmp_path))
    assert timed.label == "Conv2 (not of the paper) (not trained)"
    assert (set(timed.values), timed.paper) == ({"time", "single"}, {"accuracy": 50.0, "time": 1.0})
    assert (bag.values, bag.paper) == ({}, {"accuracy": 51.0, "time": 2.0})


def test_networks_of_the_paper_that_were_not_trained() -> None:
    table = Printed(("a", "b"), {"conv4": (1.0, 2.0), "conv8-bn" + BAGGED: (3.0, 4.0)})
    assert table.figures("conv4") == {"a": 1.0, "b": 2.0}
    assert table.figures("conv2") == {}
    (row,) = table.others(["conv4", "conv2"])
    assert row.label == "Conv8+BN+bagging (the paper's figures only)"
    assert (row.values, row.paper) == ({}, {"a": 3.0, "b": 4.0})


def test_the_engines_depths() -> None:
    assert Engine("Edax").spec(3) == "edax:level=3"
    assert Engine("GRhino").spec(3) == 'gtp:cmd="gtp-rhino -m 3 -e 6 -w 6"'
    assert Engine("GRhino").inner(5) == "gtp:cmd=gtp-rhino -m 5 -e 10 -w 10"
    assert Engine("Edax").spec(2, processes=2) == "edax:level=2,processes=2"
