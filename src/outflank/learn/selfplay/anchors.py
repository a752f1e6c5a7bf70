"""How strong an agent is: matches against opponents that never change."""

from __future__ import annotations

from typing import Any

import numpy as np

from outflank.arena.lockstep import Fixture, play
from outflank.arena.openings import random_openings
from outflank.arena.ratings import Rating, rate_newcomer
from outflank.chance import key_of
from outflank.learn.selfplay.config import SelfPlayConfig, playing_options
from outflank.nets.network import PolicyNetwork
from outflank.players import Player, make_player
from outflank.players.mcts import MctsPlayer

# Opponents by the names of their measurements, and their Elo, where `random` is 0: of a
# tournament between them, 200 games a pair over random openings of 8 plies (docs/selfplay.md).
ANCHORS: dict[str, tuple[str, float]] = {
    "random": ("random", 0.0),
    "greedy": ("greedy", 37.0),
    "discs_2": ("alphabeta:eval=discs,depth=2", 142.0),
    "discs_4": ("alphabeta:eval=discs,depth=4", 320.0),
    "course_4": ("alphabeta:eval=course,depth=4", 668.0),
    "rollouts_200": ("mcts:rollouts=200", 695.0),
    "iago_2": ("alphabeta:eval=iago,depth=2", 789.0),
    "iago_4": ("alphabeta:eval=iago,depth=4", 1128.0),
    "iago_6": ("alphabeta:eval=iago,depth=6", 1336.0),
}
_PLIES = 8  # of the random openings
_OPENINGS = 1000  # more than a measurement takes: each begins elsewhere among them


class Anchors:
    """Plays an agent against all anchors."""

    def __init__(self, config: SelfPlayConfig) -> None:
        self.config = config
        self.openings = random_openings(_PLIES, _OPENINGS, config.seed)
        self.opponents = {name: make_player(spec) for name, (spec, _) in ANCHORS.items()}

    def measure(self, network: PolicyNetwork, generation: int) -> dict[str, Any]:
        """Return the agent's winning rate against each anchor, and its Elo by all of them."""
        rates, rating = self.rate(network, generation)
        return {f"against_{name}": rate for name, rate in rates.items()} | {"elo": rating.elo}

    def rate(self, network: PolicyNetwork, generation: int) -> tuple[dict[str, float], Rating]:
        """Return the agent's winning rate against each anchor, and its rating by all of them."""
        agent = MctsPlayer.of_network(network, **playing_options(self.config))
        rates = {
            name: self._winning_rate(agent, opponent, generation)
            for name, opponent in self.opponents.items()
        }
        games = np.full(len(rates), float(self.config.evaluate_games))
        points = np.array(list(rates.values())) * games
        elo = np.array([elo for _, elo in ANCHORS.values()])
        # Half a point to either side: who wins or loses every game has a rating, too.
        return rates, rate_newcomer(points + 0.5, games + 1.0, elo)

    def _winning_rate(self, agent: Player, opponent: Player, generation: int) -> float:
        fixtures = []
        for number in range(self.config.evaluate_games):
            place = (generation * self.config.evaluate_games + number) // 2 % len(self.openings)
            opening = self.openings[place]
            key = key_of("anchors", self.config.seed, generation, number)
            fixtures.append(Fixture(number, opening, opening.position, key))
        points = 0.0
        for game in play((agent, opponent), fixtures):
            mine = game.score if game.number % 2 == 0 else -game.score
            points += 0.5 * (np.sign(mine) + 1)
        return points / len(fixtures)
