"""The line network as a policy network: its file, and what it remembers of the games themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank._core import LineNetwork
from outflank.errors import DataError
from outflank.fingerprints import fingerprint, opening_boards
from outflank.nets.files import SUFFIX, Tensors, load_card, load_weights, save_weights
from outflank.nets.memory import Memory
from outflank.nets.network import ANCESTORS, Card, PolicyNetwork, Prediction, trainings_of
from outflank.othello.boards import Boards

ARCHITECTURES = {
    "line": "tables over lines and over the boards after each move, mixed by small layers",
    "line-0ply": "tables over lines, mixed by small layers; looks at no board but the given one",
}
TABLES = ("line", "pattern", "facts", "pairs")
_QUANTISED, _SCALE = ".int8", ".scale"
_TIE = 1e-3  # what breaks a tie, in logits: more than rounding, less than any opinion


@dataclass(frozen=True, eq=False)
class Ties:
    """Boards that equal one of their mirror images, and the most frequent move on each.

    A symmetric network gives several moves on such a board the same score, while game records
    follow one convention.

    Attributes:
        own: uint64[n], ordered by the boards' hash.
        other: uint64[n].
        move: uint8[n].
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    move: NDArray[np.uint8]

    @classmethod
    def gather(
        cls,
        own: NDArray[np.uint64],
        other: NDArray[np.uint64],
        move: NDArray[np.uint8],
        count: NDArray[np.uint32],
    ) -> Ties:
        """Find them among training examples."""
        symmetric = np.zeros(len(own), np.bool_)
        for symmetry in range(1, 8):
            symmetric |= (_core.transform(own, symmetry) == own) & (
                _core.transform(other, symmetry) == other
            )
        boards = np.stack([own[symmetric], other[symmetric]], axis=1)
        distinct, which = np.unique(boards, axis=0, return_inverse=True)
        counts = np.zeros((len(distinct), 64), np.int64)
        np.add.at(counts, (which.reshape(-1), move[symmetric]), count[symmetric].astype(np.int64))
        own, other = (np.ascontiguousarray(distinct[:, side]) for side in (0, 1))
        order = np.argsort(_core.hash(own, other))
        return cls(own[order], other[order], counts.argmax(axis=1).astype(np.uint8)[order])

    def break_in(self, boards: Boards, logits: NDArray[np.float32]) -> None:
        """Raise the score of the usual move a little on the boards that are known."""
        if not len(self.own) or not len(boards):
            return
        hashes = _core.hash(self.own, self.other)
        place = np.searchsorted(hashes, _core.hash(boards.own, boards.other)) % len(hashes)
        known = np.flatnonzero(
            (self.own[place] == boards.own) & (self.other[place] == boards.other)
        )
        logits[known, self.move[place[known]]] += np.float32(_TIE)


class LinePolicy(PolicyNetwork):
    """A line network, run by the compiled core. It scores only legal moves.

    Args:
        network: The compiled network.
        card: Says what it is and where it comes from.
        ties: How it breaks ties.
        memory: What it remembers of frequent positions, if anything.
        threads: Threads that it predicts with; 0: all cores.
    """

    def __init__(
        self,
        network: LineNetwork,
        card: Card,
        *,
        ties: Ties | None = None,
        memory: Memory | None = None,
        threads: int = 0,
    ) -> None:
        self.network = network
        self.card = card
        self.ties = ties
        self.memory = memory
        self.threads = threads

    @property
    def fingerprint(self) -> str:
        """A hash of what it says about some boards."""
        logits = self.predict(opening_boards()).logits
        # The boards may not be among those that it remembers.
        memory = self.memory.tensors() if self.memory is not None else {}
        return fingerprint(logits, *memory.values())

    @property
    def symmetric(self) -> bool:
        """By construction; but for ties, which it breaks as the records do."""
        return True

    @property
    def plies(self) -> int:
        """One if it sees the boards after its moves."""
        return int(self.card.architecture == "line")

    def predict(self, boards: Boards) -> Prediction:
        """Score the legal squares; the others are minus infinity."""
        logits, values = self.network.predict(boards.own, boards.other, self.threads)
        if self.memory is not None:
            self.memory.recall(boards, logits)
        if self.ties is not None:
            self.ties.break_in(boards, logits)
        return Prediction(logits, values)

    def save(self, path: Path | str, *, quantised: bool = True) -> None:
        """Write it with its card; the tables in eight bits a weight, or as they are."""
        tensors: Tensors = {}
        for name, weights in self.network.parameters().items():
            if quantised and name.startswith(TABLES):
                tensors[name + _QUANTISED], tensors[name + _SCALE] = _quantise(weights)
            else:
                tensors[name] = np.array(weights)
        if self.ties is not None:
            for part in ("own", "other", "move"):
                tensors[f"ties.{part}"] = getattr(self.ties, part)
        if self.memory is not None:
            tensors |= self.memory.tensors()
        save_weights(path, tensors, self.card)

    @classmethod
    def load(cls, path: Path | str, *, threads: int = 0) -> LinePolicy:
        """Read a file that `save` wrote."""
        tensors, card = load_weights(path)
        ties, memory = _ties(tensors, path), Memory.take_from(tensors, path)
        network = network_of(_whole(tensors, path), path)
        return cls(network, card, ties=ties, memory=memory, threads=threads)


