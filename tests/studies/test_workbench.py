"""Interrupted studies go on; what is missing is told; nothing is done twice."""

from __future__ import annotations

import math
import signal
import statistics
from collections.abc import Callable
from pathlib import Path

import pytest

from outflank.arena import ToMove
from outflank.errors import DataError, FileError
from outflank.learn import coevolution, imitation
from outflank.learn.imitation import ImitationConfig
from outflank.learn.status import read_status
from outflank.studies import (
    SCALES,
    Claim,
    Column,
    Contender,
    Estimate,
    Findings,
    Result,
    Row,
    StudyListener,
    Workbench,
    find_study,
    studies,
    study,
)
from outflank.studies.estimate import student_95
from outflank.studies.imitation.effort import EFFORTS
from outflank.studies.imitation.strength import fit
from outflank.studies.value.networks import EFFORTS as VALUE_EFFORTS
from outflank.studies.value.networks import train_network
from outflank.studies.value.printed import TABLE_1
from outflank.studies.workbench import run_name

SMALL = EFFORTS["smoke"].config("line", "unique", checkpoint_every=2, evaluate_every=2)


class Stopping(StudyListener):
    """Interrupts what it watches after some steps."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.heard: list[str] = []

    def began(self, what: str, total: float) -> None:
        self.heard.append(what)

    def advanced(self, done: float) -> None:
        if done >= self.steps:
            raise KeyboardInterrupt


def test_training_goes_on_where_it_was(tmp_path: Path, wthor: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        Workbench(tmp_path / "cut", wthor=wthor, listener=Stopping(3)).train(SMALL)
    (run,) = (tmp_path / "cut" / "runs").iterdir()
    assert not (run / "finished.json").exists()
    resumed = Workbench(tmp_path / "cut", wthor=wthor).train(SMALL)
    assert "resumed at step 2" in (run / "log.txt").read_text()
    whole = Workbench(tmp_path / "whole", wthor=wthor).train(SMALL)
    assert resumed.load().fingerprint == whole.load().fingerprint
    assert resumed.facts["examples"] == 512
    assert resumed.facts["steps"] == whole.facts["steps"] == 4


class InterruptingTheLastStep(StudyListener):
    """Presses Ctrl-C, once, when all steps are done."""

    def __init__(self) -> None:
        self.total = math.inf
        self.pressed = False

    def began(self, what: str, total: float) -> None:
        self.total = total or math.inf

    def advanced(self, done: float) -> None:
        if done == self.total and not self.pressed:
            self.pressed = True
            signal.raise_signal(signal.SIGINT)


EVOLUTION = coevolution.preset("smoke").with_settings(["generations=1", "deepest=2", "top_depth=2"])
TRAININGS: dict[str, Callable[[Workbench], object]] = {
    "train": lambda bench: bench.train(SMALL),
    "evolve": lambda bench: bench.evolve(EVOLUTION),
    "learn": lambda bench: bench.learn("coevolution", EVOLUTION),
    "train_network": lambda bench: train_network(
        bench, "5", VALUE_EFFORTS["smoke"].config(dict(TABLE_1["5"][0]), "")
    ),
}


@pytest.mark.parametrize("name", TRAININGS)
def test_an_interrupt_in_the_last_step_of_a_training_ends_the_study(
    name: str, tmp_path: Path, wthor: Path
) -> None:
    """A study has more to do; the training itself is finished and not done again."""
    if name == "train_network":
        pytest.importorskip("torch", reason="the paper's networks need PyTorch (the extra train)")
    bench = Workbench(tmp_path, wthor=wthor, workers=1, listener=InterruptingTheLastStep())
    with pytest.raises(KeyboardInterrupt):
        TRAININGS[name](bench)
    (run,) = (tmp_path / "runs").iterdir()
    assert read_status(run).state == "finished"
    before = (run / "log.txt").read_text()
    TRAININGS[name](bench)
    assert (run / "log.txt").read_text() == before


def test_a_trained_network_is_not_trained_again(
    tmp_path: Path, wthor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Workbench(tmp_path, wthor=wthor)
    first = bench.train(SMALL)
    monkeypatch.setattr("outflank.studies.workbench.train", None)
    assert bench.train(SMALL).places == first.places
    assert [one.places for one in bench.finished()] == [first.places]


def test_the_time_of_a_network_that_was_not_trained(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the paper's networks need PyTorch (the extra train)")
    bench = Workbench(tmp_path)
    first = bench.untrained("conv2")
    fingerprint = first.load().fingerprint
    assert first.load().card.architecture == "conv2"
    assert bench.time(first, 4, seconds=0.01) > 0
    assert Workbench(tmp_path).untrained("conv2").load().fingerprint == fingerprint


def test_other_games_make_another_network(tmp_path: Path, wthor: Path) -> None:
    bench = Workbench(tmp_path, wthor=wthor)
    few = tmp_path / "few"
    few.mkdir()
    first, *_ = sorted(wthor.glob("*.wtb"))
    (few / first.name).write_bytes(first.read_bytes())
    assert Workbench(tmp_path, wthor=few).train(SMALL).places != bench.train(SMALL).places


def test_a_match_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Workbench(tmp_path, workers=1) as bench:
        first = bench.match("greedy", "random", bench.openings(4))
    assert first.games == 8
    assert bench.notes == [
        "Games begin after seven random plies: the paper's 1000 openings were not given."
    ]
    monkeypatch.setattr("outflank.arena.running.steps", None)
    with Workbench(tmp_path, workers=1) as bench:
        assert bench.match("greedy", "random", bench.openings(4)) == first


def test_openings_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("f5d6c3\nf5f6e6\n")
    bench = Workbench(tmp_path, openings=str(path))
    assert len(bench.openings(2)) == 2
    assert bench.notes == []
    assert [game.position.turn.value for game in bench.openings(5, ToMove.BLACK)] == ["black"] * 2
    assert bench.notes == [f"{path} has 2 openings, not 5."]


def test_measurements_are_kept(tmp_path: Path, wthor: Path) -> None:
    bench = Workbench(tmp_path, wthor=wthor)
    network = bench.train(SMALL)
    found = bench.measure(network, "original", at_most=50)
    assert found["examples"] == 50
    assert "trained on unique" in found["warning"]
    (kept,) = (tmp_path / "measured").iterdir()
    assert bench.measure(network, "original", at_most=50) == found
    assert bench.measure(network, "original", at_most=40) != found
    kept.write_text("{")
    with pytest.raises(DataError, match="damaged; remove it, to be measured anew"):
        bench.measure(network, "original", at_most=50)


def test_how_a_player_predicts(tmp_path: Path, wthor: Path) -> None:
    bench = Workbench(tmp_path, wthor=wthor)
    found = bench.player_accuracy("random", "original", at_most=150)
    assert found.count == 150
    assert 3 < found.value < 40  # one of about eight legal moves
    exam = bench.held_out("original", at_most=150)
    network = bench.train(SMALL)
    measured = bench.measure(network, "original", at_most=150)
    assert len(exam.examples) == 150
    asked = bench.player_accuracy(network.spec, "original", at_most=150)
    assert asked.value == pytest.approx(100 * measured["accuracy"], abs=2.1)  # but for ties


def test_missing_games_are_told_before_anything_is_done(tmp_path: Path) -> None:
    for one in studies().values():
        if one.paper in (0, 3, 4) or one.name == "value-play":
            continue  # matches, self-play, evolution and studies of no paper need no games
        bench = Workbench(tmp_path / "out", wthor=tmp_path / "away")
        with pytest.raises(DataError, match="away: no such folder; get the games with"):
            one.run("smoke", bench)
    assert not (tmp_path / "out").exists()


def test_wrong_words(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such study: 'table'; studies are imitation-table-2"):
        find_study("table")
    with pytest.raises(DataError, match="no such scale: 'huge'; scales are smoke, laptop, paper"):
        find_study("imitation-table-2").run("huge", Workbench(tmp_path))
    with pytest.raises(DataError, match="years 'all': accepted are"):
        Workbench(tmp_path, years="all")
    with pytest.raises(ValueError, match="needed are smoke, laptop, paper"):
        study("x", paper=1, title="", scales={"smoke": 1})


def test_results_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    for content in ("", "[]", '{"format": 1}', '{"format": 1, "plot": null, "columns": 3}'):
        path.write_text(content)
        with pytest.raises(DataError, match="not the result of a study, or damaged"):
            Result.load(path)
    path.write_text('{"format": 9}')
    with pytest.raises(DataError, match="of format 9, only 1 is accepted"):
        Result.load(path)
    with pytest.raises(FileError, match="cannot read"):
        Result.load(tmp_path / "away.json")


def test_rows_and_estimates() -> None:
    half = Estimate.of_share(0.5, 100)
    assert (half.value, half.low, half.high) == pytest.approx((50, 40.383, 59.617), abs=1e-3)
    sure = Estimate.of_share(1.0, 50_000)  # however many: never quite sure
    assert (sure.value, sure.high, round(sure.low, 4)) == (100, 100, 99.9923)
    assert (Estimate.of_share(0.0, 4).low, Estimate.of_share(0.5, 0).low) == (0, 0)
    mean = Estimate.mean([half, half])
    assert mean is not None
    assert (mean.value, mean.margin, mean.count) == pytest.approx((50, half.margin / 2**0.5, 200))
    assert Estimate.mean([]) is None
    gain = Estimate.of_share(0.25, 100).gain(half)
    assert (gain.value, gain.high - gain.value) == pytest.approx((-25, gain.margin))
    row = Row.of("x", {"a": half, "b": 1.5, "c": None}, {"a": 60.0})
    assert (row.values, row.counts) == ({"a": 50.0, "b": 1.5}, {"a": 100})


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(50, 60, Claim.HOLDS), (40, 49, Claim.FAILS), (40, 60, Claim.OPEN)],
)
def test_a_claim_is_judged_by_the_interval(low: float, high: float, verdict: str) -> None:
    found = Estimate((low + high) / 2, low, high, 3)
    claim = Claim.judge("most are masters", "masters", found, least=50)
    assert (claim.text, claim.verdict) == ("most are masters", verdict)
    shown = {Claim.HOLDS: "Here it holds", Claim.FAILS: "Here it does not hold"}
    assert claim.headline == shown.get(verdict, "Inconclusive here")
    assert "at least 50" in claim.reason
    opposite = {Claim.HOLDS: Claim.FAILS, Claim.FAILS: Claim.HOLDS, Claim.OPEN: Claim.OPEN}
    assert Claim.judge("few are", "masters", found, most=49.5).verdict == opposite[verdict]


@pytest.mark.parametrize(
    ("runs", "quantile"),
    [(2, 12.706), (3, 4.303), (4, 3.182), (5, 2.776), (6, 2.571), (7, 2.447), (8, 2.365),
     (9, 2.306), (10, 2.262), (11, 2.228), (50, 2.228)],
)  # fmt: skip
def test_students_t(runs: int, quantile: float) -> None:
    """Quantiles of any table of Student's t; beyond eleven runs, that of eleven."""
    values = [50.0 + (-1) ** place for place in range(runs)]
    spread = statistics.stdev(values)
    found = Estimate.of_runs(values, least=-1000.0)
    assert found.value - found.low == pytest.approx(quantile * spread / math.sqrt(runs))
    assert student_95(runs - 1) == quantile


