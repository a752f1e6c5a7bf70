"""A network that takes part in studies: a run's, several runs' together, or a shipped one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from outflank.learn.imitation import ImitationConfig, training_of
from outflank.models import load_network, shipped_networks
from outflank.nets.line import ARCHITECTURES as LINES
from outflank.nets.network import Averaged, PolicyNetwork
from outflank.players import Spec


@dataclass(frozen=True)
class Contender:
    """A network by its place, so that it is loaded only where it is asked.

    places: folders of runs, files, or names of shipped networks; of several, the mean is asked.
    facts: how it was trained.
    """

    name: str
    places: tuple[Path, ...]
    config: ImitationConfig | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> PolicyNetwork:
        """Return the network."""
        return self._network

    @cached_property
    def _network(self) -> PolicyNetwork:
        networks = [load_network(str(place)) for place in self.places]
        return networks[0] if len(networks) == 1 else Averaged(networks)

    @property
    def title(self) -> str:
        """What it is called where several of one name are listed."""
        if self.config is None or self.facts.get("shipped"):
            return self.name
        single = len(self.places) == 1
        number = ""
        if single and self.config.bootstrap:
            number = f", sample {self.config.seed}"
        elif single and self.config.seed != ImitationConfig().seed:
            number = f", training {self.config.seed}"
        return f"{self.name}, {self.config.encoding}, {self.config.dataset}{number}"

    @property
    def fast(self) -> bool:
        """Whether it predicts tens of thousands of positions in a second on one core."""
        return self.load().card.architecture in LINES

    @property
    def looks_ahead(self) -> bool:
        """Whether it sees the boards after its moves; the paper's networks do not."""
        return self.load().plies > 0

    @property
    def spec(self) -> str:
        """The player that asks it."""
        if len(self.places) > 1:
            return str(Spec("bag", options={"networks": "+".join(map(str, self.places))}))
        return str(Spec("policy", options={"name": str(self.places[0])}))


def together(name: str, contenders: Sequence[Contender]) -> Contender:
    """Return the mean of several networks as one (paper 1's bagging)."""
    facts = {"networks": len(contenders), **contenders[0].facts}
    seconds = [one.facts.get("seconds") or 0.0 for one in contenders]
    places = tuple(place for one in contenders for place in one.places)
    return Contender(name, places, contenders[0].config, {**facts, "seconds": sum(seconds)})


def shipped(prefix: str = "imitation") -> list[Contender]:
    """Return the shipped networks whose names begin so."""
    return [
        Contender(name, (Path(name),), training_of(model.card), {"shipped": True})
        for name, model in shipped_networks().items()
        if name.startswith(prefix)
    ]
