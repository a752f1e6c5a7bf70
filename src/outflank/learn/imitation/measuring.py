"""How well a network predicts moves."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outflank.data.examples import Examples
from outflank.errors import DataError
from outflank.nets.network import Averaged, PolicyNetwork, Symmetrised, legal_probabilities

SCORE = "held_out_accuracy"  # the measurement by which a run's best checkpoint is kept
TOPS = (1, 2, 3, 5)
FIFTH = 4  # the ply of the fifth move; the records' conventions about mirror images end before it
BINS = 10

_BATCH = 1 << 14
_TIES = "equal scores count against the move"
_BROKEN = "ties on symmetric boards are broken by the training set's most frequent move; other "

Advanced = Callable[[int], None]
Table = dict[int, tuple[int, float]]  # examples and accuracy, by something


@dataclass(frozen=True)
class Bin:
    """Examples in which the likeliest legal move has a probability from `low` to `high`."""

    low: float
    high: float
    examples: int
    confidence: float  # mean probability of that move
    accuracy: float  # how often it was played


@dataclass(frozen=True)
class Cell:
    """Examples of one move number and one number of legal moves."""

    ply: int
    moves: int  # legal ones
    examples: int
    top1: float
    top3: float


@dataclass(frozen=True)
class Measures:
    """Shares of examples, each example counting once."""

    examples: int
    accuracy: float  # the square with the highest score is the move that was played
    top3: float  # that move is among the three highest scores
    legal: float  # the square with the highest score is legal
    loss: float  # mean cross-entropy in nats, over all squares that the network scores
    by_ply: Table  # by the discs on the board less 4
    top: dict[int, float]  # by k of TOPS: the move is among the k highest scores
    from_fifth: tuple[int, float]  # examples and accuracy from the fifth move on
    by_moves: Table  # by the number of legal moves
    cells: tuple[Cell, ...]  # by both, in their order (paper 1, Fig. 3)
    bins: tuple[Bin, ...]  # probabilities over the legal moves, ten bins of the same width
    calibration_error: float  # mean distance of confidence and accuracy in the bins, by examples
    value_error: float | None  # mean squared error of the expected result; None without one
    ties: str  # how equal scores count

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON; plies and numbers of moves become text, as JSON's keys are."""
        return {
            "examples": self.examples,
            "accuracy": self.accuracy,
            "top3": self.top3,
            "legal": self.legal,
            "by_ply": {str(ply): share for ply, (_, share) in self.by_ply.items()},
            "examples_by_ply": {str(ply): count for ply, (count, _) in self.by_ply.items()},
            "top": {str(k): share for k, share in self.top.items()},
            "loss": self.loss if math.isfinite(self.loss) else None,
            "by_moves": {
                str(moves): {"examples": count, "accuracy": share}
                for moves, (count, share) in self.by_moves.items()
            },
            "by_ply_and_moves": [dataclasses.asdict(cell) for cell in self.cells],
            "from_fifth_move": {"examples": self.from_fifth[0], "accuracy": self.from_fifth[1]},
            "calibration_error": self.calibration_error,
            "calibration": [dataclasses.asdict(one) for one in self.bins],
            "value_mse": self.value_error,
            "ties": self.ties,
        }


@dataclass(frozen=True, eq=False)
class _Rows:
    """What is compared for each example."""

    rank: NDArray[np.int64]  # how many squares score no less than the move
    legal: NDArray[np.bool_]  # whether the highest score is a legal square's
    loss: NDArray[np.float64]
    moves: NDArray[np.int64]  # legal ones
    confidence: NDArray[np.float64]  # probability of the likeliest legal move
    likeliest: NDArray[np.bool_]  # whether it, and no other, is the move
    error: NDArray[np.float64] | None  # squared, of the value


