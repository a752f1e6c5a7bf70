"""How fast networks evolve, beside the same work in NumPy.

First whole generations of paper 4's configuration, observers at depths 2 and 4 included, through
the cluster's processes. Then games of one tournament, played by the core on one thread and on all,
and by a plain NumPy implementation, as one would write it: bitboards in arrays of uint64, the moves
of all boards of a ply at once, all leaves of a move in one batch of matrix products. Both must play
the same games.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from outflank import _core
from outflank.learn.coevolution import Crew, Evolution, first_parents, network_of, preset
from outflank.players.evolved import mind_of

SUB_SQUARES = [
    [8 * (top + row) + left + column for row in range(size) for column in range(size)]
    for size in range(3, 9)
    for top in range(9 - size)
    for left in range(9 - size)
]
Weights = NDArray[np.float32]
Bits = NDArray[np.uint64]
# Squares that a disc can arrive at by a step, by the step: none on the side that it leaves.
_NOT_A, _NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
INNER = {
    1: _NOT_A, 9: _NOT_A, -7: _NOT_A, -1: _NOT_H, -9: _NOT_H, 7: _NOT_H, 8: _ALL, -8: _ALL,
}  # fmt: skip


class NumpyNetwork:
    """91-40-10-1, the first layer as one sparse matrix made dense."""

    def __init__(self, weights: Weights, piece_weight: float) -> None:
        self.piece_weight = np.float32(piece_weight)
        first, bias, place = np.zeros((64, 91), np.float32), np.zeros(91, np.float32), 0
        for node, squares in enumerate(SUB_SQUARES):
            first[squares, node] = weights[place : place + len(squares)]
            bias[node] = weights[place + len(squares)]
            place += len(squares) + 1
        self.layers = [(first, bias)]
        inputs = 91
        for nodes in (40, 10, 1):
            part = weights[place : place + nodes * (inputs + 1)].reshape(nodes, inputs + 1)
            self.layers.append((np.ascontiguousarray(part[:, :-1].T), part[:, -1]))
            place += nodes * (inputs + 1)
            inputs = nodes

    def evaluate(self, own: Bits, other: Bits) -> NDArray[np.float32]:
        """Evaluate boards for the sides whose discs are `own`."""
        inputs = squares_of(own) - squares_of(other)
        values = inputs
        for number, (weights, bias) in enumerate(self.layers):
            values = (np.tanh(values) if number else values) @ weights + bias
        total: NDArray[np.float32] = values[:, 0] + self.piece_weight * inputs.sum(axis=1)
        return total


def squares_of(bits: Bits) -> NDArray[np.float32]:
    """Turn bitboards into float32[n, 64]."""
    by_bytes = np.ascontiguousarray(bits).view(np.uint8).reshape(len(bits), 8)
    return np.unpackbits(by_bytes, axis=1, bitorder="little").astype(np.float32)


def shifted(bits: Bits, step: int) -> Bits:
    """Move all discs one square in a direction; what leaves the board is lost."""
    moved = bits << np.uint64(step) if step > 0 else bits >> np.uint64(-step)
    return moved & INNER[step]


def legal_moves(own: Bits, other: Bits) -> Bits:
    """Find the legal moves of boards."""
    found = np.zeros_like(own)
    for step in INNER:
        run = shifted(own, step) & other
        for _ in range(5):
            run |= shifted(run, step) & other
        found |= shifted(run, step)
    return found & ~(own | other)


def play(own: Bits, other: Bits, move: Bits) -> tuple[Bits, Bits]:
    """Play moves, given as single bits (none: a pass); return the next movers' views."""
    flipped = np.zeros_like(own)
    for step in INNER:
        run = shifted(move, step) & other
        for _ in range(5):
            run |= shifted(run, step) & other
        closed = (shifted(run, step) & own) != 0
        flipped |= np.where(closed, run, np.uint64(0))
    return other & ~flipped, own | flipped | move


def children(own: Bits, other: Bits) -> tuple[NDArray[np.int64], Bits, Bits, Bits]:
    """Return all boards one ply further: whose children, by which moves, and the boards.

    A board without a move has one child by a pass, unless its game is over.
    """
    legal = legal_moves(own, other)
    masks = np.uint64(1) << np.arange(64, dtype=np.uint64)
    owner, square = np.nonzero((legal[:, None] & masks) != 0)
    passing = np.flatnonzero((legal == 0) & (legal_moves(other, own) != 0))
    owner = np.concatenate([owner, passing])
    move = np.concatenate([masks[square], np.zeros(len(passing), np.uint64)])
    return owner, move, *play(own[owner], other[owner], move)


