"""The measures once more, example by example, from their definitions."""

from __future__ import annotations

import math
from typing import Any

import reference
from outflank.data.examples import Examples
from outflank.nets.network import PolicyNetwork


def slow_measures(network: PolicyNetwork, examples: Examples) -> dict[str, Any]:
    """What measure() should find; without `ties`."""
    prediction = network.predict(examples.boards())
    rows = []
    for number in range(len(examples)):
        scores = [float(score) for score in prediction.logits[number]]
        value = None if prediction.values is None else float(prediction.values[number])
        rows.append(_look(examples, number, scores, value))
    count = len(rows)

    def share(name: str, kept: list[dict[str, Any]]) -> float:
        return float(sum(row[name] for row in kept) / len(kept))

    def table(by: str) -> dict[str, list[dict[str, Any]]]:
        kept: dict[Any, list[dict[str, Any]]] = {}
        for row in rows:
            kept.setdefault(row[by], []).append(row)
        return {str(key): kept[key] for key in sorted(kept)}

    late = [row for row in rows if row["ply"] >= 4]
    bins = []
    for number in range(10):
        inside = [row for row in rows if min(int(row["confidence"] * 10), 9) == number]
        if inside:
            bins.append(
                {
                    "low": number / 10,
                    "high": (number + 1) / 10,
                    "examples": len(inside),
                    "confidence": share("confidence", inside),
                    "accuracy": share("likeliest", inside),
                }
            )
    gaps = sum(one["examples"] * abs(one["confidence"] - one["accuracy"]) for one in bins)
    return {
        "examples": count,
        "accuracy": share("top1", rows),
        "top3": share("top3", rows),
        "legal": share("legal", rows),
        "loss": share("loss", rows),
        "top": {str(k): share(f"top{k}", rows) for k in (1, 2, 3, 5)},
        "by_ply": {ply: share("top1", kept) for ply, kept in table("ply").items()},
        "examples_by_ply": {ply: len(kept) for ply, kept in table("ply").items()},
        "by_moves": {
            moves: {"examples": len(kept), "accuracy": share("top1", kept)}
            for moves, kept in table("moves").items()
        },
        "by_ply_and_moves": [
            {
                "ply": kept[0]["ply"],
                "moves": kept[0]["moves"],
                "examples": len(kept),
                "top1": share("top1", kept),
                "top3": share("top3", kept),
            }
            for kept in table("cell").values()
        ],
        "from_fifth_move": {"examples": len(late), "accuracy": share("top1", late)},
        "calibration": bins,
        "calibration_error": gaps / count,
        "value_mse": None if rows[0]["error"] is None else share("error", rows),
    }


def _look(
    examples: Examples, number: int, scores: list[float], value: float | None
) -> dict[str, Any]:
    own, other = int(examples.own[number]), int(examples.other[number])
    board = tuple((own >> square & 1) - (other >> square & 1) for square in range(64))
    legal = reference.legal_moves(board)
    move = int(examples.move[number])
    # Equal scores count against the move.
    rank = sum(scores[square] >= scores[move] for square in range(64) if square != move)
    weights = {square: math.exp(scores[square]) for square in legal}
    confidence = max(weights.values()) / sum(weights.values())
    ply = sum(cell != 0 for cell in board) - 4
    best = max(range(64), key=lambda square: scores[square])
    return {
        **{f"top{k}": rank < k for k in (1, 2, 3, 5)},
        "legal": best in legal,
        "loss": math.log(sum(math.exp(score) for score in scores)) - scores[move],
        "ply": ply,
        "moves": len(legal),
        "cell": ply * 100 + len(legal),
        "confidence": confidence,
        "likeliest": all(weights[square] < weights[move] for square in legal if square != move),
        "error": None if value is None else (value - float(examples.value[number])) ** 2,
    }
