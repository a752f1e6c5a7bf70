"""Line networks and boards for tests."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

import reference
from outflank._core import LineNetwork
from reference import Board

Bits = NDArray[np.uint64]
TABLES = ("line", "pattern", "facts", "pairs")


@dataclass(frozen=True)
class Shape:
    """Sizes of a network."""

    channels: int = 16
    blocks: int = 1
    layers: int = 2
    hidden: int = 32
    afterstates: bool = True

    def __str__(self) -> str:
        kind = "line" if self.afterstates else "line-0ply"
        return f"{kind}-{self.channels}-{self.blocks}-{self.layers}-{self.hidden}"


# Each number of blocks, of layers and of channels, with afterstates and without.
SHAPES = [
    Shape(),
    Shape(channels=32, blocks=0, layers=3),
    Shape(channels=48, blocks=3, layers=1, hidden=16),
    Shape(blocks=2, layers=0),
    Shape(afterstates=False),
    Shape(afterstates=False, channels=32, blocks=3, layers=0),
    Shape(afterstates=False, blocks=0, layers=3, hidden=48),
]


def make_network(shape: Shape | None = None, *, seed: int = 1, noise: float = 0.1) -> LineNetwork:
    """A network no weight of which is zero, as if it had been trained."""
    network = LineNetwork(**asdict(shape or Shape()), seed=seed)
    random = np.random.default_rng(seed)
    for array in network.parameters().values():
        array += random.normal(0, noise, array.shape).astype(np.float32)
    network.refresh()
    return network


def copy_of(network: LineNetwork) -> LineNetwork:
    copy = LineNetwork(
        channels=network.channels,
        blocks=network.blocks,
        layers=network.layers,
        hidden=network.hidden,
        afterstates=network.afterstates,
        seed=None,
    )
    weights = network.parameters()
    for name, array in copy.parameters().items():
        array[...] = weights[name]
    copy.refresh()
    return copy


def weights_of(network: LineNetwork) -> dict[str, NDArray[np.float32]]:
    """A copy of all weights."""
    return {name: array.copy() for name, array in network.parameters().items()}


def dense_names(network: LineNetwork) -> list[str]:
    """The weights that are not looked up, in the order of the trainer's moments."""
    names = ["class_bias"]
    for b in range(network.blocks):
        names += [f"block{b}.{part}" for part in ("channel", "bias", "squares")]
    names += ["pool", "stage", "value.in", "value.bias", "value.out", "value.offset"]
    for i in range(network.layers):
        parts = ("in", "context", *(("others",) if i else ()), "bias", "out")
        names += [f"layer{i}.{part}" for part in parts]
    return [*names, "logit", "logit_bias"]


def table_names(network: LineNetwork) -> list[str]:
    return [name for name in network.parameters() if name.startswith(TABLES)]


def arbitrary_board(seed: int, empties: float) -> Board:
    """Any discs anywhere: most such boards cannot come up in a game."""
    random = np.random.default_rng(seed)
    rest = (1 - empties) / 2
    return tuple(int(cell) for cell in random.choice([0, 1, -1], 64, p=[empties, rest, rest]))


def some_boards() -> list[Board]:
    """Boards of all stages, some of which have to pass, one over, some with very many moves."""
    games = [list(reference.random_game(seed)) for seed in range(8)]
    boards = [board for game in games[:2] for board, _ in game[::7]]
    boards += [board for game in games for board, move in game if move == 64][:3]
    boards += [board for game in games[2:5] for board, _ in game[-4:]]
    everything = [board for game in games for board, _ in game]
    boards += sorted(everything, key=lambda board: len(reference.legal_moves(board)))[-2:]
    return [*boards, reference.START, *(arbitrary_board(seed, 0.5) for seed in range(4))]


def as_arrays(boards: list[Board]) -> tuple[Bits, Bits]:
    own, other = zip(*(reference.bits(board) for board in boards), strict=True)
    return np.array(own, np.uint64), np.array(other, np.uint64)
