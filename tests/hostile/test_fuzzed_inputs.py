"""What fuzzing found, and a little of it again for every parser."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from fuzz.parsers import Parser, parsers
from hostile.fuzzed import mutate
from outflank import make_player
from outflank.errors import DataError, FileError, OutflankError
from outflank.evaluations.champion import PROBCUT, champion_facts, champion_regressions
from outflank.evaluations.evolved import EvolvedNetwork
from outflank.lab import answers
from outflank.lab.runs import Runs
from outflank.learn import Run
from outflank.learn.status import read_status
from outflank.learn.training import _seconds_before
from outflank.nets.files import save_tensors
from outflank.protocols import GtpEngine, NBoardEngine

_INPUTS = 100
_HUGE = 10**400  # JSON has no bound; a float has
_HUGE_CASE = pytest.param(_HUGE, id="huge")


@pytest.mark.parametrize("name", list(parsers()))
def test_every_parser_gives_a_result_or_an_error_of_one_line(name: str) -> None:
    parser: Parser = parsers()[name]
    draw = random.Random(name)
    for _ in range(_INPUTS):
        data = mutate(draw.choice(parser.seeds), draw, parser)
        said = ""
        try:
            parser.check(data)
        except OutflankError as error:
            said = str(error)
        assert len(said.splitlines()) <= 1, data


def test_errors_are_of_one_line_whatever_they_quote() -> None:
    with pytest.raises(OutflankError) as raised:
        make_player("random:a\nb=1\u2028c")
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["~nobody-of-this-name/x", pytest.param("x" * 5000, id="long"),
                                  pytest.param("~" * 5000, id="tildes")])  # fmt: skip
@pytest.mark.parametrize("spec", ["policy:{}", "mcts:net={}", "evolved:{}", "alphabeta:eval={}"])
def test_names_that_no_file_can_have(spec: str, name: str) -> None:
    with pytest.raises(OutflankError):
        make_player(spec.format(name))


def test_a_file_in_a_closed_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", closed)
    with pytest.raises(FileError, match="Permission denied"):
        make_player(f"policy:{tmp_path}/x.safetensors")


def a_run(folder: Path) -> Path:
    with Run.create(folder / "run", {"population": 20}) as run:
        run.add_metrics(1, {"loss": 0.5})
    return folder / "run"


def answer(runs: Path) -> str:
    """Return what the lab answers about a run."""
    details = TypeAdapter(answers.RunDetails)
    return details.dump_json(Runs(runs, None).details("run")).decode()


@pytest.mark.parametrize("file", ["config.json", "status.json"])
def test_text_of_a_run_that_is_no_unicode(file: str, tmp_path: Path) -> None:
    run = a_run(tmp_path)
    content = json.loads((run / file).read_text())
    content |= {"why": "\ud800", "learner": "\ud800"}
    (run / file).write_text(json.dumps(content))
    with pytest.raises(DataError, match=file):
        answer(tmp_path)


@pytest.mark.parametrize("field", ["step", "steps", "seconds", "remaining", "pid"])
@pytest.mark.parametrize("value", [True, float("inf"), float("nan"), _HUGE_CASE])
def test_a_status_with_numbers_that_are_none(field: str, value: object, tmp_path: Path) -> None:
    run = a_run(tmp_path)
    (run / "status.json").write_text(json.dumps({"state": "paused", field: value}))
    with pytest.raises(DataError, match=field):
        read_status(run)


def test_measurements_that_are_none(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    with (run / "metrics.jsonl").open("a") as stream:
        stream.write(json.dumps({"step": 2, "loss": _HUGE, "seconds": 1.5}) + "\n")
    assert '{"step":2,"seconds":1.5}' in answer(tmp_path)
    before = (run / "metrics.jsonl").read_text()
    for line in ("[" * 100_000, '{"step": true}', '{"step": 1e9}', '{"step": 3, "\\ud800": 1}'):
        (run / "metrics.jsonl").write_text(f"{before}{line}\n")
        with pytest.raises(DataError, match="line 3 is no measurement"):
            Run.open(run).metrics()
        with pytest.raises(DataError, match="line 3 is no measurement"):
            Runs(tmp_path, None).describe("run")


@pytest.mark.parametrize(
    "seconds", ["Infinity", "1e999", pytest.param(str(_HUGE), id="huge"), "true"]
)
def test_a_clock_beyond_all_time(seconds: str, tmp_path: Path) -> None:
    (tmp_path / "clock.json").write_text(f'{{"seconds": {seconds}}}')
    with pytest.raises(DataError, match="seconds"):
        _seconds_before(tmp_path / "clock.json")


@pytest.mark.parametrize("facts", [[[]], [1], "x", 3])
def test_facts_of_a_champion_that_are_none(facts: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    save_tensors(path, {"weights": np.zeros((2, 3), np.int16)}, kind="champion",
                 facts={"facts": facts})  # fmt: skip
    with pytest.raises(DataError, match="facts"):
        champion_facts(path)


@pytest.mark.parametrize("value", [float("inf"), _HUGE_CASE])
def test_regressions_of_a_champion_that_are_none(value: float, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    names = ("depth", "shallow", "from_discs", "to_discs", "slope", "offset", "error")
    for name in names:
        facts = {"facts": {PROBCUT: [{**dict.fromkeys(names, 4), name: value}]}}
        weights = {"weights": np.zeros((2, 3), np.int16)}
        save_tensors(path, weights, kind="champion", facts=facts)
        with pytest.raises(DataError, match="not what calibrate writes"):
            champion_regressions(path, PROBCUT)


def test_a_piece_weight_beyond_all_floats(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    facts = {"shape": "flat", "piece_weight": _HUGE}
    save_tensors(path, {"weights": np.zeros(3, np.float32)}, kind="evolved", facts=facts)
    with pytest.raises(DataError, match="piece_weight"):
        EvolvedNetwork.load(path)


def test_gtp_sets_a_time_beyond_all_time() -> None:
    engine = GtpEngine(make_player("alphabeta:eval=discs,depth=1"), "x", "1")
    for command in ("time_settings 1e300 0 0", "time_settings 0 1e300 1", "time_left b 1e300 0"):
        assert engine.answer(command).startswith("=")
        assert engine.answer("reg_genmove b").startswith("=")


@pytest.mark.parametrize("count", ["65", "999999999"])
def test_nboard_asks_for_more_hints_than_there_are_moves(count: str) -> None:
    answers = io.BytesIO()
    engine = NBoardEngine(make_player("alphabeta:eval=patterns,depth=1"), "x")
    engine.run(io.BytesIO(f"hint {count}\n".encode()), answers)
    assert answers.getvalue().count(b"search ") >= 4
