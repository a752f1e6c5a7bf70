"""Measures how well shallow searches predict deep ones and exact scores: for probcut and end-cut.

For each stage of the game and each pair of depths, a line is fitted that maps the shallow value to
the deep one. The error is the standard deviation of what is left, measured on positions that the
line was not fitted to. Depths that would take too long to measure follow a model of the errors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.chance import key_of, keys_of
from outflank.evaluations.champion import ENDINGS, PROBCUT
from outflank.learn.learner import no_report
from outflank.othello.boards import Boards

Regression = dict[str, float]
Floats = NDArray[np.float64]

# Stages by discs, both included.
STAGES = [(4, 20), (21, 28), (29, 36), (37, 44), (45, 52), (53, 64)]
DEEPEST = 24  # depth up to which regressions are given, by the model if need be
LATEST, EARLIEST = 10, 26  # empty squares between which exact scores are predicted
_FOLDS = 5
_LEAST_SLOPE = 0.25
_GAMES = 400  # that positions are drawn from, for each hundred positions wanted


@dataclass(frozen=True)
class CalibrationConfig:
    """How much is measured.

    Attributes:
        positions: For each stage, and for each number of empty squares.
        depth: The deepest search that is measured.
        solve_from: Most empty squares from which positions are solved.
        seed: Of the choice of positions.
    """

    positions: int = 100
    depth: int = 9
    solve_from: int = 18
    seed: int = 1


def shallow_depth(depth: int) -> int:
    """Return the depth that predicts a depth: about half of it, of the same parity."""
    return 1 if depth == 5 else 2 * (depth // 4) + depth % 2


def shallow_for_ending(empties: int) -> int:
    """Return the depth that predicts the exact score of a number of empty squares."""
    return max(1, empties // 2 - 4)


def out_of_fold(shallow: Floats, deep: Floats) -> tuple[float, float, float]:
    """Fit deep = slope * shallow + offset; return these and the error on unseen positions."""
    left = np.empty_like(deep)
    fold = np.arange(len(deep)) % _FOLDS
    for number in range(_FOLDS):
        unseen = fold == number
        slope, offset = _line(shallow[~unseen], deep[~unseen])
        left[unseen] = deep[unseen] - slope * shallow[unseen] - offset
    return *_line(shallow, deep), float(np.sqrt(np.mean(left**2)))


def _line(shallow: Floats, deep: Floats) -> tuple[float, float]:
    """Fit a line. If values say nothing, or the opposite, of deeper ones, its slope is 1."""
    around = shallow - shallow.mean()
    spread = float(around @ around)
    slope = float(around @ deep) / spread if spread > 0 else 0.0
    if slope < _LEAST_SLOPE:
        slope = 1.0
    return slope, float(deep.mean() - slope * shallow.mean())


def calibrate(
    evaluation: _core.ChampionEvaluation,
    config: CalibrationConfig,
    report: Callable[[str], None] = no_report,
) -> dict[str, list[Regression]]:
    """Measure an evaluation: regressions of depths, `probcut`, and of exact scores, `endings`."""
    drawn = _positions(evaluation, config)
    return {
        PROBCUT: _measure_depths(evaluation, drawn, config, report),
        ENDINGS: _measure_endings(evaluation, drawn, config, report),
    }


def _positions(
    evaluation: _core.ChampionEvaluation, config: CalibrationConfig
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Draw positions of games in which moves of short searches follow partly random openings."""
    count = max(20, _GAMES * config.positions // 100)
    start = Boards.start(count)
    keys = keys_of(key_of("calibration", config.seed), np.arange(count))
    options = _core.TrainingGameOptions(
        depth=2, solve_from=8, least_opening=4, most_opening=36, randomness=0.35
    )
    own, other, _, _, _ = _core.play_training_games(
        evaluation, start.own, start.other, keys, options
    )
    order = np.random.default_rng(config.seed).permutation(len(own))
    return own[order], other[order]


@dataclass(frozen=True)
class ErrorModel:
    """Errors of depths that were not measured: log error = stage + a shallow + b (deep - shallow).

    Attributes:
        stages: One number for each stage.
        shallow: What a ply of the shallow search changes.
        further: What a ply between the two depths changes.
    """

    stages: Floats
    shallow: float
    further: float

    @classmethod
    def fit(cls, cells: list[tuple[int, int, int, float]]) -> ErrorModel:
        """Fit it to cells (stage, shallow depth, deep depth, error)."""
        stages = 1 + max(stage for stage, *_ in cells)
        rows = np.zeros((len(cells), stages + 2))
        for row, (stage, shallow, deep, _) in zip(rows, cells, strict=True):
            row[stage] = 1
            row[stages:] = shallow, deep - shallow
        logs = np.log([max(error, 1e-3) for *_, error in cells])
        solution = np.asarray(np.linalg.lstsq(rows, logs, rcond=None)[0], np.float64)
        return cls(solution[:stages], float(solution[stages]), float(solution[stages + 1]))

    def error(self, stage: int, shallow: int, deep: int) -> float:
        """Return the error that the model predicts."""
        further = self.further * (deep - shallow)
        return float(np.exp(self.stages[stage] + self.shallow * shallow + further))


def _measure_depths(
    evaluation: _core.ChampionEvaluation,
    drawn: tuple[NDArray[np.uint64], NDArray[np.uint64]],
    config: CalibrationConfig,
    report: Callable[[str], None],
) -> list[Regression]:
    """Search positions of every stage deeper and deeper, and fit each pair of depths."""
    searcher = _core.Searcher(evaluation, 64, "discs")
    discs = np.bitwise_count(drawn[0] | drawn[1])
    tables = []
    for first, last in STAGES:
        report(f"searching positions with {first} to {last} discs")
        chosen = np.flatnonzero((discs >= first) & (discs <= last))[: config.positions]
        depth = min(config.depth, 64 - first)
        rows = [
            _values_by_depth(searcher, int(drawn[0][at]), int(drawn[1][at]), depth)
            for at in chosen.tolist()
        ]
        tables.append(np.array([row for row in rows if len(row) == depth], np.float64).T)
    cells = [
        (stage, shallow, deep, out_of_fold(table[shallow - 1], table[deep - 1])[2])
        for stage, table in enumerate(tables)
        for deep in range(3, len(table) + 1)
        for shallow in range(2 - deep % 2, deep - 1, 2)
    ]
    model = ErrorModel.fit(cells)
    fitted = []
    for stage, table in enumerate(tables):
        for deep in range(3, DEEPEST + 1):
            shallow = shallow_depth(deep)
            line = (1.0, 0.0, model.error(stage, shallow, deep))
            if deep <= len(table):
                line = out_of_fold(table[shallow - 1], table[deep - 1])
            fitted.append(_entry(deep, shallow, STAGES[stage], line))
    return fitted


def _values_by_depth(searcher: _core.Searcher, own: int, other: int, depth: int) -> list[int]:
    """Return the values of a board at depths 1, 2, ...; fewer if its game ends before."""
    found: list[int] = []
    searcher.search(
        own, other, False, depth=depth, on_depth=lambda one: found.append(one.lines[0].value)
    )
    return found


def _measure_endings(
    evaluation: _core.ChampionEvaluation,
    drawn: tuple[NDArray[np.uint64], NDArray[np.uint64]],
    config: CalibrationConfig,
    report: Callable[[str], None],
) -> list[Regression]:
    """Solve positions, and fit their scores to the values of shallow searches."""
    searcher, solver = _core.Searcher(evaluation, 64, "discs"), _core.Solver(64)
    solver.set_guide(evaluation)
    empties = 64 - np.bitwise_count(drawn[0] | drawn[1])
    fitted: list[tuple[int, tuple[float, float, float]]] = []
    for number in range(LATEST, config.solve_from + 1):
        report(f"solving positions with {number} empty squares")
        chosen = np.flatnonzero(empties == number)[: config.positions]
        own, other = drawn[0][chosen], drawn[1][chosen]
        depth = shallow_for_ending(number)
        shallow = searcher.value_many(own, other, np.zeros(len(own), np.bool_), depth, 1)
        exact = [
            solver.solve(mine, theirs).score * evaluation.units
            for mine, theirs in zip(own.tolist(), other.tolist(), strict=True)
        ]
        fitted.append((number, out_of_fold(shallow.astype(np.float64), np.array(exact))))
    # The error as a line in the number of empty squares, for those that take too long to solve.
    numbers = [number for number, _ in fitted]
    line = np.polyfit(numbers, [error for _, (_, _, error) in fitted], 1)
    least = max(error for _, (_, _, error) in fitted[-2:])
    fitted += [
        (number, (1.0, 0.0, max(least, float(np.polyval(line, number)))))
        for number in range(config.solve_from + 1, EARLIEST + 1)
    ]
    return [
        _entry(number, shallow_for_ending(number), (64 - number, 64 - number), line_)
        for number, line_ in fitted
    ]


def _entry(
    depth: int, shallow: int, discs: tuple[int, int], line: tuple[float, float, float]
) -> Regression:
    slope, offset, error = line
    return {
        "depth": depth,
        "shallow": shallow,
        "from_discs": discs[0],
        "to_discs": discs[1],
        # Neither may vanish by rounding; and errors that a model predicts may be beyond measure.
        "slope": max(round(slope, 4), 1e-4),
        "offset": round(offset, 2),
        "error": float(np.clip(round(error, 2), 0.01, 1e6)),
    }
