"""Probcut's parameters: how well a shallow search predicts a deep one, measured and kept.

    python -m outflank.players.probcut iago

measures them for an evaluation and writes them beside this module, where players find them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import numpy as np

from outflank import _core
from outflank.evaluations import evaluation
from outflank.files import write_bytes
from outflank.othello import WHITE, Position
from outflank.othello.boards import Boards

# The depth whose value is predicted, and the one that predicts it: of the same parity, because
# evaluations swing between odd and even depths.
PAIRS = {3: 1, 4: 2, 5: 1, 6: 2, 7: 3, 8: 4}
# Stages of the game, by the number of discs: how far a value moves depends on them.
STAGES = [(4, 16), (17, 24), (25, 32), (33, 40), (41, 48), (49, 64)]

_FOLDER = resources.files("outflank.players") / "calibrations"


def calibrated() -> list[str]:
    """Return the names of the evaluations that have been calibrated."""
    return sorted(Path(file.name).stem for file in _FOLDER.iterdir() if file.name.endswith(".json"))


def regressions_for(name: str) -> list[_core.DepthRegression]:
    """Return the regressions measured for an evaluation; ValueError if there are none."""
    if name not in calibrated():
        raise ValueError(
            f"{name} has not been calibrated for selectivity;"
            f" calibrated are {', '.join(calibrated())}"
        )
    measured = json.loads((_FOLDER / f"{name}.json").read_text())
    return [_core.DepthRegression(**regression) for regression in measured["predictions"]]


def measure(name: str, positions: int, seed: int) -> list[dict[str, float]]:
    """Search positions of every stage to the deepest depth and fit one line for each pair.

    The line maps the shallow value to the deep one; `error` is the standard deviation around it.
    Values of finished games are left out.
    """
    searcher = _core.Searcher(evaluation(name), 64)
    deepest = max(PAIRS)
    fitted = []
    for first, last in STAGES:
        values = []
        for position in _positions(name, first, last, positions, seed):
            found: dict[int, int] = {}
            searcher.search(
                *position.bits,
                position.turn is WHITE,
                depth=deepest,
                on_depth=lambda report, into=found: into.__setitem__(  # type: ignore[misc]
                    report.depth, report.lines[0].value
                ),
            )
            if len(found) == deepest and all(abs(v) < _core.VALUE_LIMIT for v in found.values()):
                values.append([found[depth] for depth in range(1, deepest + 1)])
        by_depth = np.array(values, np.float64).T
        for deep, shallow in PAIRS.items():
            x, y = by_depth[shallow - 1], by_depth[deep - 1]
            slope, offset = np.polyfit(x, y, 1)
            error = float(np.std(y - slope * x - offset))
            fitted.append(
                {
                    "depth": deep,
                    "shallow": shallow,
                    "from_discs": first,
                    "to_discs": last,
                    "slope": round(float(slope), 4),
                    "offset": round(float(offset), 2),
                    "error": round(error, 2),
                }
            )
    return fitted


def _positions(name: str, first: int, last: int, count: int, seed: int) -> Iterator[Position]:
    """Yield positions of a stage from games in which good and random moves alternate."""
    draw = np.random.default_rng([seed, first])
    searcher = _core.Searcher(evaluation(name), 8)
    found = 0
    while found < count:
        boards = Boards.start(256)
        target = int(draw.integers(max(first, 8), last + 1))
        while len(boards) and int(np.bitwise_count(boards.own[0] | boards.other[0])) < target:
            good = searcher.search_many(boards.own, boards.other, boards.white_to_move, depth=1)
            luck = _core.random_moves(boards.own, boards.other, int(draw.integers(1 << 62)))
            moves = np.where(draw.random(len(boards)) < 0.3, luck, good)
            boards = boards.play(moves)
            boards = boards[~boards.is_over()]
        for position in list(boards)[: min(16, count - found)]:
            if first <= position.discs <= last and position.legal_squares:
                found += 1
                yield position


def main() -> None:
    """Measure one evaluation and write its file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evaluation")
    parser.add_argument("--positions", type=int, default=400, help="for each stage")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    fitted = measure(arguments.evaluation, arguments.positions, arguments.seed)
    answer = {
        "evaluation": arguments.evaluation,
        "positions": arguments.positions,
        "seed": arguments.seed,
        "predictions": fitted,
    }
    path = Path(str(_FOLDER)) / f"{arguments.evaluation}.json"
    write_bytes(path, (json.dumps(answer, indent=1) + "\n").encode())
    print(f"{path}: {len(fitted)} regressions")


if __name__ == "__main__":
    main()
