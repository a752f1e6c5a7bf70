"""A memory of what a network was trained on, and of nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from learn.weighted_games import write_weighted_games
from outflank import cli
from outflank.data.positions import group_by_position
from outflank.learn.imitation import gather_material, make_trainer, measure, preset
from outflank.nets import Card
from outflank.nets.line import LinePolicy

CONFIG = preset("line-smoke").with_settings(
    ["epochs=1", "blocks=0", "split=example", "held_out=0.5"]
)


@pytest.fixture(scope="module")
def trained(weighted_wthor: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that has learned next to nothing."""
    folder = tmp_path_factory.mktemp("net")
    trainer = make_trainer(CONFIG, gather_material(CONFIG, wthor=weighted_wthor))
    trainer.train_until(3)
    trainer.export(folder, {})
    return folder / "network.safetensors"


def test_it_remembers_its_training_examples(
    trained: Path, weighted_wthor: Path, tmp_path: Path
) -> None:
    out = tmp_path / "remembers.safetensors"
    command = ["learn", "imitation", "remember", str(trained), "--wthor", str(weighted_wthor)]
    ended = CliRunner().invoke(cli.app, [*command, "--at-least", "2", "--out", str(out), "--json"])
    assert ended.exit_code == 0, ended.output
    material = gather_material(CONFIG, wthor=weighted_wthor)
    positions = group_by_position(material.training.part.distinct())
    often = positions.count >= 2
    answer = json.loads(ended.stdout)
    assert answer == {"file": str(out), "positions": often.sum(), "at_least": 2, "doubt": 10.0}
    before, after = LinePolicy.load(trained), LinePolicy.load(out)
    assert after.memory is not None
    assert set(after.memory.own.tolist()) == set(positions.own[often].tolist())
    assert after.card.training["memory"]["positions"] == often.sum()
    assert after.card.training["config"] == CONFIG.to_json()  # what is held out is still known
    # The players follow a rule, so what they did before tells what they do.
    alone, together = (measure(net, material.held_out).accuracy for net in (before, after))
    assert together > alone


def test_who_cannot_remember(trained: Path, weighted_wthor: Path, tmp_path: Path) -> None:
    def said(
        network: str | Path, wthor: Path = weighted_wthor, name: str = "out.safetensors"
    ) -> str:
        command = ["learn", "imitation", "remember", str(network), "--wthor", str(wthor)]
        ended = CliRunner().invoke(cli.app, [*command, "--out", str(tmp_path / name)])
        assert ended.exit_code != 0
        assert not (tmp_path / name).exists()
        return str(ended.exception or ended.output)

    other = write_weighted_games(tmp_path, 100)
    assert "other games (240 of" in said(trained, other)
    nameless = tmp_path / "nameless.safetensors"
    LinePolicy(LinePolicy.load(trained).network, Card("line", "pieces")).save(nameless)
    assert "does not say what it was trained on" in said(nameless)
    assert "not a line network" in said("imitation-conv")
    assert "no such network" in said("nobody")
    assert ".safetensors" in said(trained, name="out.txt")
