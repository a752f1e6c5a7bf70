"""Trains the champion's evaluation in rounds: games, training on their scores, a match."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.arena import random_openings
from outflank.arena.sequential import play_sequential
from outflank.arena.sprt import SprtConfig
from outflank.evaluations.champion import KIND, champion_weights, save_champion
from outflank.evaluations.learned import PLAYER_FILE, learned_path
from outflank.files import read_bytes, write_bytes
from outflank.learn.champion.calibration import CalibrationConfig, calibrate
from outflank.learn.champion.config import ChampionConfig
from outflank.learn.champion.games import GamePlayers
from outflank.learn.champion.positions import Positions, distinct_sets
from outflank.learn.learner import no_report
from outflank.nets.files import kind_of
from outflank.players.spec import Spec

_STATE = "champion.json"
_SHOWN = (8, 12, 16, 20, 24, 30, 36, 44, 52)  # empty squares at which errors are listed
_CHECKPOINTS = 20  # in a round, about

SPRT = SprtConfig(lower=0, upper=15)
CALIBRATION = CalibrationConfig(positions=60, depth=7, solve_from=14)


class ChampionTrainer:
    """An evaluation in training; see learn.Trainer for what its methods promise.

    A step is a block of games. The last block of a round is followed by training and the match.
    Positions and the evaluations of all rounds are files of the run's folder, written whole; a
    block whose file is there already is not played again.

    Args:
        config: Of the run.
        folder: Of the run.
        players: Play the games.
        experts: Positions of expert games with their scores, which the evaluations of the first
            rounds are trained on; None to begin with zeros.
        report: Takes a line about what is being done.
    """

    score = ""  # the error on its own games is no measure of strength, so no checkpoint is best

    def __init__(
        self,
        config: ChampionConfig,
        folder: Path,
        players: GamePlayers,
        experts: Positions | None = None,
        report: Callable[[str], None] = no_report,
    ) -> None:
        self.config, self.folder, self.players = config, folder, players
        self.experts, self.report = experts, report
        self.step, self.steps = 0, config.rounds * config.blocks
        self.history: list[dict[str, Any]] = []  # one entry for each finished round

    @property
    def pace(self) -> tuple[int, int]:
        """Steps between measurements, which are whole rounds, and between checkpoints."""
        return self.config.blocks, max(1, self.config.blocks // _CHECKPOINTS)

    def evaluation_file(self, number: int) -> Path:
        """Return the file of the evaluation that plays round `number`, from 0."""
        return self.folder / "evaluations" / f"round-{number:03d}.safetensors"

    def block_file(self, number: int, block: int) -> Path:
        """Return the file of the positions of a block of round `number`."""
        return self.folder / "positions" / f"round-{number:03d}" / f"block-{block:05d}.npz"

    def train_until(self, step: int) -> Mapping[str, float]:
        """Play blocks; train and measure at the end of each round."""
        while self.step < step:
            number, block = divmod(self.step, self.config.blocks)
            if number == block == 0:
                self._begin()
            self._play(number, block)
            if block + 1 == self.config.blocks:
                self._fit(number)
            self.step += 1
        return {}

    @cached_property
    def known(self) -> NDArray[np.int8] | None:
        """The weights of a champion's evaluation that is to be trained further."""
        path = learned_path(self.config.first) if self.config.first else None
        if path is None or not path.is_file() or kind_of(path) != KIND:
            return None
        return champion_weights(path)

    def _begin(self) -> None:
        """Find the evaluation of the first round: a known one, of expert games, or of nothing."""
        path = self.evaluation_file(0)
        if path.is_file():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.known is not None:
            write_bytes(path, read_bytes(learned_path(self.config.first)))
            return
        measured: dict[str, Any] = {}
        if self.experts is None:
            weights = np.zeros(_core.ChampionEvaluation.bytes, np.int8)
        else:
            self.report(f"training on {len(self.experts):,} positions of expert games")
            weights = fit_weights(self.experts, self.config)
            measured = self._calibrate(weights)
        save_champion(path, weights, {"round": 0, "source": self.config.source, **measured})

    def _calibrate(self, weights: NDArray[np.int8]) -> dict[str, Any]:
        """Measure what probcut needs to know in the games of the next round."""
        if not self.config.selectivity:
            return {}
        return {**calibrate(_core.ChampionEvaluation(weights), CALIBRATION, self.report)}

    def _play(self, number: int, block: int) -> None:
        """Play a block of games, unless an interrupted session already has."""
        path = self.block_file(number, block)
        if path.is_file():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        config = self.config
        first = number * config.games + block * config.block
        last = min(first + config.block, (number + 1) * config.games)
        depth = min(config.depth, config.first_depth + number)
        evaluation = str(self.evaluation_file(number))
        if number == 0 and config.first and self.known is None:
            evaluation = config.first
        self.players.play(evaluation, depth, np.arange(first, last)).save(path)

    def positions(self, number: int) -> tuple[Positions, Positions]:
        """Return what is trained on after round `number`, and the held-out positions."""
        training, held = [], []
        if self.experts is not None and number < self.config.expert_rounds:
            training.append(self.experts)  # few games of its own say less than many of experts
        for earlier in range(max(0, number + 1 - self.config.keep), number + 1):
            for block in range(self.config.blocks):
                played = Positions.load(self.block_file(earlier, block))
                learned, kept = played.split(self.config.held_out, self.config.seed)
                training.append(learned)
                held.append(kept)
        return distinct_sets(Positions.concatenate(training), Positions.concatenate(held))

    def _fit(self, number: int) -> None:
        """Fit the next evaluation to the last rounds' positions, and measure it."""
        training, held = self.positions(number)
        self.report(f"round {number}: training on {len(training):,} positions")
        path = self.evaluation_file(number + 1)
        weights = fit_weights(training, self.config, self.known)
        measured = {"round": number + 1, "positions": len(training), **errors(weights, held)}
        facts = {"source": self.config.source, **measured, **self._calibrate(weights)}
        save_champion(path, weights, facts)
        self.report(f"round {number}: playing against the round before")
        self.history.append({**measured, **self._match(number)})

    def _match(self, number: int) -> dict[str, Any]:
        """Play the new evaluation against the one before until the test decides."""
        config = self.config
        new, old = (
            str(Spec("alphabeta", "", {
                "eval": str(self.evaluation_file(one)), "depth": str(config.match_depth),
                "ends": "discs",
            }))
            for one in (number + 1, number)
        )  # fmt: skip
        openings = random_openings(
            config.match_plies, max(1, config.match_games // 2), config.seed + number
        )
        played = play_sequential(
            new, old, SPRT, openings if config.match_games else [], seed=config.seed
        )
        if played.elo is None:
            return {}
        return {
            "winning_rate": played.winning_rate,
            "elo": round(played.elo, 1),
            "match": [played.wins, played.draws, played.losses],
            "verdict": played.verdict,
        }

    def measure(self) -> Mapping[str, Any]:
        """Return the last finished round's measurements."""
        return self.history[-1] if self.history else {"round": 0}

    def save(self, folder: Path) -> None:
        """Write the number of steps and the history; the rest is in the run's folder."""
        state = {"step": self.step, "history": self.history}
        write_bytes(folder / _STATE, json.dumps(state).encode())

    def load(self, folder: Path) -> None:
        """Restore a checkpoint."""
        state = json.loads(read_bytes(folder / _STATE))
        self.step, self.history = state["step"], state["history"]

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the newest evaluation as the run's player."""
        newest = self.evaluation_file(len(self.history))
        if newest.is_file():
            write_bytes(folder / PLAYER_FILE, read_bytes(newest))


def fit_weights(
    positions: Positions, config: ChampionConfig, known: NDArray[np.int8] | None = None
) -> NDArray[np.int8]:
    """Train on positions as a configuration says, from random weights or from known ones."""
    trained = _core.fit_champion(
        positions.own,
        positions.other,
        positions.labels(config.search_share),
        start=None if known is None else _core.champion_numbers(known),
        passes=config.passes,
        batch=config.batch,
        rate=config.learning_rate,
        seed=config.seed,
        threads=config.threads,
    )
    return _core.quantise_champion(trained)


def errors(weights: NDArray[np.int8], held: Positions) -> dict[str, Any]:
    """Return the mean absolute errors on held-out positions, in discs: of all and by stage."""
    if not len(held):
        return {"held_out": 0}
    found = _core.ChampionEvaluation(weights)
    values = found.evaluate(held.own, held.other, np.zeros(len(held), np.bool_)) / found.units
    wrong, empties = np.abs(values - held.score), held.empties
    by_empties = {
        str(number): round(float(wrong[empties == number].mean()), 3)
        for number in _SHOWN
        if np.any(empties == number)
    }
    return {
        "held_out": len(held),
        "error": float(wrong.mean()),
        "error_by_empties": by_empties,
        **{f"error_{number}": found for number, found in by_empties.items()},
    }