def test_the_winning_rate_of_a_match(tmp_path: Path) -> None:
    with Workbench(tmp_path, workers=1) as bench:
        result = bench.match("greedy", "random", bench.openings(3))
    found = Estimate.of_match(result)
    low, high = result.interval
    assert result.winning_rate is not None
    assert found == Estimate(
        result.winning_rate * 100, low * 100, high * 100, len(bench.openings(3)) * 2
    )


def test_the_mean_of_trainings() -> None:
    """Trainings differ, and the test examples, which all share, are chance as well."""
    one = Estimate(30.0, 27.0, 33.0, 900)
    assert Estimate.of_trainings([one]) is one
    found = Estimate.of_trainings([one, Estimate(34.0, 30.0, 38.0, 900)])
    between = 12.706 * statistics.stdev([30.0, 34.0]) / math.sqrt(2)
    assert (found.value, found.count) == (32.0, 900)
    assert (found.low, found.high) == pytest.approx((max(0.0, 32 - math.hypot(between, 3.5)),
                                                     32 + math.hypot(between, 3.5)))  # fmt: skip


def test_changes_may_be_negative() -> None:
    assert Estimate.of_runs([-20, -10, -15], least=-100).high < 0
    assert Estimate.of_runs([-20], least=-100).low == -100
    assert Estimate.of_runs([1, 3]).low == 0