def measure(
    network: PolicyNetwork, examples: Examples, *, advanced: Advanced | None = None
) -> Measures:
    """Compare a network's scores with the moves that were played.

    As in Liskowski et al. (2018), all squares take part, legal or not. The move played must beat
    the others: equal scores count against it.

    Args:
        network: The network to measure.
        examples: Boards and the moves that were played.
        advanced: Called with the number of examples done.
    """
    if not len(examples):
        tops = dict.fromkeys(TOPS, 0.0)
        ties = tie_convention(network)
        return Measures(
            0, 0.0, 0.0, 0.0, 0.0, {}, tops, (0, 0.0), {}, (), (), 0.0, None, ties
        )  # fmt: skip
    parts = []
    for start in range(0, len(examples), _BATCH):
        parts.append(_compare(network, examples.take(slice(start, start + _BATCH))))
        if advanced is not None:
            advanced(min(start + _BATCH, len(examples)))
    rows = _joined(parts)
    right = rows.rank == 0
    late = examples.ply >= FIFTH
    bins = _bins(rows.confidence, rows.likeliest)
    gaps = sum(one.examples * abs(one.confidence - one.accuracy) for one in bins)
    return Measures(
        examples=len(examples),
        accuracy=float(right.mean()),
        top3=float((rows.rank < 3).mean()),
        legal=float(rows.legal.mean()),
        loss=float(rows.loss.mean()),
        by_ply=_shares(examples.ply, right),
        top={k: float((rows.rank < k).mean()) for k in TOPS},
        from_fifth=(int(late.sum()), float(right[late].mean()) if late.any() else 0.0),
        by_moves=_shares(rows.moves, right),
        cells=_cells(examples.ply, rows.moves, rows.rank),
        bins=bins,
        calibration_error=gaps / len(examples),
        value_error=None if rows.error is None else float(rows.error.mean()),
        ties=tie_convention(network),
    )


def tie_convention(network: PolicyNetwork) -> str:
    """Return how equal scores of a network count; some networks break ties themselves."""
    return _BROKEN + _TIES if _breaks_ties(network) else _TIES


def _breaks_ties(network: PolicyNetwork) -> bool:
    if isinstance(network, Averaged):
        return any(_breaks_ties(one) for one in network.networks)
    if isinstance(network, Symmetrised):  # the mean over the symmetries makes them equal again
        return False
    return getattr(network, "ties", None) is not None


def _compare(network: PolicyNetwork, examples: Examples) -> _Rows:
    boards = examples.boards()
    prediction = network.predict(boards)
    logits = prediction.logits.astype(np.float64)
    if np.isnan(logits).any():
        raise DataError(f"{network.name}: its scores are not numbers; its training diverged")
    row = np.arange(len(boards))
    played = logits[row, examples.move]
    legal = boards.legal_mask()[:, :64]
    highest = logits.max(axis=1)
    shares = legal_probabilities(boards, prediction).astype(np.float64)
    confidence = shares.max(axis=1)
    error = None
    if prediction.values is not None:
        error = (prediction.values.astype(np.float64) - examples.value) ** 2
    return _Rows(
        rank=(logits >= played[:, None]).sum(axis=1) - 1,
        legal=legal[row, logits.argmax(axis=1)],
        loss=np.log(np.exp(logits - highest[:, None]).sum(axis=1)) + highest - played,
        moves=legal.sum(axis=1),
        confidence=confidence,
        likeliest=(shares >= shares[row, examples.move][:, None]).sum(axis=1) == 1,
        error=error,
    )


def _joined(parts: list[_Rows]) -> _Rows:
    errors = [part.error for part in parts if part.error is not None]
    return _Rows(
        rank=np.concatenate([part.rank for part in parts]),
        legal=np.concatenate([part.legal for part in parts]),
        loss=np.concatenate([part.loss for part in parts]),
        moves=np.concatenate([part.moves for part in parts]),
        confidence=np.concatenate([part.confidence for part in parts]),
        likeliest=np.concatenate([part.likeliest for part in parts]),
        error=np.concatenate(errors) if errors else None,
    )


def _shares(by: NDArray[np.integer], right: NDArray[np.bool_]) -> Table:
    """Count examples and the share of right ones, by a number of each."""
    numbers, of = np.unique(by, return_inverse=True)
    times = np.bincount(of)
    shares = np.bincount(of, right) / times
    return {
        int(number): (int(count), float(share))
        for number, count, share in zip(numbers, times, shares, strict=True)
    }


def _cells(
    ply: NDArray[np.uint8], moves: NDArray[np.int64], rank: NDArray[np.int64]
) -> tuple[Cell, ...]:
    place = ply.astype(np.int64) * 64 + moves
    top1, top3 = _shares(place, rank == 0), _shares(place, rank < 3)
    return tuple(
        Cell(*divmod(number, 64), count, share, top3[number][1])
        for number, (count, share) in top1.items()
    )


def _bins(confidence: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[Bin, ...]:
    """Sort examples by confidence into bins; empty bins are left out."""
    of = np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
    found = []
    for number in np.unique(of).tolist():
        inside = of == number
        found.append(
            Bin(
                number / BINS,
                (number + 1) / BINS,
                int(inside.sum()),
                float(confidence[inside].mean()),
                float(right[inside].mean()),
            )
        )
    return tuple(found)
