"""Self-play: generations of games with fixed weights, each followed by learning from them.

A step of the run is a generation. Everything about it follows from the weights before it and the
configuration's seed, so it does not matter how many workers play, nor whether the run was
interrupted.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.chance import draws
from outflank.errors import DataError
from outflank.fingerprints import fingerprint
from outflank.learn.selfplay.anchors import Anchors
from outflank.learn.selfplay.config import SelfPlayConfig
from outflank.learn.selfplay.networks import MEANS, make_network
from outflank.learn.selfplay.playing import Played, SelfPlayers
from outflank.learn.selfplay.replay import SYMMETRIES, PlayedPositions, Replay, Window, mirrored
from outflank.nets.network import ANCESTORS, Card, trainings_of

REPLAY = "replay"  # folder of the replay buffer, in the run's
_STEADY = 1e-6


class SelfPlayTrainer:
    """An agent that plays itself; see outflank.learn.Trainer for what its methods promise."""

    score = "elo"

    def __init__(self, config: SelfPlayConfig, folder: Path, workers: int | None = 1) -> None:
        self.config = config
        self.step, self.steps = 0, config.generations
        self.network = make_network(config)
        self.players = SelfPlayers(config, workers)
        self.replay = Replay(folder / REPLAY)
        self.recent: list[tuple[int, PlayedPositions]] = []  # generations of the window, from 1
        self.games_played = 0
        self.positions_played = 0
        self.cpu_seconds = 0.0
        self.last: dict[str, float] = {}

    @property
    def pace(self) -> tuple[int, int]:
        """A measurement and a checkpoint after every generation."""
        return 1, 1

    def train_until(self, step: int) -> Mapping[str, float]:
        """Play and learn from one generation after another, until `step`."""
        while self.step < min(step, self.steps):
            began = time.process_time()
            self._take(self.step + 1, self._games_of(self.step + 1))
            self.last |= self._learn()
            self.network.end_generation()
            self.step += 1
            self.cpu_seconds += time.process_time() - began
            self._end_in_time()
        return {name: self.last[name] for name in ("loss", "value_loss") if name in self.last}

    def _end_in_time(self) -> None:
        """Make this the last step if the limit of processor time is reached."""
        if self.config.cpu_hours and self.cpu_seconds >= 3600 * self.config.cpu_hours:
            self.steps = self.step

    def _games_of(self, generation: int) -> PlayedPositions:
        """Return the games of a generation, from 1: those on disk if they are these, or new ones.

        A process that was killed while it learned has left them there.
        """
        weights = self.network.weights()
        who = fingerprint(*(array for _, array in sorted(weights.items())))
        if self.replay.has(generation):
            positions, facts = self.replay.load(generation)
            if facts.get("weights") == who:
                self.last = facts["described"]
                return positions
        played = self.players.play(weights, generation - 1)
        positions, self.last = PlayedPositions.of_games(played), _described(played)
        self.replay.save(generation, positions, {"weights": who, "described": self.last})
        return positions

    def _take(self, generation: int, positions: PlayedPositions) -> None:
        """Put a generation into the window, and let go what falls out of it."""
        self.recent.append((generation, positions))
        self.games_played += self.config.games
        self.positions_played += len(positions)
        first = self._first_of_window(generation)
        self.recent = [one for one in self.recent if one[0] >= first]
        # The checkpoint before this one may still be gone back to.
        self.replay.keep(self._first_of_window(max(1, generation - 1)), generation)

    def _first_of_window(self, generation: int) -> int:
        """Return the first generation that is learned from after one, both from 1."""
        games = self.config.games_in_window(generation * self.config.games)
        return max(1, generation - max(1, round(games / self.config.games)) + 1)

    def _learn(self) -> dict[str, float]:
        """Learn from the window; new positions are seen `passes` times on average."""
        config, generation = self.config, self.step
        window = Window(PlayedPositions.join([positions for _, positions in self.recent]))
        weight = self._weights(window.positions)
        value = self._values(window.positions)
        images = 1 if self.network.symmetric else SYMMETRIES
        steps = max(1, round(config.passes * images * len(self.recent[-1][1]) / config.batch))
        size = min(config.batch, images * len(window))
        learning_rate = config.learning_rate_in(generation)
        sums = dict.fromkeys(MEANS, 0.0)
        for number in range(steps):
            places = np.arange(number * size, (number + 1) * size)
            drawn = draws(places, images * len(window), config.seed, "replay", generation)
            index, symmetry = np.divmod(drawn, images)
            boards = window.positions.own[index], window.positions.other[index]
            found = self.network.learn(
                *mirrored(*boards, window.policies(index), symmetry.astype(np.uint8)),
                value[index],
                weight[index],
                learning_rate,
            )
            for name in MEANS:
                sums[name] += found[name]
        means = {name: total / steps for name, total in sums.items()}
        return {
            "loss": means.pop("policy_loss"),
            **means,
            "learning_rate": learning_rate,
            "window": len(window),
        }

    def _values(self, positions: PlayedPositions) -> NDArray[np.float32]:
        """Return the value targets: the outcome, mixed with what the search thought."""
        config = self.config
        discs = positions.outcome.astype(np.float32)
        graded, mixed = np.float32(config.graded), np.float32(config.value_mix)
        outcome = (1 - graded) * np.sign(discs) + graded * discs / 64
        value = (1 - mixed) * outcome + mixed * positions.value.astype(np.float32)
        return np.clip(value, -1, 1)

    def _weights(self, positions: PlayedPositions) -> NDArray[np.float32]:
        """Return how much positions count: more where the search surprised the network."""
        share = np.float32(self.config.surprise)
        surprise = positions.surprise.astype(np.float32)
        return (1 - share) + share * surprise / max(float(surprise.mean()), _STEADY)

    def measure(self) -> Mapping[str, Any]:
        """Return what the last generation was like and, now and then, how strong the agent is."""
        values: dict[str, Any] = {
            "generation": self.step,
            "games": self.games_played,
            "positions": self.positions_played,
            "cpu_hours": round(self.cpu_seconds / 3600, 4),
            **self.last,
        }
        due = self.step % self.config.evaluate_every == 0 or self.step == self.steps
        if due and self.config.evaluate_games:
            values |= Anchors(self.config).measure(self.network.policy(self.card({})), self.step)
        return values

    def card(self, measured: Mapping[str, Any]) -> Card:
        """Return the card of the network as it is now."""
        training: dict[str, Any] = {
            "learner": "selfplay",
            "config": self.config.to_json(),
            "step": self.step,
            "steps": self.steps,
            "games": self.games_played,
            "positions": self.positions_played,
        }
        if self.network.ancestors:
            training[ANCESTORS] = trainings_of(self.network.ancestors)
        return Card(self.network.architecture, "pieces", "", training, dict(measured))

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the network for playing."""
        self.network.export(folder, self.card(measured))

    def save(self, folder: Path) -> None:
        """Write the network with its optimiser; the games are in the replay buffer."""
        facts = {
            "step": self.step,
            "config": self.config.to_json(),
            "games": self.games_played,
            "positions_played": self.positions_played,
            "cpu_seconds": self.cpu_seconds,
            "last": self.last,
        }
        self.network.save(folder, facts)

    def load(self, folder: Path) -> None:
        """Go back to a checkpoint, and read the games of its window."""
        facts = self.network.load(folder)
        if SelfPlayConfig.from_json(facts["config"]) != self.config:
            raise DataError(f"{folder}: was made with another configuration")
        self.step = int(facts["step"])
        self.games_played = int(facts["games"])
        self.positions_played = int(facts["positions_played"])
        self.cpu_seconds = float(facts.get("cpu_seconds", 0.0))  # earlier versions had none
        self._end_in_time()
        self.last = {name: float(value) for name, value in facts["last"].items()}
        first = self._first_of_window(self.step)
        self.recent = [
            (generation, self.replay.load(generation)[0])
            for generation in range(first, self.step + 1)
        ]

    def close(self) -> None:
        """End the workers."""
        self.players.close()


def _described(played: Played) -> dict[str, float]:
    """Describe the games of a generation: how long, how decided, how sure."""
    policy = played["policy"][played["full"]]
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(policy > 0, policy * np.log(policy), 0).sum(axis=1)
    score = played["game_score"]
    error = played["value"] - np.sign(played["outcome"])
    return {
        "new_positions": float(len(played["own"])),
        "entropy": float(entropy.mean()),
        "surprise": float(played["surprise"][played["full"]].mean()),
        "length": float(played["game_moves"].mean()),
        "draws": float((score == 0).mean()),
        "black_wins": float((score > 0).mean()),
        "search_value_error": float((error**2).mean()),
    }
