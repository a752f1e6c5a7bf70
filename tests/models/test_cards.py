"""What the cards of the shipped weights say is true."""

from __future__ import annotations

import importlib.resources
import json
import re
import shlex

import pytest
import typer

from outflank.cli import app
from outflank.models import shipped_models

MODELS = shipped_models()


@pytest.mark.parametrize("name", MODELS)
def test_the_elo_is_that_of_the_ladder(name: str) -> None:
    text = importlib.resources.files("outflank.lab").joinpath("ratings.json").read_text("utf-8")
    found = re.search(r"\*\*Elo\*\*: (-?\d+) \((-?\d+) to (-?\d+)\) as `(.*?)`", MODELS[name].text)
    assert found is not None
    rated = json.loads(text)["players"][found[4]]
    assert [int(found[1]), int(found[2]), int(found[3])] == [rated["elo"], *rated["interval"]]


@pytest.mark.parametrize("name", MODELS)
def test_the_commands_are_such_that_there_are(name: str) -> None:
    """Every command, and every option of it, is known; trainings name their run or file."""
    made = MODELS[name].text.partition("**Made by**")[2].partition("\n- **")[0]
    commands = [text.replace("\n", " ") for text in re.findall(r"`(outflank [^`]*)`", made)]
    assert commands
    root = typer.main.get_command(app)
    for command in commands:
        words = shlex.split(command)[1:]
        context, found = root.make_context("outflank", [], resilient_parsing=True), root
        while words and hasattr(found, "get_command"):
            inner = found.get_command(context, words[0])
            if inner is None:
                break
            context = inner.make_context(words[0], [], parent=context, resilient_parsing=True)
            found, words = inner, words[1:]
        options = {option for parameter in found.params for option in parameter.opts}
        assert options >= {word for word in words if word.startswith("--")}, command
