"""Adds to a trained network a memory of what was played in frequent positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from outflank.data.extraction import Step
from outflank.data.positions import group_by_position
from outflank.errors import DataError
from outflank.learn.imitation.held_out import training_of
from outflank.learn.imitation.material import gather_material
from outflank.nets.line import LinePolicy
from outflank.nets.memory import Memory

AT_LEAST, DOUBT = 4, 10.0  # chosen on games of 2016 to 2018; docs/line-network.md


def remember(
    network: LinePolicy,
    *,
    wthor: Path | None = None,
    at_least: int = AT_LEAST,
    doubt: float = DOUBT,
    step: Step | None = None,
) -> LinePolicy:
    """Return the network with a memory of its own training examples, and no others.

    Its card says which examples these are; they are taken from the games in `wthor`, or in the
    store if that is None.
    """
    training = network.card.training
    config = training_of(network.card)
    if config is None:
        raise DataError("the network's card does not say what it was trained on")
    material = gather_material(config, wthor=wthor, step=step)
    here, there = material.facts, training.get("data", {})
    if any(here[name] != there.get(name) for name in ("years", "sources", "examples")):
        raise DataError(
            f"the network was trained on other games ({there.get('games')} of "
            f"{there.get('years')}; here are {here['games']} of {here['years']})",
            remedy="same-games",
        )
    positions = group_by_position(material.training.part.distinct())
    memory = Memory.gather(positions, at_least=at_least, doubt=doubt)
    facts = {"positions": len(memory), "at_least": at_least, "doubt": doubt}
    card = replace(network.card, training={**training, "memory": facts}, measured={})
    return LinePolicy(
        network.network, card, ties=network.ties, memory=memory, threads=network.threads
    )