def is_line(path: Path) -> bool:
    """Return whether a network's file is of a line network."""
    return path.suffix == SUFFIX and load_card(path).architecture in ARCHITECTURES


def blocks_of(weights: Mapping[str, object]) -> int:
    """Return the number of blocks of a network, by the names of its weights."""
    return sum(name.endswith(".squares") for name in weights)


def average(parts: Sequence[tuple[LinePolicy, float]]) -> LinePolicy:
    """Return a network whose weights are the weighted mean of others' weights.

    This helps where one network continues the training of another, so that their weights
    correspond: the mean is then often better than either. The first network gives the ties and the
    card; its memory is dropped.
    """
    first = parts[0][0]
    total = sum(share for _, share in parts)
    if not (0 < total < math.inf) or any(not share >= 0 for _, share in parts):
        raise DataError("shares of a mean are not negative, not all zero, and have a finite sum")
    sums = {name: np.zeros_like(array) for name, array in first.network.parameters().items()}
    for policy, share in parts:
        weights = policy.network.parameters()
        for name, array in sums.items():
            if name not in weights or weights[name].shape != array.shape:
                raise DataError("only networks of one shape have a mean")
            array += np.float32(share / total) * weights[name]
    names = [{"name": policy.card.name, "share": share / total} for policy, share in parts]
    others = trainings_of([policy.card for policy, _ in parts])[1:]
    training = {**first.card.training, "mean of": names, ANCESTORS: others}
    training.pop("memory", None)
    card = replace(first.card, name="", training=training, measured={})
    return LinePolicy(network_of(sums), card, ties=first.ties, threads=first.threads)


def network_of(weights: Mapping[str, NDArray[np.float32]], path: Path | str = "") -> LineNetwork:
    """Make the network that has these weights; weights that fit none are an error."""
    try:
        network = LineNetwork(
            channels=weights["class_bias"].shape[1],
            blocks=blocks_of(weights),
            layers=sum(name.endswith(".out") and name.startswith("layer") for name in weights),
            hidden=weights["layer0.bias"].shape[0] if "layer0.bias" in weights else 16,
            afterstates="pairs" in weights,
            seed=None,
        )
    except (KeyError, IndexError, ValueError) as error:
        raise DataError(f"{path}: holds no line network: {error}") from None
    own = network.parameters()
    if own.keys() != weights.keys():
        wrong = ", ".join(sorted(own.keys() ^ weights.keys())[:3])
        raise DataError(f"{path}: the line network's weights are not those expected: {wrong}")
    for name, array in own.items():
        if array.shape != weights[name].shape:
            raise DataError(
                f"{path}: {name} has the shape {weights[name].shape}; needed is {array.shape}"
            )
        if not np.isfinite(weights[name]).all():
            raise DataError(f"{path}: {name} has weights that are no numbers")
        array[...] = weights[name]
    network.refresh()
    return network


def _quantise(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Round each row to whole numbers up to 127 times a scale of its own."""
    scale = (np.abs(weights).max(axis=1, initial=0) / 127).astype(np.float16)
    # A scale that float16 rounded down would leave the largest weights out.
    divisor = np.where(scale > 0, scale, 1).astype(np.float32)[:, None]
    return np.clip(np.rint(weights / divisor), -127, 127).astype(np.int8), scale


def _ties(tensors: Tensors, path: Path | str) -> Ties | None:
    """Take the ties out of a file's tensors, if it has any."""
    kinds = {"own": np.uint64, "other": np.uint64, "move": np.uint8}
    parts = [tensors.pop(f"ties.{part}", np.zeros(0, kind)) for part, kind in kinds.items()]
    own, other, move = parts
    fitting = own.shape == other.shape == move.shape == (own.size,)
    if not fitting or [part.dtype for part in parts] != list(kinds.values()) or (move > 63).any():
        raise DataError(f"{path}: ties.own, ties.other and ties.move do not fit together")
    return Ties(own, other, move) if len(own) else None


def _whole(tensors: Tensors, path: Path | str) -> dict[str, NDArray[np.float32]]:
    weights = {}
    for name, tensor in tensors.items():
        if name.endswith(_SCALE):
            continue
        if name.endswith(_QUANTISED):
            name = name.removesuffix(_QUANTISED)
            scale = tensors.get(name + _SCALE)
            if scale is None or tensor.ndim != 2 or scale.shape != tensor.shape[:1]:
                raise DataError(f"{path}: {name}{_SCALE} has not one scale for each row of {name}")
            weights[name] = tensor.astype(np.float32) * scale.astype(np.float32)[:, None]
        else:
            weights[name] = tensor.astype(np.float32)
    return weights
