"""The agent that a study of self-play is about, and the opponents of Fu and Xu (2017)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from outflank.learn.selfplay import SelfPlayConfig, preset
from outflank.learn.selfplay.config import playing_words
from outflank.models import load_network
from outflank.players import Spec
from outflank.studies.workbench import Workbench

SHIPPED = "selfplay"

# Alpha-beta as the course handed it out; its third level is this one at depth 6.
COURSE = "alphabeta:eval=course,depth={depth}"
# What the course's servers played at the other two levels was not published. The paper calls the
# second random; the first is a guess.
LEVELS = {"1": "greedy", "2": "random", "3": COURSE.format(depth=6)}
LEVEL_NOTE = (
    "Level 3 is the course's alpha-beta at depth 6, level 2 a random player, as the paper says. "
    "What played at level 1 is not known; the greedy player stands in for it."
)
PURE = "mcts:rollouts=200"
_SEARCH = ("c", "first_play", "wipe_outs")  # options of an agent's search that its preset decides


@dataclass(frozen=True)
class AgentConfig:
    """An agent: a shipped one if it has no preset, or one that the study trains.

    Attributes:
        preset: Of outflank learn selfplay; empty for the shipped agent.
        settings: Changes of the preset.
        simulations: Of its search.
        drawn_plies: Plies of games from the start in which moves are drawn; the paper's number.
    """

    preset: str = ""
    settings: tuple[str, ...] = ()
    simulations: int = 100
    drawn_plies: int = 5


@dataclass(frozen=True)
class Agent:
    """An agent's network, by name or file, and how it plays.

    Attributes:
        network: Its name or file.
        config: What the study asks for.
        search: Options of `mcts` with which it was trained to search, if they are not the usual.
    """

    network: str
    config: AgentConfig
    search: Mapping[str, str] = field(default_factory=dict)

    def searching(self, *, drawn: bool) -> str:
        """Return the agent with its tree search."""
        return self._spec(
            "mcts",
            {"net": self.network, "sims": str(self.config.simulations), **self.search},
            drawn,
        )

    def alone(self, *, drawn: bool) -> str:
        """Return the network alone, which plays its likeliest move."""
        return self._spec("policy", {"name": self.network}, drawn)

    def pure(self, *, drawn: bool) -> str:
        """Return the tree search alone: random games in the place of a network."""
        rollouts = 2 * self.config.simulations
        return self._spec("mcts", {"rollouts": str(rollouts), "seed": "1"}, drawn)

    def _spec(self, kind: str, options: dict[str, str], drawn: bool) -> str:
        if drawn:
            plies = str(self.config.drawn_plies)
            options = {**options, "temperature": "1", "temperature_plies": plies}
        return str(Spec(kind, options=options))


def find_agent(config: AgentConfig, bench: Workbench) -> Agent:
    """Return the agent of a study; one that is trained may take long."""
    if not config.preset:
        bench.note(f"The agent is the shipped {SHIPPED}; its card says how it was trained.")
        bench.sources.models[SHIPPED] = load_network(SHIPPED).fingerprint
        return Agent(SHIPPED, config)
    learned = bench.learn("selfplay", preset(config.preset).with_settings(config.settings))
    last = learned.metrics[-1]
    bench.note(f"The agent learned from {last['games']:,} games of its own.")
    searched = playing_words(SelfPlayConfig.from_json(learned.config.to_json()))
    search = {name: searched[name] for name in _SEARCH if name in searched}
    return Agent(str(learned.folder), config, search)