def test_a_line_through_points() -> None:
    fitted = fit([(1.0, 3.0), (2.0, 5.0), (3.0, 7.0)])
    assert fitted == pytest.approx({"slope": 2, "intercept": 1, "r2": 1})
    noisy = fit([(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)])
    assert noisy == pytest.approx({"slope": 0, "intercept": 1 / 3, "r2": 0}, abs=1e-9)
    assert fit([(1.0, 2.0), (1.0, 3.0)]) is None
    assert fit([]) is None


def test_what_a_study_of_ones_own_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outflank.studies.registry._STUDIES", {})

    @study("mine", paper=0, title="Mine", scales=dict.fromkeys(SCALES, ImitationConfig()))
    def mine(config: ImitationConfig, bench: Workbench) -> Findings:
        bench.note("a note")
        bench.note("a note")
        return Findings((Column("a", "A"),), (Row("x", {"a": 1.0}),), ("first",))

    result = find_study("mine").run("laptop", Workbench(tmp_path))
    assert result.notes == ("first", "a note")
    assert result.config["network"] == ImitationConfig().network
    assert (tmp_path / "results" / "mine-laptop.json").is_file()


def test_several_networks_are_one_player(tmp_path: Path) -> None:
    one = Contender("a", (tmp_path / "a",))
    assert one.spec == f"policy:name={tmp_path / 'a'}"
    assert Contender("b", (Path("a"), Path("b"))).spec == "bag:networks=a+b"
    assert Contender("b", (Path("a b"),)).spec == 'policy:name="a b"'


def test_networks_of_older_versions_are_found_under_their_names() -> None:
    """Settings that were renamed count under their first names; these are of version 0.1."""
    assert run_name(coevolution.preset("fixed-small"), "a") == "a-5c585e56"
    assert run_name(imitation.preset("laptop"), "a", "games") == "a-a4f3ce69"
