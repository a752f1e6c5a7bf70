"""`outflank learn imitation`, as it is typed."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from outflank import cli
from outflank.cli.learn import training
from outflank.learn import Run
from outflank.learn.imitation import PRESETS

SMALL = ["--set", "examples=500", "--set", "batch=32", "--set", "epochs=1"]


class Command:
    """Runs the command in this process, as the shell would."""

    def __init__(self, runs: Path, wthor: Path, patch: pytest.MonkeyPatch) -> None:
        self.always = ["--runs", str(runs), "--wthor", str(wthor)]
        self.patch = patch

    def __call__(self, *words: str) -> int:
        arguments = ["outflank", "learn", "imitation", *self.always, *words]
        self.patch.setattr(sys, "argv", arguments)
        try:
            cli.main()
        except SystemExit as stop:
            return int(stop.code or 0)
        return 0


@pytest.fixture
def command(tmp_path: Path, weighted_wthor: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("COLUMNS", "200")
    return Command(tmp_path, weighted_wthor, monkeypatch)


def test_fields_are_shown_and_explained(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--preset", "paper", "--fields") == 0
    shown = capsys.readouterr().out
    assert "momentum" in shown
    assert "0.95" in shown
    assert "the highest learning rate" in shown
    assert command("--preset", "paper", "--set", "batch=7", "--fields", "--json") == 0
    assert json.loads(capsys.readouterr().out)["batch"] == 7
    assert command("--fields") == 0
    assert PRESETS["line-smoke"].text.split(";")[0] in " ".join(capsys.readouterr().out.split())
    assert command("--fields", "--json") == 0
    assert list(json.loads(capsys.readouterr().out)) == list(PRESETS)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--preset", "smoke"], "which run? --run NAME"),
        (["--run", "a"], "which configuration? --preset paper or laptop or"),
        (["--run", "a/b", "--preset", "smoke"], "--run 'a/b': accepted are letters, digits"),
        (["--run", "a", "--preset", "big"], "no such preset: 'big'"),
        (["--run", "a", "--preset", "smoke", "--set", "x=1"], "'x=1': accepted is FIELD=VALUE"),
        (["--run", "a", "--preset", "smoke", "--set", "network=x"], "no such network: 'x'"),
        (["--run", "a", "--preset", "smoke", "--set", "years=1999"], "no games of 1999"),
        (["--run", "a", "--resume"], "not a run (it has no config.json)"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: list[str],
    problem: str,
    command: Command,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "years=1999" in words:
        pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    assert command(*words) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())  # nothing is begun


def test_without_pytorch_it_says_how_to_get_it(
    command: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "outflank.learn.imitation.convolutional", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert command("--run", "a", "--preset", "smoke") == 2
    assert "pip install 'outflank[train]'" in capsys.readouterr().err


def test_a_terminal_shows_a_bar(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    pytest.importorskip("onnx", reason="needs onnx (the extra train)")
    screen = StringIO()
    monkeypatch.setattr(training, "errors", Console(file=screen, force_terminal=True, width=200))
    assert command("--run", "a", "--preset", "smoke", *SMALL, "--set", "evaluate_every=4") == 0
    assert "16 of 16" in screen.getvalue()
    assert "held out 0." in screen.getvalue()


def test_a_run_from_beginning_to_end(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="needs PyTorch (the extra train)")
    pytest.importorskip("onnx", reason="needs onnx (the extra train)")
    begin = ["--run", "a", "--preset", "smoke", *SMALL]
    assert command(*begin, "--hours", "0", "--json") == 0
    first, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {"event": "began", "step": 0, "steps": 16}
    assert (last["event"], last["step"], last["steps"]) == ("stopped", 0, 16)
    assert command("--run", "a", "--resume", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["event"] for line in lines if line["event"] != "progress"] == [
        "began", "metrics", "finished",
    ]  # fmt: skip
    assert {"loss", "accuracy", "held_out_accuracy", "seconds"} <= lines[-1]["metrics"].keys()
    assert Run.open(tmp_path / "a").metrics()[-1]["step"] == 16
    assert command("--run", "a", "--resume") == 0
    assert "held-out accuracy" in capsys.readouterr().out
    assert command(*begin) == 2
    assert "there is one already; --resume continues it" in capsys.readouterr().err
    assert command("--run", "a", "--resume", "--set", "batch=64") == 2
    assert "was begun with batch=32, not 64" in capsys.readouterr().err
