"""Trains the pattern evaluation: on the scores of games, then on its own games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.data.example_folder import open_examples
from outflank.data.examples import Examples
from outflank.data.extraction import extract_examples
from outflank.data.splits import split_by_game
from outflank.data.years import describe_years, parse_years
from outflank.errors import DataError
from outflank.evaluations.learned import PLAYER_FILE
from outflank.evaluations.patterns import save_patterns
from outflank.learn.patterns.config import PatternsConfig
from outflank.learn.patterns.temporal_difference import play_and_learn
from outflank.nets.files import load_tensors, save_tensors

_STATE, _KIND = "training.safetensors", "patterns-training"
_WEIGHTS = "weights"
_STAGES_SHOWN = 10  # errors are listed for numbers of empty squares that are multiples of this


@dataclass(frozen=True, eq=False)
class GamePositions:
    """Positions to learn from and held-out ones, with facts about their source."""

    training: Examples
    held_out: Examples
    facts: dict[str, Any]


def gather_positions(
    config: PatternsConfig,
    *,
    wthor: Path | None = None,
    report: Callable[[str], None] | None = None,
) -> GamePositions:
    """Find the positions of the games and split them by game.

    Args:
        config: Which years, and what is held out.
        wthor: Folder of WThor files; the store's if None.
        report: Takes a line about what is being done.
    """
    years = parse_years(config.years) if config.years else None
    made = extract_examples(
        wthor=wthor,
        years=years,
        step=lambda text, done: report(f"games: {text}") if report else None,
    )
    examples = open_examples(made.folder, "original")
    split = split_by_game(examples, config.held_out, seed=config.split_seed)
    facts = {
        "games": made.manifest.games,
        "years": describe_years(made.manifest.years),
        "sources": [source.sha256[:16] for source in made.manifest.sources],
    }
    return GamePositions(examples.take(split.train), examples.take(split.test), facts)


class PatternsTrainer:
    """Weights of patterns in training; see learn.Trainer for what its methods promise.

    The first step fits them to the games; each later step is a round of self-play. Only the weights
    are kept between steps: all randomness comes from the seed and the round's number.
    """

    score = ""  # the error on expert games is no measure of strength, so no checkpoint is best

    def __init__(self, config: PatternsConfig, positions: GamePositions) -> None:
        if not len(positions.training):
            raise DataError("there are no positions to learn from")
        self.config, self.positions = config, positions
        self.step, self.steps = 0, 1 + config.rounds
        self.learner: _core.PatternLearner | None = None
        self._squares: list[float] = []  # squared errors of rounds since the last measurement

    @property
    def pace(self) -> tuple[int, int]:
        """Steps between measurements, and between checkpoints."""
        return self.config.measure_every, self.config.checkpoint_every

    def train_until(self, step: int) -> Mapping[str, float]:
        """Fit the weights first, then play rounds."""
        while self.step < step:
            if self.learner is None:
                self.learner = _core.PatternLearner(self._fit())
            else:
                training, config = self.positions.training, self.config.temporal_difference
                self._squares.append(play_and_learn(self.learner, training, config, self.step - 1))
            self.step += 1
        return self._means()

    def _fit(self) -> NDArray[np.int16]:
        config, training = self.config, self.positions.training
        return _core.fit_patterns(
            training.own,
            training.other,
            training.score.astype(np.float32),
            passes=config.passes,
            rate=config.learning_rate,
            prior=config.prior,
            threads=config.threads,
        )

    def _means(self) -> dict[str, float]:
        return {"own_error": float(np.sqrt(np.mean(self._squares)))} if self._squares else {}

    def measure(self) -> Mapping[str, Any]:
        """Return the errors, in discs: roots of mean squares, by empty squares too."""
        test = self.positions.held_out
        found = _core.PatternEvaluation(self.weights())
        values = found.evaluate(test.own, test.other, np.zeros(len(test), np.bool_)) / found.units
        square = (values - test.score) ** 2
        empties = 60 - test.ply.astype(np.int64)
        by_empties = {
            str(number): float(np.sqrt(square[empties == number].mean()))
            for number in np.unique(empties)
            if number % _STAGES_SHOWN == 0
        }
        means = self._means()
        self._squares = []
        return {
            "round": self.step - 1,
            **means,
            "positions": len(self.positions.training),
            "held_out": len(test),
            "error": float(np.sqrt(square.mean())) if len(square) else 0.0,
            "error_by_empties": by_empties,
        }

    def weights(self) -> NDArray[np.int16]:
        """Return the weights as PatternEvaluation takes them; zeros before the first step."""
        if self.learner is None:
            nothing = np.zeros(1, np.uint64)
            return _core.fit_patterns(nothing, nothing, np.zeros(1, np.float32), passes=0)
        return self.learner.weights()

    def save(self, folder: Path) -> None:
        """Write the exact weights."""
        tensors = {} if self.learner is None else {_WEIGHTS: self.learner.exact_weights()}
        facts = {
            "step": self.step,
            "config": self.config.to_json(),
            "data": self.positions.facts,
            "squares": self._squares,
        }
        save_tensors(folder / _STATE, tensors, kind=_KIND, facts=facts)

    def load(self, folder: Path) -> None:
        """Restore the weights of a checkpoint."""
        path = folder / _STATE
        tensors, facts = load_tensors(path, kind=_KIND)
        if PatternsConfig.from_json(facts["config"]) != self.config:
            raise DataError(f"{path}: was made with another configuration")
        if facts["data"] != self.positions.facts:
            raise DataError(f"{path}: was begun with other games", remedy="same-games")
        try:
            found = _core.PatternLearner(tensors[_WEIGHTS]) if facts["step"] else None
        except (KeyError, ValueError) as error:
            raise DataError(f"{path}: holds no weights of patterns: {error}") from None
        self.learner, self.step = found, int(facts["step"])
        self._squares = [float(square) for square in facts["squares"]]

    def export(self, folder: Path, measured: Mapping[str, Any]) -> None:
        """Write the evaluation, which `alphabeta:eval=FOLDER` plays with."""
        facts = {
            "config": self.config.to_json(),
            "report": dict(measured),
            "years": self.positions.facts["years"],
            "round": self.step - 1,
        }
        save_patterns(folder / PLAYER_FILE, self.weights(), facts)