def end_values(own: Bits, other: Bits) -> NDArray[np.float64]:
    """Return the value of finished games to their movers: beyond all evaluations."""
    ahead = np.bitwise_count(own).astype(float) - np.bitwise_count(other)
    values: NDArray[np.float64] = 1e6 * np.sign(ahead) + ahead
    return values


def numpy_choice(network: NumpyNetwork, own: int, other: int) -> int:
    """Minimax at depth 2, all leaves in one batch; returns a single bit."""
    one = np.array([own], np.uint64), np.array([other], np.uint64)
    _, moves, child_own, child_other = children(*one)
    owner, _, leaf_own, leaf_other = children(child_own, child_other)
    values = network.evaluate(leaf_own, leaf_other).astype(float)
    over = (legal_moves(leaf_own, leaf_other) | legal_moves(leaf_other, leaf_own)) == 0
    values[over] = end_values(leaf_own, leaf_other)[over]
    worst = np.full(len(moves), np.inf)
    np.minimum.at(worst, owner, values)
    ended = np.isinf(worst)
    worst[ended] = -end_values(child_own, child_other)[ended]
    return int(moves[int(np.argmax(worst))])


def numpy_game(black: NumpyNetwork, white: NumpyNetwork) -> list[int]:
    """Play a game; return its moves as the core does."""
    own, other = 0x0000000810000000, 0x0000001008000000
    game: list[int] = []
    while True:
        boards = np.array([[own], [other]], np.uint64)
        mine, theirs = legal_moves(boards[0], boards[1])[0], legal_moves(boards[1], boards[0])[0]
        if not mine and not theirs:
            return game
        move = numpy_choice(white if len(game) % 2 else black, own, other) if mine else 0
        game.append(move.bit_length() - 1 if move else _core.PASS)
        after = play(boards[0], boards[1], np.array([move], np.uint64))
        own, other = int(after[0][0]), int(after[1][0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=50)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--workers", type=int, default=_core.available_threads())
    options = parser.parse_args()

    config = replace(preset("paper"), deepest=4, top_depth=4, generations=options.generations)
    with Crew(config, options.workers) as crew:
        evolution = Evolution(config, crew)
        evolution.train_until(1)
        began = time.perf_counter()
        for generation in range(1, options.generations):
            evolution.train_until(generation + 1)
            evolution.measure()
        rate = (options.generations - 1) / (time.perf_counter() - began)
    print(f"generations of the paper, observers at depths 2 and 4: {rate:.2f}/s")
    print(f"1000 of them: {1000 / rate / 60:.1f} min on {options.workers} processes")

    parents = first_parents(config).weights
    minds = [mind_of(network_of(config, weights)) for weights in parents]
    slow = [NumpyNetwork(weights, config.piece_weight) for weights in parents]
    black = np.arange(options.games, dtype=np.int32) % len(parents)
    white = (black + 1 + np.arange(options.games, dtype=np.int32) // len(parents)) % len(parents)
    white = white.astype(np.int32)
    seconds = []
    for threads in (1, 0):
        began = time.perf_counter()
        _, moves, plies = _core.play_minds(minds, black, white, threads=threads)
        seconds.append((time.perf_counter() - began) / options.games)
    began = time.perf_counter()
    games = [numpy_game(slow[b], slow[w]) for b, w in zip(black, white, strict=True)]
    plain = (time.perf_counter() - began) / options.games
    same = sum(
        game == line[:length].tolist()
        for game, line, length in zip(games, moves, plies, strict=True)
    )
    one, every = seconds
    print(f"a game: {1000 * one:.2f} ms on one thread, {1000 * every:.2f} on all")
    print(f"NumPy: {1000 * plain:.0f} ms; {same} of {options.games} games are the same")
    print(f"ratio {plain / one:.0f} on one thread, {plain / every:.0f} on all")
    if same < options.games:
        raise SystemExit("the two did not do the same work")


if __name__ == "__main__":
    main()
